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
	s_mov_b32 s5, s3
	v_mov_b32_e32 v3, s3
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s26, s26, s24
	s_subb_u32 s27, s27, s25
	s_and_b32 s4, s26, 0x3ff
	s_lshr_b64 s[6:7], s[26:27], 10
	s_cmp_lg_u64 s[4:5], 0
	s_cselect_b64 s[4:5], -1, 0
	v_cndmask_b32_e64 v2, 0, 1, s[4:5]
	v_lshl_add_u64 v[16:17], s[6:7], 0, v[2:3]
	s_lshl_b64 s[28:29], s[2:3], 3
	v_cmp_ge_u64_e32 vcc, s[28:29], v[16:17]
	s_cbranch_vccnz .LBB0_39
	s_load_dwordx2 s[30:31], s[0:1], 0x0
	s_load_dwordx4 s[20:23], s[0:1], 0x18
	s_lshl_b64 s[12:13], s[2:3], 13
	v_lshrrev_b32_e32 v18, 5, v0
	v_mov_b32_e32 v21, 0
	v_and_b32_e32 v22, 31, v0
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[36:37], s[20:21], 3
	s_add_u32 s14, s24, s12
	v_mul_u32_u24_e32 v38, 24, v0
	v_mul_u32_u24_e32 v1, 3, v0
	v_and_b32_e32 v0, 0xe0, v0
	s_addc_u32 s15, s25, s13
	v_lshlrev_b32_e32 v20, 10, v18
	v_mov_b32_e32 v23, v21
	s_load_dwordx2 s[34:35], s[30:31], 0x0
	v_lshl_or_b32 v39, v1, 3, 24
	v_mul_u32_u24_e32 v40, 24, v0
	v_lshl_add_u64 v[0:1], s[14:15], 0, v[20:21]
	v_sub_co_u32_e32 v26, vcc, 0, v22
	v_lshl_add_u64 v[24:25], v[0:1], 0, v[22:23]
	s_nop 0
	v_subb_co_u32_e64 v27, s[14:15], 0, 0, vcc
	v_mov_b32_e32 v0, s27
	v_sub_co_u32_e32 v1, vcc, s26, v20
	v_mov_b32_e32 v2, s13
	s_nop 0
	v_subbrev_co_u32_e32 v0, vcc, 0, v0, vcc
	v_subrev_co_u32_e32 v28, vcc, s12, v1
	s_movk_i32 s44, 0xffe0
	v_mov_b32_e32 v32, 1
	v_mov_b32_e32 v19, v21
	v_cmp_gt_u32_e64 s[0:1], 16, v22
	v_cmp_gt_u32_e64 s[4:5], 8, v22
	v_cmp_gt_u32_e64 s[6:7], 4, v22
	v_cmp_gt_u32_e64 s[8:9], 2, v22
	v_cmp_eq_u32_e64 s[10:11], 0, v22
	s_lshl_b64 s[38:39], s[20:21], 13
	v_subb_co_u32_e32 v29, vcc, v0, v2, vcc
	s_mov_b64 s[40:41], 0x400
	s_mov_b64 s[42:43], 0x100
	s_mov_b32 s45, -1
	v_mov_b64_e32 v[30:31], 0
	v_mov_b32_e32 v23, 0x400
	v_mov_b32_e32 v42, v21
	v_mov_b32_e32 v43, v32
	v_mov_b32_e32 v44, v21
	v_mov_b32_e32 v45, v21
	s_branch .LBB0_3
.LBB0_2:
	s_or_b64 exec, exec, s[12:13]
	s_add_u32 s28, s28, s36
	v_mov_b32_e32 v0, s39
	v_subrev_co_u32_e32 v28, vcc, s38, v28
	s_addc_u32 s29, s29, s37
	s_nop 0
	v_subb_co_u32_e32 v29, vcc, v29, v0, vcc
	v_cmp_ge_u64_e32 vcc, s[28:29], v[16:17]
	v_lshl_add_u64 v[24:25], v[24:25], 0, s[38:39]
	s_barrier
	s_cbranch_vccnz .LBB0_39
