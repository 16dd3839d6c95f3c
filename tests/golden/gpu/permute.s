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
	s_cbranch_execz .LBB0_34
	s_load_dwordx2 s[2:3], s[0:1], 0x18
	s_load_dwordx2 s[24:25], s[0:1], 0x0
	v_lshl_add_u64 v[16:17], s[16:17], 0, v[0:1]
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v18, 1
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[2:3], s[2:3], 8
	s_load_dwordx4 s[12:15], s[24:25], 0x0
	s_load_dwordx8 s[4:11], s[24:25], 0x18
	s_load_dwordx4 s[20:23], s[24:25], 0x38
	s_load_dwordx2 s[16:17], s[24:25], 0x48
	s_mov_b64 s[24:25], 0
	v_mov_b64_e32 v[8:9], 0
	v_mov_b32_e32 v21, 17
	v_mov_b32_e32 v20, 1
	v_mov_b32_e32 v22, 2
	s_branch .LBB0_7
.LBB0_2:
	s_or_b64 exec, exec, s[40:41]
	s_xor_b64 s[40:41], exec, -1
	s_orn2_b64 s[42:43], s[42:43], exec
.LBB0_3:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v23, v18
	v_mov_b64_e32 v[4:5], 0
	v_mov_b64_e32 v[12:13], s[6:7]
	s_orn2_b64 s[40:41], s[40:41], exec
	s_orn2_b64 s[38:39], s[42:43], exec
	v_mov_b64_e32 v[14:15], v[22:23]
	v_mov_b64_e32 v[24:25], v[2:3]
.LBB0_4:
	s_or_b64 exec, exec, s[0:1]
	s_orn2_b64 s[40:41], s[40:41], exec
	s_orn2_b64 s[0:1], s[38:39], exec
	v_mov_b64_e32 v[10:11], v[24:25]
.LBB0_5:
	s_or_b64 exec, exec, s[36:37]
	s_andn2_b64 s[30:31], s[30:31], exec
	s_and_b64 s[36:37], s[40:41], exec
	s_andn2_b64 s[28:29], s[28:29], exec
	s_and_b64 s[0:1], s[0:1], exec
	s_or_b64 s[30:31], s[30:31], s[36:37]
	s_or_b64 s[28:29], s[28:29], s[0:1]
	v_mov_b64_e32 v[2:3], v[10:11]
.LBB0_6:
	s_or_b64 exec, exec, s[34:35]
	s_and_b64 s[0:1], exec, s[28:29]
	s_or_b64 s[24:25], s[0:1], s[24:25]
	s_andn2_b64 s[0:1], s[26:27], exec
	s_and_b64 s[26:27], s[30:31], exec
	s_or_b64 s[26:27], s[0:1], s[26:27]
	s_andn2_b64 exec, exec, s[24:25]
	s_cbranch_execz .LBB0_25
.LBB0_7:
	v_mov_b64_e32 v[0:1], v[16:17]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], v[0:1], 0, s[14:15]
	v_mov_b32_e32 v7, v18
	v_cmp_gt_u64_e32 vcc, s[10:11], v[2:3]
	v_mov_b64_e32 v[4:5], 0
	v_mov_b64_e32 v[12:13], s[10:11]
	s_or_b64 s[30:31], s[30:31], exec
	s_or_b64 s[28:29], s[28:29], exec
	v_mov_b64_e32 v[14:15], v[6:7]
	s_and_saveexec_b64 s[34:35], vcc
	s_cbranch_execz .LBB0_6
	v_lshl_add_u64 v[4:5], v[2:3], 3, s[8:9]
	global_load_dwordx2 v[10:11], v[4:5], off
	v_mov_b32_e32 v19, v18
	s_mov_b64 s[0:1], -1
	v_mov_b64_e32 v[4:5], 0
	v_mov_b64_e32 v[12:13], s[22:23]
	s_mov_b64 s[40:41], -1
	v_mov_b64_e32 v[14:15], v[18:19]
	s_waitcnt vmcnt(0)
	v_cmp_gt_u64_e32 vcc, s[22:23], v[10:11]
	s_and_saveexec_b64 s[36:37], vcc
	s_cbranch_execz .LBB0_5
	v_lshl_add_u64 v[4:5], v[10:11], 3, s[16:17]
	v_not_b32_e32 v15, v1
	v_not_b32_e32 v14, v0
	global_atomic_umax_x2 v[12:13], v[4:5], v[14:15], off sc0
	s_mov_b64 s[38:39], -1
	v_mov_b64_e32 v[4:5], 0
	s_mov_b64 s[42:43], -1
	s_waitcnt vmcnt(0)
	v_cmp_ne_u64_e32 vcc, 0, v[12:13]
	v_cmp_ne_u64_e64 s[0:1], v[12:13], v[14:15]
	s_and_b64 s[40:41], vcc, s[0:1]
	v_mov_b64_e32 v[14:15], v[18:19]
	s_and_saveexec_b64 s[0:1], s[40:41]
	s_cbranch_execz .LBB0_21
	v_not_b32_e32 v5, v13
	v_not_b32_e32 v4, v12
	v_cmp_le_u64_e32 vcc, v[0:1], v[4:5]
	s_mov_b64 s[42:43], 0
	s_and_saveexec_b64 s[40:41], vcc
	s_cbranch_execz .LBB0_20
	s_mov_b64 s[44:45], exec
	s_mov_b64 s[42:43], -1
