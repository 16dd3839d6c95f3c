// LLVM 22.1.8
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	qd__run
	.p2align	8
	.type	qd__run,@function
qd__run:
	s_load_dwordx4 s[24:27], s[0:1], 0x8
	s_mov_b32 s3, 0
	s_lshl_b64 s[4:5], s[2:3], 7
	v_or_b32_e32 v0, s4, v0
	v_mov_b32_e32 v1, s5
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s4, s26, s24
	s_subb_u32 s5, s27, s25
	v_cmp_gt_u64_e32 vcc, s[4:5], v[0:1]
	s_and_saveexec_b64 s[4:5], vcc
	s_cbranch_execz .LBB0_32
	s_load_dwordx2 s[28:29], s[0:1], 0x0
	s_load_dwordx2 s[20:21], s[0:1], 0x18
	v_lshl_add_u64 v[14:15], s[24:25], 0, v[0:1]
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v22, 2
	s_waitcnt lgkmcnt(0)
	s_load_dwordx16 s[4:19], s[28:29], 0x18
	s_lshl_b64 s[24:25], s[20:21], 7
	s_load_dwordx4 s[20:23], s[28:29], 0x0
	v_mov_b32_e32 v24, 4
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s2, s6, s4
	s_subb_u32 s33, s7, s5
	v_cvt_f32_u32_e32 v0, s2
	v_cvt_f32_u32_e32 v1, s33
	s_lshl_b64 s[6:7], s[18:19], 1
	s_lshl_b64 s[28:29], s[18:19], 3
	s_add_u32 s0, s24, s26
	v_fmac_f32_e32 v0, 0x4f800000, v1
	v_rcp_f32_e32 v0, v0
	v_cvt_f32_u32_e32 v1, s2
	s_addc_u32 s1, s25, s27
	v_mov_b32_e32 v3, s1
	v_mul_f32_e32 v0, 0x5f7ffffc, v0
	v_rcp_iflag_f32_e32 v1, v1
	v_mul_f32_e32 v5, 0x2f800000, v0
	v_trunc_f32_e32 v5, v5
	v_fmac_f32_e32 v0, 0xcf800000, v5
	v_cvt_u32_f32_e32 v18, v0
	v_mul_f32_e32 v0, 0x4f7ffffe, v1
	v_cvt_u32_f32_e32 v19, v5
	v_cvt_u32_f32_e32 v20, v0
	v_sub_co_u32_e32 v2, vcc, s0, v14
	s_mov_b64 s[26:27], 0
	s_nop 0
	v_subb_co_u32_e32 v3, vcc, v3, v15, vcc
	v_mov_b32_e32 v5, 1
	s_branch .LBB0_4
.LBB0_2:
	s_or_b64 exec, exec, s[38:39]
	s_andn2_b64 s[34:35], s[34:35], exec
	s_orn2_b64 s[0:1], s[0:1], exec
.LBB0_3:
	s_or_b64 exec, exec, s[36:37]
	s_and_b64 s[0:1], exec, s[0:1]
	s_or_b64 s[26:27], s[0:1], s[26:27]
	s_andn2_b64 s[0:1], s[30:31], exec
	s_and_b64 s[30:31], s[34:35], exec
	s_or_b64 s[30:31], s[0:1], s[30:31]
	s_andn2_b64 exec, exec, s[26:27]
	s_cbranch_execz .LBB0_23