.LBB0_3:
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[6:7], v21, s[34:35] sc1
	v_lshl_add_u64 v[34:35], s[28:29], 0, v[18:19]
	v_lshlrev_b64 v[4:5], 10, v[34:35]
	v_or_b32_e32 v4, v4, v22
	v_cmp_lt_u64_e32 vcc, v[34:35], v[16:17]
	v_cmp_gt_u64_e64 s[12:13], s[26:27], v[4:5]
	v_lshl_add_u64 v[4:5], v[4:5], 0, s[24:25]
	s_and_b64 s[14:15], s[12:13], vcc
	s_mov_b64 s[46:47], 0
	v_mov_b64_e32 v[2:3], 0
	v_mov_b64_e32 v[0:1], 0
	s_waitcnt vmcnt(0)
	v_cmp_le_u64_e64 s[12:13], v[4:5], v[6:7]
	s_and_b64 s[12:13], s[14:15], s[12:13]
	v_mov_b64_e32 v[6:7], 0
	s_and_saveexec_b64 s[20:21], s[12:13]
	s_cbranch_execz .LBB0_20
	s_load_dwordx2 s[46:47], s[30:31], 0x8
	s_load_dwordx4 s[16:19], s[30:31], 0x18
	s_mov_b64 s[50:51], -1
	s_mov_b64 s[14:15], 0
	v_mov_b64_e32 v[6:7], 0
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[8:9], v[4:5], 0, s[46:47]
	v_cmp_gt_u64_e64 s[12:13], s[18:19], v[8:9]
	v_mov_b64_e32 v[0:1], 0
	v_mov_b64_e32 v[2:3], 0
	s_and_saveexec_b64 s[48:49], s[12:13]
	s_cbranch_execz .LBB0_10
	s_load_dwordx2 s[50:51], s[30:31], 0x28
	v_cmp_gt_u64_e64 s[12:13], s[40:41], v[28:29]
	v_mov_b32_e32 v0, s16
	v_mov_b32_e32 v1, s17
	v_cndmask_b32_e64 v3, 0, v29, s[12:13]
	v_cndmask_b32_e64 v2, v23, v28, s[12:13]
	v_lshl_add_u64 v[10:11], v[26:27], 0, v[2:3]
	v_lshl_add_u64 v[2:3], s[46:47], 0, v[24:25]
	v_lshl_add_u64 v[12:13], v[2:3], 3, v[0:1]
	v_mov_b64_e32 v[6:7], 0
	s_mov_b64 s[56:57], 0
	s_mov_b64 s[54:55], 0
	v_mov_b64_e32 v[0:1], 0
	v_mov_b64_e32 v[2:3], 0
	s_branch .LBB0_7
.LBB0_6:
	s_or_b64 exec, exec, s[64:65]
	s_xor_b64 s[14:15], s[56:57], -1
	s_or_b64 s[14:15], s[62:63], s[14:15]
	v_lshl_add_u64 v[46:47], s[46:47], 0, v[4:5]
	v_and_b32_e32 v20, 0x7fffffff, v37
	s_or_b64 s[62:63], s[56:57], s[12:13]
	s_and_b64 s[12:13], s[12:13], s[14:15]
	v_cndmask_b32_e64 v7, v7, v5, s[12:13]
	v_cndmask_b32_e64 v6, v6, v4, s[12:13]
	v_cndmask_b32_e64 v1, v1, v20, s[12:13]
	v_cndmask_b32_e64 v0, v0, v36, s[12:13]
	v_cndmask_b32_e64 v3, v3, v47, s[12:13]
	v_cndmask_b32_e64 v2, v2, v46, s[12:13]
	s_xor_b64 s[12:13], s[58:59], -1
	s_and_b64 s[14:15], exec, s[60:61]
	s_or_b64 s[54:55], s[14:15], s[54:55]
	s_andn2_b64 s[14:15], s[56:57], exec
	s_and_b64 s[62:63], s[62:63], exec
	s_or_b64 s[56:57], s[14:15], s[62:63]
	s_andn2_b64 s[14:15], s[16:17], exec
	s_and_b64 s[12:13], s[12:13], exec
	s_or_b64 s[16:17], s[14:15], s[12:13]
	s_andn2_b64 s[12:13], s[52:53], exec
	v_mov_b64_e32 v[4:5], v[14:15]
	s_or_b64 s[52:53], s[12:13], s[62:63]
	s_andn2_b64 exec, exec, s[54:55]
	s_cbranch_execz .LBB0_9