.LBB0_12:
	s_ff1_i32_b64 s33, s[44:45]
	v_readlane_b32 s48, v5, s33
	v_readlane_b32 s49, v4, s33
	s_mov_b32 m0, s33
	v_mov_b32_e32 v17, s48
	v_mov_b32_e32 v16, s49
	v_cmp_lt_u64_e32 vcc, s[42:43], v[16:17]
	s_and_b64 s[46:47], vcc, exec
	v_writelane_b32 v15, s43, m0
	v_writelane_b32 v14, s42, m0
	s_cselect_b32 s43, s43, s48
	s_cselect_b32 s42, s42, s49
	s_lshl_b64 s[46:47], 1, s33
	s_andn2_b64 s[44:45], s[44:45], s[46:47]
	s_cbranch_scc1 .LBB0_12
	v_mbcnt_lo_u32_b32 v7, exec_lo, 0
	v_mbcnt_hi_u32_b32 v7, exec_hi, v7
	v_cmp_eq_u32_e32 vcc, 0, v7
	s_and_saveexec_b64 s[44:45], vcc
	s_xor_b64 s[44:45], exec, s[44:45]
	s_cbranch_execz .LBB0_15
	v_mov_b64_e32 v[16:17], s[42:43]
	global_atomic_umin_x2 v[16:17], v6, v[16:17], s[12:13] sc0
.LBB0_15:
	s_or_b64 exec, exec, s[44:45]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s43, v17
	v_readfirstlane_b32 s42, v16
	s_nop 0
	v_mov_b32_e32 v7, s43
	v_cmp_lt_u64_e32 vcc, s[42:43], v[14:15]
	s_nop 1
	v_cndmask_b32_e32 v15, v15, v7, vcc
	v_mov_b32_e32 v7, s42
	v_cndmask_b32_e32 v14, v14, v7, vcc
	v_cmp_gt_u64_e32 vcc, v[14:15], v[4:5]
	s_and_saveexec_b64 s[42:43], vcc
	s_cbranch_execz .LBB0_19
	s_mov_b64 s[46:47], exec
	v_mbcnt_lo_u32_b32 v7, s46, 0
	v_mbcnt_hi_u32_b32 v7, s47, v7
	v_cmp_eq_u32_e32 vcc, 0, v7
	s_and_saveexec_b64 s[44:45], vcc
	s_cbranch_execz .LBB0_18
	s_bcnt1_i32_b64 s33, s[46:47]
	v_mov_b32_e32 v14, s33
	v_mov_b32_e32 v15, v6
	global_atomic_add_x2 v[14:15], v6, v[14:15], s[12:13] offset:8 sc0
.LBB0_18:
	s_or_b64 exec, exec, s[44:45]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s33, v14
	v_sub_co_u32_e32 v12, vcc, v0, v12
	s_nop 0
	v_add_u32_e32 v7, s33, v7
	v_and_b32_e32 v7, 0x3ff, v7
	v_mad_u64_u32 v[14:15], s[44:45], v7, 56, s[12:13]
	v_subb_co_u32_e32 v7, vcc, v1, v13, vcc
	v_add_u32_e32 v13, 17, v7
	global_store_dwordx2 v[14:15], v[4:5], off offset:32 sc1
	global_store_dwordx2 v[14:15], v[20:21], off offset:40 sc1
	global_store_dwordx2 v[14:15], v[12:13], off offset:48 sc1
	global_store_dwordx2 v[14:15], v[0:1], off offset:56 sc1
	global_store_dwordx2 v[14:15], v[8:9], off offset:64 sc1
	global_store_dwordx2 v[14:15], v[8:9], off offset:72 sc1
	global_store_dwordx2 v[14:15], v[8:9], off offset:80 sc1
.LBB0_19:
	s_or_b64 exec, exec, s[42:43]
	s_mov_b64 s[42:43], exec
.LBB0_20:
	s_or_b64 exec, exec, s[40:41]
	v_mov_b32_e32 v19, v21
	s_orn2_b64 s[42:43], s[42:43], exec
	v_mov_b64_e32 v[14:15], v[18:19]