.LBB0_4:
	v_mov_b64_e32 v[0:1], v[14:15]
	v_or_b32_e32 v7, s33, v1
	v_mov_b32_e32 v6, v4
	v_cmp_ne_u64_e32 vcc, 0, v[6:7]
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[36:37], exec, s[0:1]
	s_cbranch_execz .LBB0_6
	s_sub_u32 s0, 0, s2
	v_readfirstlane_b32 s38, v18
	v_readfirstlane_b32 s41, v19
	s_subb_u32 s1, 0, s33
	s_mul_hi_u32 s40, s0, s38
	s_mul_i32 s42, s0, s41
	s_mul_i32 s39, s1, s38
	s_add_i32 s40, s40, s42
	s_add_i32 s40, s40, s39
	s_mul_i32 s43, s0, s38
	s_mul_i32 s42, s38, s40
	s_mul_hi_u32 s44, s38, s43
	s_mul_hi_u32 s39, s38, s40
	s_add_u32 s42, s44, s42
	s_addc_u32 s39, 0, s39
	s_mul_hi_u32 s45, s41, s43
	s_mul_i32 s43, s41, s43
	s_add_u32 s42, s42, s43
	s_mul_hi_u32 s44, s41, s40
	s_addc_u32 s39, s39, s45
	s_addc_u32 s42, s44, 0
	s_mul_i32 s40, s41, s40
	s_add_u32 s39, s39, s40
	s_addc_u32 s40, 0, s42
	s_add_u32 s38, s38, s39
	s_addc_u32 s39, s41, s40
	s_mul_i32 s40, s0, s39
	s_mul_hi_u32 s41, s0, s38
	s_add_i32 s40, s41, s40
	s_mul_i32 s1, s1, s38
	s_add_i32 s40, s40, s1
	s_mul_i32 s0, s0, s38
	s_mul_hi_u32 s41, s39, s0
	s_mul_i32 s42, s39, s0
	s_mul_i32 s44, s38, s40
	s_mul_hi_u32 s0, s38, s0
	s_mul_hi_u32 s43, s38, s40
	s_add_u32 s0, s0, s44
	s_addc_u32 s43, 0, s43
	s_add_u32 s0, s0, s42
	s_mul_hi_u32 s1, s39, s40
	s_addc_u32 s0, s43, s41
	s_addc_u32 s1, s1, 0
	s_mul_i32 s40, s39, s40
	s_add_u32 s0, s0, s40
	s_addc_u32 s1, 0, s1
	s_add_u32 s38, s38, s0
	s_addc_u32 s39, s39, s1
	v_mad_u64_u32 v[6:7], s[0:1], v0, s39, 0
	v_mul_hi_u32 v8, v0, s38
	v_mov_b32_e32 v9, v4
	v_lshl_add_u64 v[6:7], v[8:9], 0, v[6:7]
	v_mad_u64_u32 v[10:11], s[0:1], v1, s38, 0
	v_add_co_u32_e32 v6, vcc, v6, v10
	v_mad_u64_u32 v[8:9], s[0:1], v1, s39, 0
	s_nop 0
	v_addc_co_u32_e32 v6, vcc, v7, v11, vcc
	v_mov_b32_e32 v7, s3
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, 0, v9, vcc
	v_lshl_add_u64 v[6:7], v[6:7], 0, v[8:9]
	v_mul_lo_u32 v10, s33, v6
	v_mul_lo_u32 v11, s2, v7
	v_mad_u64_u32 v[8:9], s[0:1], s2, v6, 0
	v_add3_u32 v12, v9, v11, v10
	v_sub_u32_e32 v9, v1, v12
	v_mov_b32_e32 v10, s33
	v_sub_co_u32_e32 v13, vcc, v0, v8
	s_nop 1
	v_subb_co_u32_e64 v8, s[0:1], v9, v10, vcc
	v_subrev_co_u32_e64 v9, s[0:1], s2, v13
	s_nop 1
	v_subbrev_co_u32_e64 v8, s[0:1], 0, v8, s[0:1]
	v_cmp_le_u32_e64 s[0:1], s33, v8
	s_nop 1
	v_cndmask_b32_e64 v10, 0, -1, s[0:1]
	v_cmp_le_u32_e64 s[0:1], s2, v9
	s_nop 1
	v_cndmask_b32_e64 v9, 0, -1, s[0:1]
	v_cmp_eq_u32_e64 s[0:1], s33, v8
	s_nop 1
	v_cndmask_b32_e64 v14, v10, v9, s[0:1]
	v_lshl_add_u64 v[8:9], v[6:7], 0, 2
	v_lshl_add_u64 v[10:11], v[6:7], 0, 1
	v_cmp_ne_u32_e64 s[0:1], 0, v14
	s_nop 1
	v_cndmask_b32_e64 v9, v11, v9, s[0:1]
	v_subb_co_u32_e32 v11, vcc, v1, v12, vcc
	v_cmp_le_u32_e32 vcc, s33, v11
	v_cndmask_b32_e64 v8, v10, v8, s[0:1]
	s_nop 0
	v_cndmask_b32_e64 v12, 0, -1, vcc
	v_cmp_le_u32_e32 vcc, s2, v13
	s_nop 1
	v_cndmask_b32_e64 v13, 0, -1, vcc
	v_cmp_eq_u32_e32 vcc, s33, v11
	s_nop 1
	v_cndmask_b32_e32 v11, v12, v13, vcc
	v_cmp_ne_u32_e32 vcc, 0, v11
	s_nop 1
	v_cndmask_b32_e32 v7, v7, v9, vcc
	v_cndmask_b32_e32 v6, v6, v8, vcc
