// LLVM 22.1.8
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	qd__run
	.p2align	8
	.type	qd__run,@function
qd__run:
	s_load_dwordx4 s[16:19], s[0:1], 0x8
	s_mov_b32 s3, 0
	s_lshl_b64 s[2:3], s[2:3], 8
	v_or_b32_e32 v0, s2, v0
	v_mov_b32_e32 v1, s3
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s2, s18, s16
	s_subb_u32 s3, s19, s17
	v_cmp_gt_u64_e32 vcc, s[2:3], v[0:1]
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_24
	s_load_dwordx2 s[2:3], s[0:1], 0x18
	s_load_dwordx2 s[20:21], s[0:1], 0x0
	v_lshl_add_u64 v[10:11], s[16:17], 0, v[0:1]
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v1, 1
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[16:17], s[2:3], 8
	s_load_dwordx4 s[12:15], s[20:21], 0x0
	s_load_dwordx8 s[4:11], s[20:21], 0x18
	s_mov_b64 s[20:21], 0
	s_mov_b64 s[22:23], 0x7f
	s_mov_b32 s33, 0x3b9aca07
	s_branch .LBB0_5
.LBB0_2:
	s_or_b64 exec, exec, s[2:3]
	s_xor_b64 s[2:3], exec, -1
	s_orn2_b64 s[0:1], s[0:1], exec
.LBB0_3:
	s_or_b64 exec, exec, s[34:35]
	s_andn2_b64 s[28:29], s[28:29], exec
	s_and_b64 s[2:3], s[2:3], exec
	s_or_b64 s[28:29], s[28:29], s[2:3]
	s_andn2_b64 s[2:3], s[26:27], exec
	s_and_b64 s[0:1], s[0:1], exec
	v_mov_b32_e32 v0, v1
	v_mov_b64_e32 v[8:9], s[6:7]
	s_or_b64 s[26:27], s[2:3], s[0:1]
.LBB0_4:
	s_or_b64 exec, exec, s[30:31]
	s_and_b64 s[0:1], exec, s[26:27]
	s_or_b64 s[20:21], s[0:1], s[20:21]
	s_andn2_b64 s[0:1], s[24:25], exec
	s_and_b64 s[2:3], s[28:29], exec
	s_or_b64 s[24:25], s[0:1], s[2:3]
	s_andn2_b64 exec, exec, s[20:21]
	s_cbranch_execz .LBB0_15
