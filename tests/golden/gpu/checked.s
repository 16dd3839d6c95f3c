// LLVM 22.1.8
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	qd__run
	.p2align	8
	.type	qd__run,@function
qd__run:
	s_load_dwordx4 s[12:15], s[0:1], 0x8
	s_mov_b32 s3, 0
	s_lshl_b64 s[20:21], s[2:3], 8
	v_or_b32_e32 v2, s20, v0
	v_mov_b32_e32 v3, s21
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s2, s14, s12
	s_subb_u32 s3, s15, s13
	v_cmp_gt_u64_e32 vcc, s[2:3], v[2:3]
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_46
	s_load_dwordx2 s[22:23], s[0:1], 0x0
	s_load_dwordx2 s[24:25], s[0:1], 0x18
	v_lshl_add_u64 v[16:17], s[12:13], 0, v[2:3]
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v1, v12
	s_waitcnt lgkmcnt(0)
	s_load_dwordx4 s[8:11], s[22:23], 0x0
	s_lshl_b64 s[18:19], s[24:25], 8
	s_load_dwordx8 s[0:7], s[22:23], 0x18
	s_mov_b64 s[16:17], 0
	v_mov_b32_e32 v13, 1
	s_waitcnt lgkmcnt(0)
	s_add_u32 s12, s10, s12
	s_addc_u32 s13, s11, s13
	s_add_u32 s12, s12, s20
	s_addc_u32 s13, s13, s21
	v_lshl_add_u64 v[0:1], s[12:13], 0, v[0:1]
	s_lshl_b64 s[20:21], s[24:25], 10
	v_lshlrev_b64 v[14:15], 2, v[0:1]
	s_mov_b64 s[22:23], 0x100000
	v_mov_b32_e32 v2, 5
	s_movk_i32 s33, 0x64
	v_mov_b32_e32 v20, 6
	v_mov_b32_e32 v21, 2
	v_mov_b32_e32 v22, 7
	s_branch .LBB0_7
.LBB0_2:
	s_or_b64 exec, exec, s[44:45]
	s_xor_b64 s[44:45], exec, -1
	s_orn2_b64 s[42:43], s[42:43], exec
.LBB0_3:
	s_or_b64 exec, exec, s[40:41]
	v_mov_b32_e32 v23, v13
	v_mov_b64_e32 v[6:7], s[2:3]
	s_orn2_b64 s[40:41], s[44:45], exec
	s_orn2_b64 s[42:43], s[42:43], exec
	v_mov_b64_e32 v[8:9], v[22:23]
	v_mov_b64_e32 v[10:11], v[4:5]
.LBB0_4:
	s_or_b64 exec, exec, s[38:39]
	s_xor_b64 s[44:45], exec, -1
	s_and_b64 s[40:41], s[40:41], exec
	s_orn2_b64 s[38:39], s[42:43], exec
.LBB0_5:
	s_or_b64 exec, exec, s[36:37]
	s_andn2_b64 s[30:31], s[30:31], exec
	s_and_b64 s[36:37], s[44:45], exec
	s_or_b64 s[30:31], s[30:31], s[36:37]
	s_andn2_b64 s[28:29], s[28:29], exec
	s_and_b64 s[36:37], s[40:41], exec
	s_or_b64 s[28:29], s[28:29], s[36:37]
	s_andn2_b64 s[26:27], s[26:27], exec
	s_and_b64 s[36:37], s[38:39], exec
	s_or_b64 s[26:27], s[26:27], s[36:37]
.LBB0_6:
	s_or_b64 exec, exec, s[34:35]
	s_and_b64 s[34:35], exec, s[26:27]
	s_or_b64 s[16:17], s[34:35], s[16:17]
	s_andn2_b64 s[12:13], s[12:13], exec
	s_and_b64 s[34:35], s[30:31], exec
	s_or_b64 s[12:13], s[12:13], s[34:35]
	s_andn2_b64 s[24:25], s[24:25], exec
	s_and_b64 s[34:35], s[28:29], exec
	s_or_b64 s[24:25], s[24:25], s[34:35]
	s_andn2_b64 exec, exec, s[16:17]
	s_cbranch_execz .LBB0_22