.LBB0_7:
	global_load_dwordx2 v[8:9], v[12:13], off
	v_cmp_lt_u64_e64 s[14:15], 32, v[10:11]
	s_or_b64 s[58:59], s[58:59], exec
	s_or_b64 s[60:61], s[60:61], exec
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_f64 v[36:37], v[8:9], -s[50:51]
	v_cmp_lt_f64_e64 s[62:63], |v[36:37]|, v[0:1]
	v_cmp_o_f64_e64 s[12:13], v[36:37], v[36:37]
	s_and_saveexec_b64 s[64:65], s[14:15]
	s_cbranch_execz .LBB0_6
	v_lshl_add_u64 v[14:15], v[4:5], 0, 32
	v_lshl_add_u64 v[8:9], s[46:47], 0, v[14:15]
	v_cmp_le_u64_e64 s[14:15], s[18:19], v[8:9]
	s_andn2_b64 s[60:61], s[60:61], exec
	s_and_b64 s[14:15], s[14:15], exec
	v_lshl_add_u64 v[12:13], v[12:13], 0, s[42:43]
	v_lshl_add_u64 v[10:11], v[10:11], 0, s[44:45]
	s_andn2_b64 s[58:59], s[58:59], exec
	s_or_b64 s[60:61], s[60:61], s[14:15]
	s_branch .LBB0_6
.LBB0_9:
	s_or_b64 exec, exec, s[54:55]
	s_and_b64 s[14:15], s[52:53], exec
	s_orn2_b64 s[50:51], s[16:17], exec
.LBB0_10:
	s_or_b64 exec, exec, s[48:49]
	s_and_saveexec_b64 s[16:17], s[50:51]
	s_cbranch_execz .LBB0_19
	s_mov_b64 s[48:49], exec
	s_mov_b64 s[46:47], -1
.LBB0_12:
	s_ff1_i32_b64 s2, s[48:49]
	v_readlane_b32 s33, v5, s2
	v_readlane_b32 s50, v4, s2
	s_mov_b32 m0, s2
	v_mov_b32_e32 v13, s33
	v_mov_b32_e32 v12, s50
	v_cmp_lt_u64_e64 s[12:13], s[46:47], v[12:13]
	s_and_b64 s[12:13], s[12:13], exec
	v_writelane_b32 v11, s47, m0
	v_writelane_b32 v10, s46, m0
	s_cselect_b32 s47, s47, s33
	s_cselect_b32 s46, s46, s50
	s_lshl_b64 s[12:13], 1, s2
	s_andn2_b64 s[48:49], s[48:49], s[12:13]
	s_cbranch_scc1 .LBB0_12
	v_mbcnt_lo_u32_b32 v12, exec_lo, 0
	v_mbcnt_hi_u32_b32 v12, exec_hi, v12
	v_cmp_eq_u32_e64 s[12:13], 0, v12
	s_and_saveexec_b64 s[48:49], s[12:13]
	s_xor_b64 s[12:13], exec, s[48:49]
	s_cbranch_execz .LBB0_15
	v_mov_b64_e32 v[12:13], s[46:47]
	global_atomic_umin_x2 v[12:13], v21, v[12:13], s[34:35] sc0
.LBB0_15:
	s_or_b64 exec, exec, s[12:13]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s47, v13
	v_readfirstlane_b32 s46, v12
	s_nop 0
	v_mov_b32_e32 v12, s47
	v_cmp_lt_u64_e64 s[12:13], s[46:47], v[10:11]
	s_nop 1
	v_cndmask_b32_e64 v11, v11, v12, s[12:13]
	v_mov_b32_e32 v12, s46
	v_cndmask_b32_e64 v10, v10, v12, s[12:13]
	v_cmp_gt_u64_e64 s[12:13], v[10:11], v[4:5]
	s_and_b64 exec, exec, s[12:13]
	s_cbranch_execz .LBB0_19
	s_mov_b64 s[48:49], exec
	v_mbcnt_lo_u32_b32 v10, s48, 0
	v_mbcnt_hi_u32_b32 v12, s49, v10
	v_cmp_eq_u32_e64 s[12:13], 0, v12
	s_and_saveexec_b64 s[46:47], s[12:13]
	s_cbranch_execz .LBB0_18
	s_bcnt1_i32_b64 s2, s[48:49]
	v_mov_b32_e32 v20, s2
	global_atomic_add_x2 v[10:11], v21, v[20:21], s[34:35] offset:8 sc0