.LBB0_5:
	v_mov_b64_e32 v[4:5], v[10:11]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], v[4:5], 0, s[14:15]
	v_cmp_gt_u64_e32 vcc, s[10:11], v[2:3]
	v_mov_b32_e32 v0, v7
	v_mov_b64_e32 v[8:9], s[10:11]
	s_or_b64 s[28:29], s[28:29], exec
	s_or_b64 s[26:27], s[26:27], exec
	s_and_saveexec_b64 s[30:31], vcc
	s_cbranch_execz .LBB0_4
	v_cmp_gt_u64_e32 vcc, s[6:7], v[2:3]
	s_mov_b64 s[0:1], -1
	s_mov_b64 s[2:3], -1
	s_and_saveexec_b64 s[34:35], vcc
	s_cbranch_execz .LBB0_3
	v_lshlrev_b64 v[8:9], 4, v[2:3]
	v_lshl_add_u64 v[10:11], s[8:9], 0, v[8:9]
	v_lshl_add_u64 v[8:9], s[4:5], 0, v[8:9]
	global_load_dwordx4 v[12:15], v[10:11], off
	global_load_dwordx4 v[16:19], v[8:9], off
	v_mov_b32_e32 v21, v7
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v0, v13, v18
	v_mul_lo_u32 v6, v12, v19
	v_mad_u64_u32 v[18:19], s[0:1], v12, v18, 0
	v_mad_u64_u32 v[10:11], s[0:1], v16, v12, 0
	v_add3_u32 v19, v19, v6, v0
	v_mov_b32_e32 v6, v11
	v_mul_lo_u32 v20, v14, v17
	v_mul_lo_u32 v22, v15, v16
	v_mad_u64_u32 v[14:15], s[0:1], v14, v16, v[18:19]
	v_mad_u64_u32 v[18:19], s[0:1], v17, v12, v[6:7]
	v_mov_b32_e32 v6, v19
	v_mov_b32_e32 v19, v7
	v_mad_u64_u32 v[18:19], s[0:1], v16, v13, v[18:19]
	v_add3_u32 v15, v22, v15, v20
	v_mov_b32_e32 v20, v19
	v_mov_b32_e32 v11, v18
	v_lshl_add_u64 v[18:19], v[6:7], 0, v[20:21]
	v_ffbh_u32_e32 v0, v10
	v_mad_u64_u32 v[12:13], s[0:1], v17, v13, v[18:19]
	v_add_u32_e32 v0, 32, v0
	v_ffbh_u32_e32 v6, v11
	v_lshl_add_u64 v[12:13], v[12:13], 0, v[14:15]
	v_min_u32_e32 v6, v0, v6
	v_ffbh_u32_e32 v0, v12
	v_lshl_add_u64 v[14:15], v[6:7], 0, 64
	v_ffbh_u32_e32 v6, v13
	v_add_u32_e32 v0, 32, v0
	v_cmp_ne_u64_e32 vcc, 0, v[12:13]
	v_min_u32_e32 v0, v0, v6
	v_or_b32_e32 v17, v11, v13
	v_or_b32_e32 v16, v10, v12
	v_cndmask_b32_e32 v0, v14, v0, vcc
	v_cndmask_b32_e64 v15, v15, 0, vcc
	v_cmp_eq_u64_e64 s[0:1], 0, v[16:17]
	v_sub_co_u32_e32 v16, vcc, 0x62, v0
	v_xor_b32_e32 v0, 0x7f, v16
	s_nop 0
	v_subb_co_u32_e32 v17, vcc, 0, v15, vcc
	v_cmp_lt_u64_e64 s[2:3], s[22:23], v[16:17]
	s_nop 0
	v_subb_co_u32_e32 v18, vcc, 0, v7, vcc
	v_cndmask_b32_e64 v6, 0, 1, s[2:3]
	s_nop 0
	v_subb_co_u32_e32 v19, vcc, 0, v7, vcc
	v_cmp_ne_u64_e32 vcc, 0, v[18:19]
	v_or_b32_e32 v14, v0, v18
	v_or_b32_e32 v15, v17, v19
	v_cndmask_b32_e64 v0, 0, 1, vcc
	v_cmp_eq_u64_e32 vcc, 0, v[18:19]
	s_nop 1
	v_cndmask_b32_e32 v0, v0, v6, vcc
	v_and_b32_e32 v0, 1, v0
	v_cmp_eq_u32_e64 s[2:3], 1, v0
	s_or_b64 s[0:1], s[0:1], s[2:3]
	v_cmp_ne_u64_e32 vcc, 0, v[14:15]
	s_xor_b64 s[2:3], s[0:1], -1
	v_cndmask_b32_e64 v15, v13, 0, s[0:1]
	v_cndmask_b32_e64 v14, v12, 0, s[0:1]
	v_cndmask_b32_e64 v21, v11, 0, s[0:1]
	v_cndmask_b32_e64 v0, v10, 0, s[0:1]
	s_and_b64 s[0:1], s[2:3], vcc
	s_and_saveexec_b64 s[36:37], s[0:1]
	s_cbranch_execz .LBB0_13
	v_add_co_u32_e32 v0, vcc, 1, v16
	v_sub_u32_e32 v6, 0x7f, v16
	s_nop 0
	v_addc_co_u32_e32 v15, vcc, 0, v17, vcc
	v_sub_u32_e32 v20, 64, v6
	s_nop 0
	v_addc_co_u32_e32 v14, vcc, 0, v18, vcc
	v_or_b32_e32 v18, v0, v14
	s_nop 0
	v_addc_co_u32_e32 v17, vcc, 0, v19, vcc
	v_or_b32_e32 v19, v15, v17
	v_cmp_ne_u64_e32 vcc, 0, v[18:19]
	v_lshlrev_b64 v[18:19], v6, v[12:13]
	v_lshrrev_b64 v[20:21], v20, v[10:11]
	v_sub_u32_e32 v16, 63, v16
	v_or_b32_e32 v21, v19, v21
	v_or_b32_e32 v20, v18, v20
	v_lshlrev_b64 v[18:19], v16, v[10:11]
	v_cmp_gt_u32_e64 s[0:1], 64, v6
	v_cmp_eq_u32_e64 s[2:3], 0, v6
	v_mov_b64_e32 v[22:23], 0
	v_cndmask_b32_e64 v16, v19, v21, s[0:1]
	v_cndmask_b32_e64 v19, v16, v13, s[2:3]
	v_cndmask_b32_e64 v16, v18, v20, s[0:1]
	v_lshlrev_b64 v[20:21], v6, v[10:11]
	v_cndmask_b32_e64 v18, v16, v12, s[2:3]
	v_cndmask_b32_e64 v21, 0, v21, s[0:1]
	v_cndmask_b32_e64 v20, 0, v20, s[0:1]
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[2:3], exec, s[0:1]
	s_cbranch_execz .LBB0_12
	v_sub_u32_e32 v6, 64, v0
	v_lshrrev_b64 v[22:23], v0, v[10:11]
	v_lshlrev_b64 v[24:25], v6, v[12:13]
	v_or_b32_e32 v16, v22, v24
	v_subrev_u32_e32 v22, 64, v0
	v_or_b32_e32 v6, v23, v25
	v_lshrrev_b64 v[22:23], v22, v[12:13]
	v_cmp_gt_u32_e32 vcc, 64, v0
	v_cmp_eq_u32_e64 s[0:1], 0, v0
	v_mov_b64_e32 v[28:29], 0
	v_cndmask_b32_e32 v6, v23, v6, vcc
	v_cndmask_b32_e64 v25, v6, v11, s[0:1]
	v_cndmask_b32_e32 v6, v22, v16, vcc
	v_lshrrev_b64 v[22:23], v0, v[12:13]
	v_cndmask_b32_e64 v24, v6, v10, s[0:1]
	v_cndmask_b32_e32 v27, 0, v23, vcc
	v_cndmask_b32_e32 v26, 0, v22, vcc
	s_mov_b64 s[0:1], 0
	v_mov_b64_e32 v[22:23], 0