.LBB0_7:
	v_mov_b64_e32 v[0:1], v[16:17]
	v_lshl_add_u64 v[4:5], v[0:1], 0, s[10:11]
	v_cmp_gt_u64_e32 vcc, s[6:7], v[4:5]
	v_mov_b64_e32 v[6:7], s[6:7]
	s_andn2_b64 s[30:31], s[30:31], exec
	s_or_b64 s[28:29], s[28:29], exec
	s_or_b64 s[26:27], s[26:27], exec
	v_mov_b64_e32 v[8:9], v[12:13]
	v_mov_b64_e32 v[10:11], v[4:5]
	s_and_saveexec_b64 s[34:35], vcc
	s_cbranch_execz .LBB0_6
	v_lshl_add_u64 v[6:7], s[4:5], 0, v[14:15]
	global_load_dword v18, v[6:7], off
	s_mov_b64 s[40:41], 0
	s_mov_b64 s[38:39], -1
	s_mov_b64 s[44:45], -1
	s_waitcnt vmcnt(0)
	v_cmp_ne_u32_e32 vcc, 7, v18
	s_and_saveexec_b64 s[36:37], vcc
	s_cbranch_execz .LBB0_5
	v_cmp_gt_i32_e32 vcc, 0, v18
	s_and_saveexec_b64 s[38:39], vcc
	s_cbranch_execz .LBB0_18
	s_mov_b64 s[42:43], exec
	v_mbcnt_lo_u32_b32 v3, s42, 0
	v_mbcnt_hi_u32_b32 v3, s43, v3
	v_cmp_eq_u32_e32 vcc, 0, v3
	s_and_saveexec_b64 s[40:41], vcc
	s_cbranch_execz .LBB0_12
	s_bcnt1_i32_b64 s42, s[42:43]
	s_mul_i32 s42, s42, 3
	v_mov_b32_e32 v6, s42
	v_mov_b32_e32 v7, v12
	global_atomic_add_x2 v[6:7], v12, v[6:7], s[8:9] offset:16 sc0
.LBB0_12:
	s_or_b64 exec, exec, s[40:41]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s40, v7
	v_readfirstlane_b32 s41, v6
	s_nop 0
	v_mov_b32_e32 v7, s40
	v_mov_b32_e32 v6, s41
	v_mad_u64_u32 v[6:7], s[40:41], v3, 3, v[6:7]
	v_lshl_add_u64 v[8:9], v[6:7], 0, 3
	v_cmp_lt_u64_e32 vcc, s[22:23], v[8:9]
	s_and_saveexec_b64 s[40:41], vcc
	s_xor_b64 s[40:41], exec, s[40:41]
	s_cbranch_execz .LBB0_16
	s_mov_b64 s[44:45], exec
	v_mbcnt_lo_u32_b32 v3, s44, 0
	v_mbcnt_hi_u32_b32 v3, s45, v3
	v_cmp_eq_u32_e32 vcc, 0, v3
	s_and_saveexec_b64 s[42:43], vcc
	s_cbranch_execz .LBB0_15
	s_bcnt1_i32_b64 s44, s[44:45]
	v_mov_b32_e32 v6, s44
	v_mov_b32_e32 v7, v12
	global_atomic_add_x2 v12, v[6:7], s[8:9] offset:24
.LBB0_15:
	s_or_b64 exec, exec, s[42:43]
.LBB0_16:
	s_andn2_saveexec_b64 s[40:41], s[40:41]
	s_cbranch_execz .LBB0_18
	v_lshl_add_u64 v[6:7], v[6:7], 3, s[8:9]
	v_add_co_u32_e32 v6, vcc, 0xe000, v6
	v_mov_b32_e32 v3, v13
	s_nop 0
	v_addc_co_u32_e32 v7, vcc, 0, v7, vcc
	v_mov_b32_e32 v19, v12
	global_store_dwordx4 v[6:7], v[0:3], off offset:32
	global_store_dwordx2 v[6:7], v[18:19], off offset:48