.LBB0_18:
	s_or_b64 exec, exec, s[46:47]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s2, v10
	s_nop 1
	v_add_u32_e32 v10, s2, v12
	v_and_b32_e32 v10, 0x3ff, v10
	v_mad_u64_u32 v[10:11], s[12:13], v10, 56, s[34:35]
	s_add_i32 s13, s19, 1
	s_mov_b32 s12, s18
	v_lshl_add_u64 v[12:13], s[12:13], 0, v[4:5]
	v_lshl_add_u64 v[12:13], v[12:13], 0, v[8:9]
	global_store_dwordx2 v[10:11], v[4:5], off offset:32 sc1
	global_store_dwordx2 v[10:11], v[42:43], off offset:40 sc1
	global_store_dwordx2 v[10:11], v[12:13], off offset:48 sc1
	global_store_dwordx2 v[10:11], v[30:31], off offset:56 sc1
	v_mov_b64_e32 v[4:5], s[18:19]
	global_store_dwordx2 v[10:11], v[4:5], off offset:64 sc1
	global_store_dwordx2 v[10:11], v[8:9], off offset:72 sc1
	global_store_dwordx2 v[10:11], v[30:31], off offset:80 sc1
.LBB0_19:
	s_or_b64 exec, exec, s[16:17]
	s_and_b64 s[46:47], s[14:15], exec
.LBB0_20:
	s_or_b64 exec, exec, s[20:21]
	v_cndmask_b32_e64 v4, 0, 1, s[46:47]
	v_mov_b32_e32 v5, s3
	ds_write2_b64 v38, v[4:5], v[6:7] offset1:1
	ds_write_b64 v38, v[0:1] offset:16
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[48:49], s[0:1]
	s_cbranch_execz .LBB0_23
	ds_read2_b64 v[46:49], v38 offset1:1
	ds_read2_b64 v[12:15], v38 offset0:48 offset1:49
	ds_read2_b64 v[8:11], v38 offset0:2 offset1:50
	s_waitcnt lgkmcnt(2)
	v_cmp_eq_u64_e64 s[12:13], 0, v[46:47]
	s_waitcnt lgkmcnt(1)
	v_cmp_lt_u64_e64 s[20:21], v[14:15], v[48:49]
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_f64_e64 s[18:19], v[8:9], v[10:11]
	v_cmp_gt_f64_e64 s[16:17], v[8:9], v[10:11]
	s_and_b64 s[18:19], s[20:21], s[18:19]
	s_or_b64 s[16:17], s[16:17], s[18:19]
	v_cmp_ne_u64_e64 s[14:15], 0, v[12:13]
	s_or_b64 s[12:13], s[12:13], s[16:17]
	s_and_b64 s[12:13], s[14:15], s[12:13]
	s_and_b64 exec, exec, s[12:13]
	s_cbranch_execz .LBB0_23
	v_mov_b32_e32 v33, v21
	v_mov_b32_e32 v8, v14
	v_mov_b32_e32 v9, v15
	ds_write2_b64 v38, v[32:33], v[8:9] offset1:1
	ds_write_b64 v38, v[10:11] offset:16
.LBB0_23:
	s_or_b64 exec, exec, s[48:49]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[48:49], s[4:5]
	s_cbranch_execz .LBB0_26
	ds_read2_b64 v[46:49], v38 offset1:1
	ds_read2_b64 v[12:15], v38 offset0:24 offset1:25
	ds_read2_b64 v[8:11], v38 offset0:2 offset1:26
	s_waitcnt lgkmcnt(2)
	v_cmp_eq_u64_e64 s[12:13], 0, v[46:47]
	s_waitcnt lgkmcnt(1)
	v_cmp_lt_u64_e64 s[20:21], v[14:15], v[48:49]
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_f64_e64 s[18:19], v[8:9], v[10:11]
	v_cmp_gt_f64_e64 s[16:17], v[8:9], v[10:11]
	s_and_b64 s[18:19], s[20:21], s[18:19]
	s_or_b64 s[16:17], s[16:17], s[18:19]
	v_cmp_ne_u64_e64 s[14:15], 0, v[12:13]
	s_or_b64 s[12:13], s[12:13], s[16:17]
	s_and_b64 s[12:13], s[14:15], s[12:13]
	s_and_b64 exec, exec, s[12:13]
	s_cbranch_execz .LBB0_26
	v_mov_b32_e32 v33, v21
	v_mov_b32_e32 v8, v14
	v_mov_b32_e32 v9, v15
	ds_write2_b64 v38, v[32:33], v[8:9] offset1:1
	ds_write_b64 v38, v[10:11] offset:16