.LBB0_6:
	s_andn2_saveexec_b64 s[0:1], s[36:37]
	s_cbranch_execz .LBB0_8
	s_sub_i32 s36, 0, s2
	v_mul_lo_u32 v6, s36, v20
	v_mul_hi_u32 v6, v20, v6
	v_add_u32_e32 v6, v20, v6
	v_mul_hi_u32 v6, v0, v6
	v_mul_lo_u32 v7, v6, s2
	v_sub_u32_e32 v7, v0, v7
	v_subrev_u32_e32 v8, s2, v7
	v_cmp_le_u32_e32 vcc, s2, v7
	s_nop 1
	v_cndmask_b32_e32 v7, v7, v8, vcc
	v_add_u32_e32 v8, 1, v6
	v_cndmask_b32_e32 v6, v6, v8, vcc
	v_add_u32_e32 v8, 1, v6
	v_cmp_le_u32_e32 vcc, s2, v7
	v_mov_b32_e32 v7, v4
	s_nop 0
	v_cndmask_b32_e32 v6, v6, v8, vcc
.LBB0_8:
	s_or_b64 exec, exec, s[0:1]
	v_mul_lo_u32 v10, v7, s2
	v_mul_lo_u32 v11, v6, s33
	v_mad_u64_u32 v[8:9], s[0:1], v6, s2, 0
	v_add3_u32 v9, v9, v11, v10
	v_sub_co_u32_e32 v8, vcc, v0, v8
	v_lshl_add_u64 v[16:17], v[6:7], 0, s[22:23]
	s_nop 0
	v_subb_co_u32_e32 v9, vcc, v1, v9, vcc
	v_lshl_add_u64 v[14:15], v[8:9], 0, s[4:5]
	v_cmp_ne_u64_e32 vcc, 0, v[16:17]
	v_cmp_ne_u64_e64 s[0:1], 0, v[14:15]
	v_lshl_add_u64 v[6:7], v[16:17], 0, 1
	s_and_b64 s[0:1], s[0:1], vcc
	v_cmp_gt_u64_e32 vcc, s[16:17], v[6:7]
	v_lshl_add_u64 v[6:7], v[14:15], 0, 1
	s_and_b64 s[0:1], s[0:1], vcc
	v_cmp_gt_u64_e32 vcc, s[18:19], v[6:7]
	s_and_b64 s[40:41], s[0:1], vcc
	s_mov_b64 s[0:1], -1
	s_mov_b64 s[38:39], -1
	s_and_saveexec_b64 s[36:37], s[40:41]
	s_cbranch_execz .LBB0_20
	v_lshl_add_u64 v[10:11], v[16:17], 0, -1
	v_cmp_gt_u64_e32 vcc, s[16:17], v[10:11]
	s_mov_b64 s[40:41], 0
	v_mov_b64_e32 v[6:7], 0
	v_mov_b64_e32 v[8:9], s[16:17]
	v_mov_b64_e32 v[12:13], v[4:5]
	s_and_saveexec_b64 s[38:39], vcc
	s_cbranch_execz .LBB0_19
	v_cmp_gt_u64_e32 vcc, s[18:19], v[14:15]
	s_mov_b64 s[42:43], 0
	v_mov_b64_e32 v[6:7], 1
	v_mov_b64_e32 v[8:9], s[18:19]
	v_mov_b64_e32 v[12:13], v[4:5]
	s_and_saveexec_b64 s[40:41], vcc
	s_cbranch_execz .LBB0_18
	v_mov_b32_e32 v23, v5
	v_cmp_gt_u64_e32 vcc, s[16:17], v[16:17]
	s_mov_b64 s[44:45], 0
	v_mov_b64_e32 v[6:7], 0
	v_mov_b64_e32 v[8:9], s[16:17]
	v_mov_b64_e32 v[12:13], v[22:23]
	s_and_saveexec_b64 s[42:43], vcc
	s_cbranch_execz .LBB0_17
	v_cmp_gt_u64_e32 vcc, s[10:11], v[16:17]
	s_mov_b64 s[46:47], 0
	v_mov_b64_e32 v[6:7], 0
	v_mov_b64_e32 v[8:9], s[10:11]
	s_and_saveexec_b64 s[44:45], vcc
	s_cbranch_execz .LBB0_16
	v_cmp_gt_u64_e32 vcc, s[12:13], v[14:15]
	s_and_saveexec_b64 s[48:49], vcc
	s_xor_b64 s[48:49], exec, s[48:49]
	s_cbranch_execz .LBB0_15
	v_mul_lo_u32 v8, v11, s18
	v_mul_lo_u32 v9, v10, s19
	v_mad_u64_u32 v[6:7], s[50:51], v10, s18, 0
	v_add3_u32 v7, v7, v9, v8
	v_lshl_add_u64 v[6:7], v[6:7], 3, s[14:15]
	v_lshlrev_b64 v[8:9], 3, v[14:15]
	v_lshl_add_u64 v[10:11], v[6:7], 0, v[8:9]
	v_lshl_add_u64 v[12:13], s[6:7], 3, v[6:7]
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[28:29]
	v_lshl_add_u64 v[12:13], v[12:13], 0, v[8:9]
	v_lshl_add_u64 v[6:7], v[6:7], 0, v[8:9]
	global_load_dwordx2 v[26:27], v[10:11], off
	global_load_dwordx2 v[28:29], v[12:13], off
	global_load_dwordx2 v[30:31], v[6:7], off offset:-8
	global_load_dwordx2 v[32:33], v[6:7], off offset:8
	v_mul_lo_u32 v10, v17, s12
	v_mul_lo_u32 v11, v16, s13
	v_mad_u64_u32 v[6:7], s[50:51], v16, s12, 0
	v_add3_u32 v7, v7, v11, v10
	v_lshl_add_u64 v[6:7], v[6:7], 3, s[8:9]
	s_mov_b64 s[46:47], exec
	v_lshl_add_u64 v[6:7], v[6:7], 0, v[8:9]
	s_waitcnt vmcnt(2)
	v_add_f64 v[10:11], v[26:27], v[28:29]
	s_waitcnt vmcnt(1)
	v_add_f64 v[10:11], v[10:11], v[30:31]
	s_waitcnt vmcnt(0)
	v_add_f64 v[10:11], v[10:11], v[32:33]
	v_ldexp_f64 v[10:11], v[10:11], -2
	global_store_dwordx2 v[6:7], v[10:11], off