.LBB0_18:
	s_or_b64 exec, exec, s[38:39]
	v_cmp_ne_u32_e32 vcc, 0, v18
	s_mov_b64 s[42:43], -1
	v_mov_b64_e32 v[6:7], 0
	v_mov_b64_e32 v[10:11], 0
	s_mov_b64 s[40:41], -1
	v_mov_b64_e32 v[8:9], v[20:21]
	s_and_saveexec_b64 s[38:39], vcc
	s_cbranch_execz .LBB0_4
	v_cmp_gt_u64_e32 vcc, s[2:3], v[4:5]
	s_mov_b64 s[44:45], -1
	s_and_saveexec_b64 s[40:41], vcc
	s_xor_b64 s[40:41], exec, s[40:41]
	s_cbranch_execz .LBB0_3
	v_sub_u32_e32 v3, 0, v18
	v_max_i32_e32 v3, v3, v18
	v_cvt_f32_u32_e32 v6, v3
	v_sub_u32_e32 v11, 0, v3
	v_ashrrev_i32_e32 v8, 31, v18
	v_mov_b32_e32 v10, s15
	v_rcp_iflag_f32_e32 v6, v6
	s_nop 0
	v_mul_f32_e32 v6, 0x4f7ffffe, v6
	v_cvt_u32_f32_e32 v9, v6
	v_lshl_add_u64 v[6:7], s[0:1], 0, v[14:15]
	v_mul_lo_u32 v11, v11, v9
	v_mul_hi_u32 v11, v9, v11
	v_add_u32_e32 v9, v9, v11
	v_mul_hi_u32 v9, v9, s33
	v_mul_lo_u32 v11, v9, v3
	v_sub_u32_e32 v11, 0x64, v11
	v_add_u32_e32 v16, 1, v9
	v_cmp_ge_u32_e32 vcc, v11, v3
	s_nop 1
	v_cndmask_b32_e32 v9, v9, v16, vcc
	v_sub_u32_e32 v16, v11, v3
	v_cndmask_b32_e32 v11, v11, v16, vcc
	v_add_u32_e32 v16, 1, v9
	v_cmp_ge_u32_e32 vcc, v11, v3
	s_nop 1
	v_cndmask_b32_e32 v3, v9, v16, vcc
	v_xor_b32_e32 v3, v3, v8
	v_sub_u32_e32 v3, v3, v8
	global_store_dword v[6:7], v3, off
	v_sub_co_u32_e32 v6, vcc, s14, v0
	s_nop 1
	v_subb_co_u32_e32 v7, vcc, v10, v1, vcc
	v_cmp_lt_u64_e32 vcc, s[18:19], v[6:7]
	s_and_saveexec_b64 s[44:45], vcc
	s_cbranch_execz .LBB0_2
	global_load_dwordx2 v[6:7], v12, s[8:9] sc1
	v_lshl_add_u64 v[16:17], v[0:1], 0, s[18:19]
	v_lshl_add_u64 v[14:15], v[14:15], 0, s[20:21]
	s_waitcnt vmcnt(0)
	v_cmp_gt_u64_e32 vcc, v[16:17], v[6:7]
	s_orn2_b64 s[42:43], vcc, exec
	s_branch .LBB0_2
.LBB0_22:
	s_or_b64 exec, exec, s[16:17]
	s_xor_b64 s[2:3], s[24:25], -1
	s_mov_b64 s[0:1], 0
	s_and_saveexec_b64 s[4:5], s[2:3]
	s_xor_b64 s[2:3], exec, s[4:5]
	s_cbranch_execz .LBB0_34
	s_mov_b64 s[4:5], 0
	s_and_saveexec_b64 s[0:1], s[12:13]
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_33
	s_mov_b64 s[6:7], exec
	s_mov_b64 s[4:5], -1
.LBB0_25:
	s_ff1_i32_b64 s12, s[6:7]
	v_readlane_b32 s13, v1, s12
	v_readlane_b32 s14, v0, s12
	s_mov_b32 m0, s12
	v_mov_b32_e32 v13, s13
	v_mov_b32_e32 v12, s14
	v_cmp_lt_u64_e32 vcc, s[4:5], v[12:13]
	s_and_b64 s[10:11], vcc, exec
	v_writelane_b32 v3, s5, m0
	v_writelane_b32 v2, s4, m0
	s_cselect_b32 s5, s5, s13
	s_cselect_b32 s4, s4, s14
	s_lshl_b64 s[10:11], 1, s12
	s_andn2_b64 s[6:7], s[6:7], s[10:11]
	s_cbranch_scc1 .LBB0_25
	v_mbcnt_lo_u32_b32 v12, exec_lo, 0
	v_mbcnt_hi_u32_b32 v12, exec_hi, v12
	v_cmp_eq_u32_e32 vcc, 0, v12
	s_and_saveexec_b64 s[6:7], vcc
	s_xor_b64 s[6:7], exec, s[6:7]
	s_cbranch_execz .LBB0_28
	v_mov_b32_e32 v14, 0
	v_mov_b64_e32 v[12:13], s[4:5]
	global_atomic_umin_x2 v[12:13], v14, v[12:13], s[8:9] sc0