.LBB0_10:
	v_lshrrev_b32_e32 v6, 31, v25
	v_lshlrev_b64 v[24:25], 1, v[24:25]
	v_lshrrev_b32_e32 v16, 31, v19
	v_lshlrev_b64 v[26:27], 1, v[26:27]
	v_or_b32_e32 v16, v24, v16
	v_or_b32_e32 v26, v26, v6
	v_sub_co_u32_e32 v6, vcc, 0x3b9aca06, v16
	v_lshlrev_b64 v[30:31], 1, v[20:21]
	s_nop 0
	v_subb_co_u32_e32 v6, vcc, 0, v25, vcc
	v_lshrrev_b32_e32 v20, 31, v21
	s_nop 0
	v_subb_co_u32_e32 v6, vcc, 0, v26, vcc
	v_lshlrev_b64 v[18:19], 1, v[18:19]
	s_nop 0
	v_subb_co_u32_e32 v6, vcc, 0, v27, vcc
	v_ashrrev_i32_e32 v24, 31, v6
	v_and_b32_e32 v6, 1, v24
	v_and_b32_e32 v24, 0x3b9aca07, v24
	v_sub_co_u32_e32 v24, vcc, v16, v24
	v_or3_b32 v18, v18, v20, v22
	s_nop 0
	v_subbrev_co_u32_e32 v25, vcc, 0, v25, vcc
	v_or_b32_e32 v21, v29, v31
	s_nop 0
	v_subbrev_co_u32_e32 v26, vcc, 0, v26, vcc
	v_or_b32_e32 v20, v28, v30
	s_nop 0
	v_subbrev_co_u32_e32 v27, vcc, 0, v27, vcc
	v_add_co_u32_e32 v0, vcc, -1, v0
	v_or3_b32 v19, v19, 0, v23
	s_nop 0
	v_addc_co_u32_e32 v15, vcc, -1, v15, vcc
	v_mov_b64_e32 v[22:23], 0
	s_nop 0
	v_addc_co_u32_e32 v14, vcc, -1, v14, vcc
	v_or_b32_e32 v28, v0, v14
	s_nop 0
	v_addc_co_u32_e32 v17, vcc, -1, v17, vcc
	v_or_b32_e32 v29, v15, v17
	v_cmp_eq_u64_e32 vcc, 0, v[28:29]
	s_or_b64 s[0:1], vcc, s[0:1]
	v_mov_b64_e32 v[28:29], v[6:7]
	s_andn2_b64 exec, exec, s[0:1]
	s_cbranch_execnz .LBB0_10
	s_or_b64 exec, exec, s[0:1]
	v_mov_b64_e32 v[22:23], v[6:7]