.LBB0_15:
	s_or_b64 exec, exec, s[48:49]
	v_mov_b64_e32 v[6:7], 1
	v_mov_b64_e32 v[8:9], s[12:13]
	s_and_b64 s[46:47], s[46:47], exec
	v_mov_b64_e32 v[16:17], v[14:15]
.LBB0_16:
	s_or_b64 exec, exec, s[44:45]
	v_mov_b32_e32 v25, v5
	s_and_b64 s[44:45], s[46:47], exec
	v_mov_b64_e32 v[12:13], v[24:25]
.LBB0_17:
	s_or_b64 exec, exec, s[42:43]
	s_and_b64 s[42:43], s[44:45], exec
	v_mov_b64_e32 v[14:15], v[16:17]
.LBB0_18:
	s_or_b64 exec, exec, s[40:41]
	s_and_b64 s[40:41], s[42:43], exec
	v_mov_b64_e32 v[10:11], v[14:15]
.LBB0_19:
	s_or_b64 exec, exec, s[38:39]
	s_orn2_b64 s[38:39], s[40:41], exec
.LBB0_20:
	s_or_b64 exec, exec, s[36:37]
	s_or_b64 s[34:35], s[34:35], exec
	s_and_saveexec_b64 s[36:37], s[38:39]
	s_xor_b64 s[36:37], exec, s[36:37]
	s_cbranch_execz .LBB0_3
	v_mov_b32_e32 v14, s25
	v_subrev_co_u32_e32 v2, vcc, s24, v2
	s_nop 1
	v_subb_co_u32_e32 v3, vcc, v3, v14, vcc
	v_cmp_lt_u64_e32 vcc, s[24:25], v[2:3]
	s_and_saveexec_b64 s[38:39], vcc
	s_cbranch_execz .LBB0_2
	global_load_dwordx2 v[16:17], v4, s[20:21] sc1
	v_lshl_add_u64 v[14:15], v[0:1], 0, s[24:25]
	s_waitcnt vmcnt(0)
	v_cmp_gt_u64_e32 vcc, v[14:15], v[16:17]
	s_orn2_b64 s[0:1], vcc, exec
	s_branch .LBB0_2