.LBB0_28:
	s_or_b64 exec, exec, s[6:7]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s5, v13
	v_readfirstlane_b32 s4, v12
	s_mov_b64 s[6:7], 0
	v_mov_b32_e32 v12, s5
	v_cmp_lt_u64_e32 vcc, s[4:5], v[2:3]
	s_nop 1
	v_cndmask_b32_e32 v3, v3, v12, vcc
	v_mov_b32_e32 v12, s4
	v_cndmask_b32_e32 v2, v2, v12, vcc
	v_cmp_gt_u64_e32 vcc, v[2:3], v[0:1]
	s_and_saveexec_b64 s[4:5], vcc
	s_cbranch_execz .LBB0_32
	s_mov_b64 s[10:11], exec
	v_mbcnt_lo_u32_b32 v2, s10, 0
	v_mbcnt_hi_u32_b32 v12, s11, v2
	v_cmp_eq_u32_e32 vcc, 0, v12
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_31
	s_bcnt1_i32_b64 s10, s[10:11]
	v_mov_b32_e32 v2, s10
	v_mov_b32_e32 v3, 0
	global_atomic_add_x2 v[2:3], v3, v[2:3], s[8:9] offset:8 sc0
.LBB0_31:
	s_or_b64 exec, exec, s[6:7]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s10, v2
	s_mov_b64 s[6:7], exec
	s_nop 0
	v_add_u32_e32 v2, s10, v12
	v_and_b32_e32 v2, 0x3ff, v2
	v_mad_u64_u32 v[2:3], s[10:11], v2, 56, s[8:9]
	s_mov_b32 s10, 1
	v_lshl_add_u64 v[12:13], v[0:1], 0, v[4:5]
	s_mov_b32 s11, 9
	v_lshl_add_u64 v[12:13], v[12:13], 0, s[10:11]
	global_store_dwordx2 v[2:3], v[0:1], off offset:32 sc1
.LBB0_32:
	s_or_b64 exec, exec, s[4:5]
	s_and_b64 s[4:5], s[6:7], exec
.LBB0_33:
	s_or_b64 exec, exec, s[0:1]
	s_and_b64 s[0:1], s[4:5], exec
.LBB0_34:
	s_or_saveexec_b64 s[2:3], s[2:3]
	v_mov_b32_e32 v16, 1
	v_mov_b32_e32 v17, 9
	v_mov_b64_e32 v[14:15], 0
	v_mov_b64_e32 v[18:19], 0
	s_xor_b64 exec, exec, s[2:3]
	s_cbranch_execz .LBB0_44
	s_mov_b64 s[6:7], exec
	s_mov_b64 s[4:5], -1
.LBB0_36:
	s_ff1_i32_b64 s12, s[6:7]
	v_readlane_b32 s13, v1, s12
	v_readlane_b32 s14, v0, s12
	s_mov_b32 m0, s12
	v_mov_b32_e32 v5, s13
	v_mov_b32_e32 v4, s14
	v_cmp_lt_u64_e32 vcc, s[4:5], v[4:5]
	s_and_b64 s[10:11], vcc, exec
	v_writelane_b32 v3, s5, m0
	v_writelane_b32 v2, s4, m0
	s_cselect_b32 s5, s5, s13
	s_cselect_b32 s4, s4, s14
	s_lshl_b64 s[10:11], 1, s12
	s_andn2_b64 s[6:7], s[6:7], s[10:11]
	s_cbranch_scc1 .LBB0_36
	v_mbcnt_lo_u32_b32 v4, exec_lo, 0
	v_mbcnt_hi_u32_b32 v4, exec_hi, v4
	v_cmp_eq_u32_e32 vcc, 0, v4
	s_and_saveexec_b64 s[6:7], vcc
	s_xor_b64 s[6:7], exec, s[6:7]
	s_cbranch_execz .LBB0_39
	v_mov_b32_e32 v12, 0
	v_mov_b64_e32 v[4:5], s[4:5]
	global_atomic_umin_x2 v[4:5], v12, v[4:5], s[8:9] sc0