.LBB0_12:
	s_or_b64 exec, exec, s[2:3]
	v_lshlrev_b64 v[14:15], 1, v[18:19]
	v_lshrrev_b32_e32 v0, 31, v21
	v_lshlrev_b64 v[16:17], 1, v[20:21]
	v_or_b32_e32 v14, v14, v0
	v_or_b32_e32 v21, v23, v17
	v_or_b32_e32 v0, v22, v16
.LBB0_13:
	s_or_b64 exec, exec, s[36:37]
	v_mad_u64_u32 v[16:17], s[0:1], v0, s33, 0
	v_mov_b32_e32 v6, v17
	v_mad_u64_u32 v[18:19], s[0:1], v21, s33, v[6:7]
	v_mov_b32_e32 v6, v19
	v_mad_u64_u32 v[20:21], s[0:1], v14, s33, v[6:7]
	v_sub_co_u32_e32 v10, vcc, v10, v16
	v_mov_b32_e32 v0, v21
	s_nop 0
	v_subb_co_u32_e32 v11, vcc, v11, v18, vcc
	v_mad_u64_u32 v[14:15], s[0:1], v15, s33, v[0:1]
	s_nop 0
	v_subb_co_u32_e32 v12, vcc, v12, v20, vcc
	v_mov_b32_e32 v0, s19
	s_nop 0
	v_subb_co_u32_e32 v13, vcc, v13, v14, vcc
	global_store_dwordx4 v[8:9], v[10:13], off
	v_sub_co_u32_e32 v8, vcc, s18, v4
	s_mov_b64 s[0:1], -1
	s_nop 0
	v_subb_co_u32_e32 v9, vcc, v0, v5, vcc
	v_cmp_lt_u64_e32 vcc, s[16:17], v[8:9]
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_2
	global_load_dwordx2 v[8:9], v7, s[12:13] sc1
	v_lshl_add_u64 v[10:11], v[4:5], 0, s[16:17]
	s_waitcnt vmcnt(0)
	v_cmp_gt_u64_e32 vcc, v[10:11], v[8:9]
	s_orn2_b64 s[0:1], vcc, exec
	s_branch .LBB0_2
.LBB0_15:
	s_or_b64 exec, exec, s[20:21]
	s_and_saveexec_b64 s[0:1], s[24:25]
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_24
	s_mov_b64 s[2:3], exec
	s_mov_b64 s[0:1], -1