.LBB0_26:
	s_or_b64 exec, exec, s[48:49]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[48:49], s[6:7]
	s_cbranch_execz .LBB0_29
	ds_read2_b64 v[46:49], v38 offset1:1
	ds_read2_b64 v[12:15], v38 offset0:12 offset1:13
	ds_read2_b64 v[8:11], v38 offset0:2 offset1:14
	s_waitcnt lgkmcnt(2)
	v_cmp_eq_u64_e64 s[12:13], 0, v[46:47]
	s_waitcnt lgkmcnt(1)
	v_cmp_lt_u64_e64 s[20:21], v[14:15], v[48:49]
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_f64_e64 s[18:19], v[8:9], v[10:11]
	v_cmp_gt_f64_e64 s[16:17], v[8:9], v[10:11]
	s_and_b64 s[18:19], s[20:21], s[18:19]
	s_or_b64 s[16:17], s[16:17], s[18:19]
	v_cmp_ne_u64_e64 s[14:15], 0, v[12:13]
	s_or_b64 s[12:13], s[12:13], s[16:17]
	s_and_b64 s[12:13], s[14:15], s[12:13]
	s_and_b64 exec, exec, s[12:13]
	s_cbranch_execz .LBB0_29
	v_mov_b32_e32 v33, v21
	v_mov_b32_e32 v8, v14
	v_mov_b32_e32 v9, v15
	ds_write2_b64 v38, v[32:33], v[8:9] offset1:1
	ds_write_b64 v38, v[10:11] offset:16
.LBB0_29:
	s_or_b64 exec, exec, s[48:49]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[48:49], s[8:9]
	s_cbranch_execz .LBB0_32
	ds_read2_b64 v[46:49], v38 offset1:1
	ds_read2_b64 v[8:11], v38 offset0:6 offset1:7
	ds_read2_b64 v[12:15], v38 offset0:2 offset1:8
	s_waitcnt lgkmcnt(2)
	v_cmp_eq_u64_e64 s[12:13], 0, v[46:47]
	s_waitcnt lgkmcnt(1)
	v_cmp_lt_u64_e64 s[20:21], v[10:11], v[48:49]
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_f64_e64 s[18:19], v[12:13], v[14:15]
	v_cmp_gt_f64_e64 s[16:17], v[12:13], v[14:15]
	s_and_b64 s[18:19], s[20:21], s[18:19]
	s_or_b64 s[16:17], s[16:17], s[18:19]
	v_cmp_ne_u64_e64 s[14:15], 0, v[8:9]
	s_or_b64 s[12:13], s[12:13], s[16:17]
	s_and_b64 s[12:13], s[14:15], s[12:13]
	s_and_b64 exec, exec, s[12:13]
	s_cbranch_execz .LBB0_32
	v_mov_b32_e32 v33, v21
	v_mov_b32_e32 v8, v10
	v_mov_b32_e32 v9, v11
	ds_write2_b64 v38, v[32:33], v[8:9] offset1:1
	ds_write_b64 v38, v[14:15] offset:16
.LBB0_32:
	s_or_b64 exec, exec, s[48:49]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[48:49], s[10:11]
	s_cbranch_execz .LBB0_35
	ds_read2_b64 v[46:49], v38 offset1:1
	ds_read_b64 v[14:15], v38 offset:16
	ds_read2_b64 v[8:11], v39 offset1:1
	ds_read_b64 v[12:13], v39 offset:16
	s_waitcnt lgkmcnt(3)
	v_cmp_eq_u64_e64 s[12:13], 0, v[46:47]
	s_waitcnt lgkmcnt(1)
	v_cmp_lt_u64_e64 s[20:21], v[10:11], v[48:49]
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_f64_e64 s[18:19], v[14:15], v[12:13]
	v_cmp_gt_f64_e64 s[16:17], v[14:15], v[12:13]
	s_and_b64 s[18:19], s[20:21], s[18:19]
	s_or_b64 s[16:17], s[16:17], s[18:19]
	v_cmp_ne_u64_e64 s[14:15], 0, v[8:9]
	s_or_b64 s[12:13], s[12:13], s[16:17]
	s_and_b64 s[12:13], s[14:15], s[12:13]
	s_and_b64 exec, exec, s[12:13]
	s_cbranch_execz .LBB0_35
	v_mov_b32_e32 v33, v21
	v_mov_b32_e32 v8, v10
	v_mov_b32_e32 v9, v11
	ds_write2_b64 v38, v[32:33], v[8:9] offset1:1
	ds_write_b64 v38, v[12:13] offset:16