.LBB0_21:
	s_or_b64 exec, exec, s[0:1]
	v_mov_b64_e32 v[12:13], 0
	v_mov_b64_e32 v[24:25], 0
	s_mov_b64 s[40:41], -1
	s_and_saveexec_b64 s[0:1], s[42:43]
	s_cbranch_execz .LBB0_4
	v_cmp_gt_u64_e32 vcc, s[6:7], v[2:3]
	s_mov_b64 s[42:43], -1
	s_and_saveexec_b64 s[38:39], vcc
	s_xor_b64 s[38:39], exec, s[38:39]
	s_cbranch_execz .LBB0_3
	v_lshl_add_u64 v[4:5], v[2:3], 3, s[4:5]
	global_load_dwordx2 v[12:13], v[4:5], off
	v_lshl_add_u64 v[4:5], v[10:11], 3, s[20:21]
	v_mov_b32_e32 v7, s19
	v_sub_co_u32_e32 v10, vcc, s18, v0
	s_waitcnt vmcnt(0)
	global_store_dwordx2 v[4:5], v[12:13], off
	v_subb_co_u32_e32 v11, vcc, v7, v1, vcc
	v_cmp_lt_u64_e32 vcc, s[2:3], v[10:11]
	s_and_saveexec_b64 s[40:41], vcc
	s_cbranch_execz .LBB0_2
	global_load_dwordx2 v[4:5], v6, s[12:13] sc1
	v_lshl_add_u64 v[16:17], v[0:1], 0, s[2:3]
	s_waitcnt vmcnt(0)
	v_cmp_gt_u64_e32 vcc, v[16:17], v[4:5]
	s_orn2_b64 s[42:43], vcc, exec
	s_branch .LBB0_2
.LBB0_25:
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[0:1], s[26:27]
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_34
	s_mov_b64 s[2:3], exec
	s_mov_b64 s[0:1], -1
.LBB0_27:
	s_ff1_i32_b64 s6, s[2:3]
	v_readlane_b32 s7, v1, s6
	v_readlane_b32 s8, v0, s6
	s_mov_b32 m0, s6
	v_mov_b32_e32 v9, s7
	v_mov_b32_e32 v8, s8
	v_cmp_lt_u64_e32 vcc, s[0:1], v[8:9]
	s_and_b64 s[4:5], vcc, exec
	v_writelane_b32 v7, s1, m0
	v_writelane_b32 v6, s0, m0
	s_cselect_b32 s1, s1, s7
	s_cselect_b32 s0, s0, s8
	s_lshl_b64 s[4:5], 1, s6
	s_andn2_b64 s[2:3], s[2:3], s[4:5]
	s_cbranch_scc1 .LBB0_27
	v_mbcnt_lo_u32_b32 v8, exec_lo, 0
	v_mbcnt_hi_u32_b32 v8, exec_hi, v8
	v_cmp_eq_u32_e32 vcc, 0, v8
	s_and_saveexec_b64 s[2:3], vcc
	s_xor_b64 s[2:3], exec, s[2:3]
	s_cbranch_execz .LBB0_30
	v_mov_b32_e32 v10, 0
	v_mov_b64_e32 v[8:9], s[0:1]
	global_atomic_umin_x2 v[8:9], v10, v[8:9], s[12:13] sc0
.LBB0_30:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s1, v9
	v_readfirstlane_b32 s0, v8
	s_nop 0
	v_mov_b32_e32 v8, s1
	v_cmp_lt_u64_e32 vcc, s[0:1], v[6:7]
	s_nop 1
	v_cndmask_b32_e32 v7, v7, v8, vcc
	v_mov_b32_e32 v8, s0
	v_cndmask_b32_e32 v6, v6, v8, vcc
	v_cmp_gt_u64_e32 vcc, v[6:7], v[0:1]
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB0_34
	s_mov_b64 s[2:3], exec
	v_mbcnt_lo_u32_b32 v6, s2, 0
	v_mbcnt_hi_u32_b32 v8, s3, v6
	v_cmp_eq_u32_e32 vcc, 0, v8
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_33
	s_bcnt1_i32_b64 s2, s[2:3]
	v_mov_b32_e32 v6, s2
	v_mov_b32_e32 v7, 0
	global_atomic_add_x2 v[6:7], v7, v[6:7], s[12:13] offset:8 sc0
.LBB0_33:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s0, v6
	s_nop 1
	v_add_u32_e32 v6, s0, v8
	v_lshl_add_u64 v[8:9], v[14:15], 0, v[0:1]
	v_and_b32_e32 v6, 0x3ff, v6
	v_lshl_add_u64 v[8:9], v[8:9], 0, v[4:5]
	v_mad_u64_u32 v[6:7], s[0:1], v6, 56, s[12:13]
	v_lshl_add_u64 v[8:9], v[8:9], 0, v[12:13]
	v_lshl_add_u64 v[8:9], v[8:9], 0, v[2:3]
	global_store_dwordx2 v[6:7], v[0:1], off offset:32 sc1
	global_store_dwordx2 v[6:7], v[14:15], off offset:40 sc1
	global_store_dwordx2 v[6:7], v[8:9], off offset:48 sc1
	global_store_dwordx2 v[6:7], v[4:5], off offset:56 sc1
	global_store_dwordx2 v[6:7], v[12:13], off offset:64 sc1
	global_store_dwordx2 v[6:7], v[2:3], off offset:72 sc1
	v_mov_b64_e32 v[0:1], 0
	global_store_dwordx2 v[6:7], v[0:1], off offset:80 sc1
.LBB0_34:
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
		.amdhsa_next_free_vgpr 26
		.amdhsa_next_free_sgpr 50
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
.Lfunc_end0:
	.size	qd__run, .Lfunc_end0-qd__run

	.set qd__run.num_vgpr, 26
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 50
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
    .sgpr_count:     56
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     26
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