.LBB0_23:
	s_or_b64 exec, exec, s[26:27]
	s_and_saveexec_b64 s[0:1], s[30:31]
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_32
	s_mov_b64 s[2:3], exec
	s_mov_b64 s[0:1], -1
.LBB0_25:
	s_ff1_i32_b64 s6, s[2:3]
	v_readlane_b32 s7, v1, s6
	v_readlane_b32 s8, v0, s6
	s_mov_b32 m0, s6
	v_mov_b32_e32 v5, s7
	v_mov_b32_e32 v4, s8
	v_cmp_lt_u64_e32 vcc, s[0:1], v[4:5]
	s_and_b64 s[4:5], vcc, exec
	v_writelane_b32 v3, s1, m0
	v_writelane_b32 v2, s0, m0
	s_cselect_b32 s1, s1, s7
	s_cselect_b32 s0, s0, s8
	s_lshl_b64 s[4:5], 1, s6
	s_andn2_b64 s[2:3], s[2:3], s[4:5]
	s_cbranch_scc1 .LBB0_25
	v_mbcnt_lo_u32_b32 v4, exec_lo, 0
	v_mbcnt_hi_u32_b32 v4, exec_hi, v4
	v_cmp_eq_u32_e32 vcc, 0, v4
	s_and_saveexec_b64 s[2:3], vcc
	s_xor_b64 s[2:3], exec, s[2:3]
	s_cbranch_execz .LBB0_28
	v_mov_b32_e32 v14, 0
	v_mov_b64_e32 v[4:5], s[0:1]
	global_atomic_umin_x2 v[4:5], v14, v[4:5], s[20:21] sc0