.LBB0_35:
	s_or_b64 exec, exec, s[48:49]
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2_b64 v[8:11], v40 offset1:1
	v_lshlrev_b64 v[12:13], 5, v[34:35]
	v_lshl_add_u64 v[12:13], s[22:23], 0, v[12:13]
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_u64_e64 s[12:13], v[6:7], v[10:11]
	s_and_b64 s[12:13], s[46:47], s[12:13]
	s_and_b64 s[14:15], vcc, s[12:13]
	s_and_saveexec_b64 s[12:13], s[14:15]
	s_cbranch_execz .LBB0_37
	global_store_dwordx4 v[12:13], v[4:7], off
	global_store_dwordx4 v[12:13], v[0:3], off offset:16
.LBB0_37:
	s_or_b64 exec, exec, s[12:13]
	v_or_b32_e32 v8, v8, v22
	v_cmp_eq_u64_e64 s[12:13], 0, v[8:9]
	s_and_b64 s[14:15], vcc, s[12:13]
	s_and_saveexec_b64 s[12:13], s[14:15]
	s_cbranch_execz .LBB0_2
	global_store_dwordx2 v[12:13], v[44:45], off
	s_branch .LBB0_2
.LBB0_39:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel qd__run
		.amdhsa_group_segment_fixed_size 6144
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
		.amdhsa_next_free_vgpr 50
		.amdhsa_next_free_sgpr 66
		.amdhsa_accum_offset 52
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

	.set qd__run.num_vgpr, 50
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 66
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
	.globl	qd__fold
	.p2align	8
	.type	qd__fold,@function
qd__fold:
	s_load_dwordx4 s[8:11], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[4:5], s[10:11], 9
	s_lshr_b64 s[6:7], s[10:11], 23
	s_mul_i32 s3, s6, s2
	s_mul_hi_u32 s6, s4, s2
	s_add_i32 s13, s6, s3
	s_mul_i32 s12, s4, s2
	v_mov_b64_e32 v[2:3], s[8:9]
	v_cmp_ge_u64_e32 vcc, s[12:13], v[2:3]
	s_cbranch_vccnz .LBB2_8
	s_load_dwordx2 s[2:3], s[0:1], 0x18
	s_load_dwordx2 s[14:15], s[0:1], 0x0
	v_mov_b32_e32 v19, 0
	s_lshl_b64 s[16:17], s[10:11], 1
	s_mov_b64 s[18:19], 0x100
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s0, s2, s5
	s_mul_hi_u32 s1, s2, s4
	s_mul_i32 s3, s3, s4
	s_add_i32 s0, s1, s0
	s_add_i32 s24, s0, s3
	s_mul_i32 s25, s2, s4
	v_mov_b32_e32 v1, s10
	v_mov_b32_e32 v18, 1
	v_mov_b64_e32 v[8:9], 0xff
	v_mov_b64_e32 v[10:11], s[8:9]
	s_branch .LBB2_3
.LBB2_2:
	s_add_u32 s12, s12, s25
	s_addc_u32 s13, s13, s24
	v_cmp_ge_u64_e32 vcc, s[12:13], v[10:11]
	s_cbranch_vccnz .LBB2_8
.LBB2_3:
	s_mov_b64 s[20:21], 1
	v_mov_b64_e32 v[12:13], s[12:13]
	s_branch .LBB2_5
.LBB2_4:
	s_or_b64 exec, exec, s[22:23]
	s_lshl_b64 s[0:1], s[20:21], 1
	v_cmp_gt_u64_e32 vcc, s[20:21], v[8:9]
	s_mov_b64 s[20:21], s[0:1]
	s_barrier
	s_cbranch_vccnz .LBB2_2