.LBB0_17:
	s_ff1_i32_b64 s6, s[2:3]
	v_readlane_b32 s7, v5, s6
	v_readlane_b32 s8, v4, s6
	s_mov_b32 m0, s6
	v_mov_b32_e32 v11, s7
	v_mov_b32_e32 v10, s8
	v_cmp_lt_u64_e32 vcc, s[0:1], v[10:11]
	s_and_b64 s[4:5], vcc, exec
	v_writelane_b32 v7, s1, m0
	v_writelane_b32 v6, s0, m0
	s_cselect_b32 s1, s1, s7
	s_cselect_b32 s0, s0, s8
	s_lshl_b64 s[4:5], 1, s6
	s_andn2_b64 s[2:3], s[2:3], s[4:5]
	s_cbranch_scc1 .LBB0_17
	v_mbcnt_lo_u32_b32 v10, exec_lo, 0
	v_mbcnt_hi_u32_b32 v10, exec_hi, v10
	v_cmp_eq_u32_e32 vcc, 0, v10
	s_and_saveexec_b64 s[2:3], vcc
	s_xor_b64 s[2:3], exec, s[2:3]
	s_cbranch_execz .LBB0_20
	v_mov_b32_e32 v12, 0
	v_mov_b64_e32 v[10:11], s[0:1]
	global_atomic_umin_x2 v[10:11], v12, v[10:11], s[12:13] sc0
.LBB0_20:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s1, v11
	v_readfirstlane_b32 s0, v10
	s_nop 0
	v_mov_b32_e32 v10, s1
	v_cmp_lt_u64_e32 vcc, s[0:1], v[6:7]
	s_nop 1
	v_cndmask_b32_e32 v7, v7, v10, vcc
	v_mov_b32_e32 v10, s0
	v_cndmask_b32_e32 v6, v6, v10, vcc
	v_cmp_gt_u64_e32 vcc, v[6:7], v[4:5]
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB0_24
	s_mov_b64 s[2:3], exec
	v_mbcnt_lo_u32_b32 v6, s2, 0
	v_mbcnt_hi_u32_b32 v10, s3, v6
	v_cmp_eq_u32_e32 vcc, 0, v10
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_23
	s_bcnt1_i32_b64 s2, s[2:3]
	v_mov_b32_e32 v6, s2
	v_mov_b32_e32 v7, 0
	global_atomic_add_x2 v[6:7], v7, v[6:7], s[12:13] offset:8 sc0
.LBB0_23:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s0, v6
	s_nop 1
	v_add_u32_e32 v6, s0, v10
	v_and_b32_e32 v6, 0x3ff, v6
	v_lshl_add_u64 v[10:11], v[2:3], 0, v[4:5]
	v_mad_u64_u32 v[6:7], s[0:1], v6, 56, s[12:13]
	v_lshl_add_u64 v[10:11], v[10:11], 0, v[0:1]
	v_lshl_add_u64 v[10:11], v[10:11], 0, v[8:9]
	global_store_dwordx2 v[6:7], v[4:5], off offset:32 sc1
	global_store_dwordx2 v[6:7], v[0:1], off offset:40 sc1
	global_store_dwordx2 v[6:7], v[10:11], off offset:48 sc1
	v_mov_b64_e32 v[0:1], 0
	global_store_dwordx2 v[6:7], v[0:1], off offset:56 sc1
	global_store_dwordx2 v[6:7], v[8:9], off offset:64 sc1
	global_store_dwordx2 v[6:7], v[2:3], off offset:72 sc1
	global_store_dwordx2 v[6:7], v[0:1], off offset:80 sc1
.LBB0_24:
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
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 38
		.amdhsa_accum_offset 32
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

	.set qd__run.num_vgpr, 32
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 38
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
    .sgpr_count:     44
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     32
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