.LBB0_39:
	s_or_b64 exec, exec, s[6:7]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s5, v5
	v_readfirstlane_b32 s4, v4
	s_mov_b64 s[6:7], s[0:1]
	v_mov_b32_e32 v4, s5
	v_cmp_lt_u64_e32 vcc, s[4:5], v[2:3]
	s_nop 1
	v_cndmask_b32_e32 v3, v3, v4, vcc
	v_mov_b32_e32 v4, s4
	v_cndmask_b32_e32 v2, v2, v4, vcc
	v_cmp_gt_u64_e32 vcc, v[2:3], v[0:1]
	s_and_saveexec_b64 s[4:5], vcc
	s_cbranch_execz .LBB0_43
	s_mov_b64 s[10:11], exec
	v_mbcnt_lo_u32_b32 v2, s10, 0
	v_mbcnt_hi_u32_b32 v4, s11, v2
	v_cmp_eq_u32_e32 vcc, 0, v4
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_42
	s_bcnt1_i32_b64 s10, s[10:11]
	v_mov_b32_e32 v2, s10
	v_mov_b32_e32 v3, 0
	global_atomic_add_x2 v[2:3], v3, v[2:3], s[8:9] offset:8 sc0
.LBB0_42:
	s_or_b64 exec, exec, s[6:7]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s6, v2
	s_nop 1
	v_add_u32_e32 v2, s6, v4
	v_and_b32_e32 v2, 0x3ff, v2
	v_lshl_add_u64 v[4:5], v[8:9], 0, v[0:1]
	v_mad_u64_u32 v[2:3], s[6:7], v2, 56, s[8:9]
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[6:7]
	v_lshl_add_u64 v[12:13], v[4:5], 0, v[10:11]
	s_or_b64 s[6:7], s[0:1], exec
	global_store_dwordx2 v[2:3], v[0:1], off offset:32 sc1
.LBB0_43:
	s_or_b64 exec, exec, s[4:5]
	s_andn2_b64 s[0:1], s[0:1], exec
	s_and_b64 s[4:5], s[6:7], exec
	v_mov_b64_e32 v[4:5], 0
	s_or_b64 s[0:1], s[0:1], s[4:5]
	v_mov_b64_e32 v[14:15], v[10:11]
	v_mov_b64_e32 v[18:19], v[6:7]
	v_mov_b64_e32 v[16:17], v[8:9]
.LBB0_44:
	s_or_b64 exec, exec, s[2:3]
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_xor_b64 s[2:3], exec, s[2:3]
	s_cbranch_execz .LBB0_46
	v_mov_b64_e32 v[0:1], 0
	global_store_dwordx2 v[2:3], v[16:17], off offset:40 sc1
	global_store_dwordx2 v[2:3], v[12:13], off offset:48 sc1
	global_store_dwordx2 v[2:3], v[4:5], off offset:56 sc1
	global_store_dwordx2 v[2:3], v[18:19], off offset:64 sc1
	global_store_dwordx2 v[2:3], v[14:15], off offset:72 sc1
	global_store_dwordx2 v[2:3], v[0:1], off offset:80 sc1
.LBB0_46:
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
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 46
		.amdhsa_accum_offset 24
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

	.set qd__run.num_vgpr, 24
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 46
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
	s_load_dwordx2 s[0:1], s[0:1], 0x0
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_load_dwordx2 s[2:3], s[0:1], 0x20
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v3, s3
	global_store_dwordx4 v0, v[0:3], s[0:1] offset:8
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
		.amdhsa_next_free_sgpr 4
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
	.set qd__bounds.numbered_sgpr, 4
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
    .max_flat_workgroup_size: 256
    .name:           qd__run
    .private_segment_fixed_size: 0
    .sgpr_count:     52
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     24
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
    .sgpr_count:     10
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