.LBB2_5:
	v_mad_u64_u32 v[2:3], s[0:1], s20, v0, 0
	v_mov_b32_e32 v4, v3
	v_mad_u64_u32 v[4:5], s[0:1], s21, v0, v[4:5]
	v_mov_b32_e32 v3, v4
	v_cmp_gt_u64_e32 vcc, s[18:19], v[2:3]
	v_mul_lo_u32 v5, s17, v2
	v_mul_lo_u32 v4, s16, v4
	v_mad_u64_u32 v[2:3], s[0:1], s16, v2, v[12:13]
	v_add3_u32 v3, v5, v3, v4
	v_mad_u64_u32 v[4:5], s[0:1], s20, v1, v[2:3]
	s_mul_i32 s0, s21, s10
	s_mul_i32 s1, s20, s11
	s_add_i32 s1, s1, s0
	v_add_u32_e32 v5, s1, v5
	v_cmp_gt_u64_e64 s[0:1], s[8:9], v[4:5]
	s_and_b64 s[0:1], vcc, s[0:1]
	s_and_saveexec_b64 s[22:23], s[0:1]
	s_cbranch_execz .LBB2_4
	v_lshlrev_b64 v[2:3], 5, v[2:3]
	v_lshl_add_u64 v[14:15], s[14:15], 0, v[2:3]
	v_lshlrev_b64 v[2:3], 5, v[4:5]
	v_lshl_add_u64 v[16:17], s[14:15], 0, v[2:3]
	global_load_dwordx2 v[24:25], v[14:15], off offset:16
	global_load_dwordx4 v[20:23], v[14:15], off
	global_load_dwordx4 v[4:7], v[16:17], off
	global_load_dwordx2 v[2:3], v[16:17], off offset:16
	s_waitcnt vmcnt(2)
	v_cmp_eq_u64_e32 vcc, 0, v[20:21]
	s_waitcnt vmcnt(1)
	v_cmp_lt_u64_e64 s[6:7], v[6:7], v[22:23]
	s_waitcnt vmcnt(0)
	v_cmp_eq_f64_e64 s[4:5], v[24:25], v[2:3]
	v_cmp_gt_f64_e64 s[2:3], v[24:25], v[2:3]
	s_and_b64 s[4:5], s[6:7], s[4:5]
	s_or_b64 s[2:3], s[2:3], s[4:5]
	v_cmp_ne_u64_e64 s[0:1], 0, v[4:5]
	s_or_b64 s[2:3], vcc, s[2:3]
	s_and_b64 s[0:1], s[0:1], s[2:3]
	s_and_b64 exec, exec, s[0:1]
	s_cbranch_execz .LBB2_4
	global_load_dwordx2 v[4:5], v[16:17], off offset:24
	v_mov_b32_e32 v20, v6
	v_mov_b32_e32 v21, v7
	global_store_dwordx4 v[14:15], v[18:21], off
	s_waitcnt vmcnt(1)
	global_store_dwordx4 v[14:15], v[2:5], off offset:16
	s_branch .LBB2_4
.LBB2_8:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel qd__fold
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_next_free_vgpr 26
		.amdhsa_next_free_sgpr 26
		.amdhsa_accum_offset 28
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
.Lfunc_end2:
	.size	qd__fold, .Lfunc_end2-qd__fold

	.set qd__fold.num_vgpr, 26
	.set qd__fold.num_agpr, 0
	.set qd__fold.numbered_sgpr, 26
	.set qd__fold.num_named_barrier, 0
	.set qd__fold.private_seg_size, 0
	.set qd__fold.uses_vcc, 1
	.set qd__fold.uses_flat_scratch, 0
	.set qd__fold.has_dyn_sized_stack, 0
	.set qd__fold.has_recursion, 0
	.set qd__fold.has_indirect_call, 0
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
      - .actual_access:  write_only
        .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 6144
    .kernarg_segment_align: 8
    .kernarg_segment_size: 48
    .max_flat_workgroup_size: 256
    .name:           qd__run
    .private_segment_fixed_size: 0
    .sgpr_count:     72
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     50
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
  - .agpr_count:     0
    .args:
      - .address_space:  global
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 256
    .name:           qd__fold
    .private_segment_fixed_size: 0
    .sgpr_count:     32
    .sgpr_spill_count: 0
    .symbol:         qd__fold.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     26
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