.LBB0_28:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s1, v5
	v_readfirstlane_b32 s0, v4
	s_nop 0
	v_mov_b32_e32 v4, s1
	v_cmp_lt_u64_e32 vcc, s[0:1], v[2:3]
	s_nop 1
	v_cndmask_b32_e32 v3, v3, v4, vcc
	v_mov_b32_e32 v4, s0
	v_cndmask_b32_e32 v2, v2, v4, vcc
	v_cmp_gt_u64_e32 vcc, v[2:3], v[0:1]
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB0_32
	s_mov_b64 s[2:3], exec
	v_mbcnt_lo_u32_b32 v2, s2, 0
	v_mbcnt_hi_u32_b32 v4, s3, v2
	v_cmp_eq_u32_e32 vcc, 0, v4
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_31
	s_bcnt1_i32_b64 s2, s[2:3]
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v3, 0
	global_atomic_add_x2 v[2:3], v3, v[2:3], s[20:21] offset:8 sc0
.LBB0_31:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s0, v2
	s_nop 1
	v_add_u32_e32 v2, s0, v4
	v_lshl_add_u64 v[4:5], v[12:13], 0, v[0:1]
	v_and_b32_e32 v2, 0x3ff, v2
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[6:7]
	v_mad_u64_u32 v[2:3], s[0:1], v2, 56, s[20:21]
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[8:9]
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[10:11]
	global_store_dwordx2 v[2:3], v[0:1], off offset:32 sc1
	global_store_dwordx2 v[2:3], v[12:13], off offset:40 sc1
	global_store_dwordx2 v[2:3], v[4:5], off offset:48 sc1
	global_store_dwordx2 v[2:3], v[6:7], off offset:56 sc1
	global_store_dwordx2 v[2:3], v[8:9], off offset:64 sc1
	global_store_dwordx2 v[2:3], v[10:11], off offset:72 sc1
	v_mov_b64_e32 v[0:1], 0
	global_store_dwordx2 v[2:3], v[0:1], off offset:80 sc1
.LBB0_32:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel qd__run
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 48
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 34
		.amdhsa_next_free_sgpr 52
		.amdhsa_accum_offset 36
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	qd__run, .Lfunc_end0-qd__run

	.set qd__run.num_vgpr, 34
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 52
	.set qd__run.num_named_barrier, 0
	.set qd__run.private_seg_size, 0
	.set qd__run.uses_vcc, 1
	.set qd__run.uses_flat_scratch, 0
	.set qd__run.has_dyn_sized_stack, 0
	.set qd__run.has_recursion, 0
	.set qd__run.has_indirect_call, 0
	.globl	qd__bounds
	.p2align	8
	.type	qd__bounds,@function
qd__bounds:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_load_dwordx4 s[0:3], s[4:5], 0x30
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s0
	v_mov_b32_e32 v3, s1
	global_store_dwordx4 v0, v[0:3], s[4:5] offset:8
	s_nop 1
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v3, s3
	global_store_dwordx4 v0, v[0:3], s[4:5] offset:24
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel qd__bounds
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 6
		.amdhsa_accum_offset 4
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.size	qd__bounds, .Lfunc_end1-qd__bounds

	.set qd__bounds.num_vgpr, 4
	.set qd__bounds.num_agpr, 0
	.set qd__bounds.numbered_sgpr, 6
	.set qd__bounds.num_named_barrier, 0
	.set qd__bounds.private_seg_size, 0
	.set qd__bounds.uses_vcc, 0
	.set qd__bounds.uses_flat_scratch, 0
	.set qd__bounds.has_dyn_sized_stack, 0
	.set qd__bounds.has_recursion, 0
	.set qd__bounds.has_indirect_call, 0
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .actual_access:  read_only
        .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           8
        .value_kind:     by_value
      - .offset:         16
        .size:           8
        .value_kind:     by_value
      - .offset:         24
        .size:           8
        .value_kind:     by_value
      - .actual_access:  read_only
        .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 48
    .max_flat_workgroup_size: 128
    .name:           qd__run
    .private_segment_fixed_size: 0
    .sgpr_count:     58
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     34
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 1
    .name:           qd__bounds
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         qd__bounds.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     4
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
