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
	s_mov_b32 s5, s3
	v_mov_b32_e32 v3, s3
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s14, s14, s12
	s_subb_u32 s15, s15, s13
	s_and_b32 s4, s14, 0x3ff
	s_lshr_b64 s[6:7], s[14:15], 10
	s_cmp_lg_u64 s[4:5], 0
	s_cselect_b64 s[4:5], -1, 0
	v_cndmask_b32_e64 v2, 0, 1, s[4:5]
	v_lshl_add_u64 v[2:3], s[6:7], 0, v[2:3]
	s_lshl_b64 s[24:25], s[2:3], 3
	v_cmp_ge_u64_e32 vcc, s[24:25], v[2:3]
	s_cbranch_vccnz .LBB0_32
	s_load_dwordx2 s[26:27], s[0:1], 0x0
	s_load_dwordx4 s[16:19], s[0:1], 0x18
	s_lshl_b64 s[2:3], s[2:3], 13
	v_lshrrev_b32_e32 v4, 5, v0
	v_mov_b32_e32 v1, 0
	v_and_b32_e32 v6, 31, v0
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[30:31], s[16:17], 3
	s_add_u32 s20, s12, s2
	v_lshlrev_b32_e32 v26, 3, v0
	s_addc_u32 s21, s13, s3
	v_lshlrev_b32_e32 v0, 10, v4
	v_mov_b32_e32 v7, v1
	s_load_dwordx2 s[28:29], s[26:27], 0x0
	v_lshl_add_u64 v[8:9], s[20:21], 0, v[0:1]
	v_sub_co_u32_e32 v10, vcc, 0, v6
	v_lshl_add_u64 v[8:9], v[8:9], 0, v[6:7]
	s_nop 0
	v_subb_co_u32_e64 v11, s[20:21], 0, 0, vcc
	v_mov_b32_e32 v7, s15
	v_sub_co_u32_e32 v0, vcc, s14, v0
	v_mov_b32_e32 v13, s3
	s_nop 0
	v_subbrev_co_u32_e32 v7, vcc, 0, v7, vcc
	v_subrev_co_u32_e32 v12, vcc, s2, v0
	s_movk_i32 s38, 0xffe0
	v_mov_b32_e32 v5, v1
	v_cmp_eq_u32_e64 s[0:1], 0, v6
	v_cmp_gt_u32_e64 s[10:11], 16, v6
	v_cmp_gt_u32_e64 s[4:5], 8, v6
	v_cmp_gt_u32_e64 s[6:7], 4, v6
	v_cmp_gt_u32_e64 s[8:9], 2, v6
	v_or_b32_e32 v27, 8, v26
	s_lshl_b64 s[16:17], s[16:17], 13
	v_subb_co_u32_e32 v13, vcc, v7, v13, vcc
	s_mov_b64 s[34:35], 0x400
	s_mov_b64 s[36:37], 0x80
	s_mov_b32 s39, -1
	v_mov_b64_e32 v[14:15], 0
	v_mov_b32_e32 v7, 0x400
	v_mov_b32_e32 v31, 1
	v_mov_b32_e32 v30, v1
	s_branch .LBB0_3
.LBB0_2:
	s_or_b64 exec, exec, s[2:3]
	s_add_u32 s24, s24, s30
	v_mov_b32_e32 v0, s17
	v_subrev_co_u32_e32 v12, vcc, s16, v12
	s_addc_u32 s25, s25, s31
	s_nop 0
	v_subb_co_u32_e32 v13, vcc, v13, v0, vcc
	v_cmp_ge_u64_e32 vcc, s[24:25], v[2:3]
	v_lshl_add_u64 v[8:9], v[8:9], 0, s[16:17]
	s_cbranch_vccnz .LBB0_32
.LBB0_3:
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[20:21], v1, s[28:29] sc1
	v_lshl_add_u64 v[16:17], s[24:25], 0, v[4:5]
	v_lshlrev_b64 v[18:19], 10, v[16:17]
	v_or_b32_e32 v18, v18, v6
	v_cmp_lt_u64_e32 vcc, v[16:17], v[2:3]
	v_cmp_gt_u64_e64 s[2:3], s[14:15], v[18:19]
	v_lshl_add_u64 v[18:19], v[18:19], 0, s[12:13]
	s_and_b64 s[20:21], s[2:3], vcc
	v_bfrev_b32_e32 v0, 1
	s_waitcnt vmcnt(0)
	v_cmp_le_u64_e64 s[2:3], v[18:19], v[20:21]
	s_and_b64 s[2:3], s[20:21], s[2:3]
	s_and_saveexec_b64 s[40:41], s[2:3]
	s_cbranch_execz .LBB0_20
	s_load_dwordx2 s[42:43], s[26:27], 0x8
	s_load_dwordx4 s[20:23], s[26:27], 0x18
	s_mov_b64 s[46:47], -1
	v_bfrev_b32_e32 v0, 1
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[20:21], v[18:19], 0, s[42:43]
	v_cmp_gt_u64_e64 s[2:3], s[22:23], v[20:21]
	s_and_saveexec_b64 s[44:45], s[2:3]
	s_cbranch_execz .LBB0_10
	v_cmp_gt_u64_e64 s[2:3], s[34:35], v[12:13]
	v_mov_b32_e32 v20, s20
	v_mov_b32_e32 v21, s21
	v_cndmask_b32_e64 v23, 0, v13, s[2:3]
	v_cndmask_b32_e64 v22, v7, v12, s[2:3]
	v_lshl_add_u64 v[24:25], s[42:43], 0, v[8:9]
	v_lshl_add_u64 v[22:23], v[10:11], 0, v[22:23]
	v_lshl_add_u64 v[24:25], v[24:25], 2, v[20:21]
	s_mov_b64 s[20:21], 0
	v_bfrev_b32_e32 v0, 1
	s_branch .LBB0_7
.LBB0_6:
	s_or_b64 exec, exec, s[52:53]
	s_xor_b64 s[2:3], s[48:49], -1
	s_and_b64 s[52:53], exec, s[50:51]
	s_or_b64 s[20:21], s[52:53], s[20:21]
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v28, v28, v28
	s_andn2_b64 s[46:47], s[46:47], exec
	s_and_b64 s[2:3], s[2:3], exec
	v_add_f32_e32 v0, v0, v28
	s_or_b64 s[46:47], s[46:47], s[2:3]
	s_andn2_b64 exec, exec, s[20:21]
	s_cbranch_execz .LBB0_9
.LBB0_7:
	global_load_dword v28, v[24:25], off
	v_cmp_lt_u64_e64 s[2:3], 32, v[22:23]
	s_or_b64 s[48:49], s[48:49], exec
	s_or_b64 s[50:51], s[50:51], exec
	s_and_saveexec_b64 s[52:53], s[2:3]
	s_cbranch_execz .LBB0_6
	v_lshl_add_u64 v[18:19], v[18:19], 0, 32
	v_lshl_add_u64 v[20:21], s[42:43], 0, v[18:19]
	v_cmp_le_u64_e64 s[2:3], s[22:23], v[20:21]
	s_andn2_b64 s[50:51], s[50:51], exec
	s_and_b64 s[2:3], s[2:3], exec
	v_lshl_add_u64 v[24:25], v[24:25], 0, s[36:37]
	v_lshl_add_u64 v[22:23], v[22:23], 0, s[38:39]
	s_andn2_b64 s[48:49], s[48:49], exec
	s_or_b64 s[50:51], s[50:51], s[2:3]
	s_branch .LBB0_6
.LBB0_9:
	s_or_b64 exec, exec, s[20:21]
	s_orn2_b64 s[46:47], s[46:47], exec
.LBB0_10:
	s_or_b64 exec, exec, s[44:45]
	s_and_saveexec_b64 s[20:21], s[46:47]
	s_cbranch_execz .LBB0_19
	s_mov_b64 s[44:45], exec
	s_mov_b64 s[42:43], -1
.LBB0_12:
	s_ff1_i32_b64 s33, s[44:45]
	v_readlane_b32 s46, v19, s33
	v_readlane_b32 s47, v18, s33
	s_mov_b32 m0, s33
	v_mov_b32_e32 v25, s46
	v_mov_b32_e32 v24, s47
	v_cmp_lt_u64_e64 s[2:3], s[42:43], v[24:25]
	s_and_b64 s[2:3], s[2:3], exec
	v_writelane_b32 v23, s43, m0
	v_writelane_b32 v22, s42, m0
	s_cselect_b32 s43, s43, s46
	s_cselect_b32 s42, s42, s47
	s_lshl_b64 s[2:3], 1, s33
	s_andn2_b64 s[44:45], s[44:45], s[2:3]
	s_cbranch_scc1 .LBB0_12
	v_mbcnt_lo_u32_b32 v24, exec_lo, 0
	v_mbcnt_hi_u32_b32 v24, exec_hi, v24
	v_cmp_eq_u32_e64 s[2:3], 0, v24
	s_and_saveexec_b64 s[44:45], s[2:3]
	s_xor_b64 s[2:3], exec, s[44:45]
	s_cbranch_execz .LBB0_15
	v_mov_b64_e32 v[24:25], s[42:43]
	global_atomic_umin_x2 v[24:25], v1, v[24:25], s[28:29] sc0
.LBB0_15:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s43, v25
	v_readfirstlane_b32 s42, v24
	s_nop 0
	v_mov_b32_e32 v24, s43
	v_cmp_lt_u64_e64 s[2:3], s[42:43], v[22:23]
	s_nop 1
	v_cndmask_b32_e64 v23, v23, v24, s[2:3]
	v_mov_b32_e32 v24, s42
	v_cndmask_b32_e64 v22, v22, v24, s[2:3]
	v_cmp_gt_u64_e64 s[2:3], v[22:23], v[18:19]
	s_and_b64 exec, exec, s[2:3]
	s_cbranch_execz .LBB0_19
	s_mov_b64 s[44:45], exec
	v_mbcnt_lo_u32_b32 v22, s44, 0
	v_mbcnt_hi_u32_b32 v24, s45, v22
	v_cmp_eq_u32_e64 s[2:3], 0, v24
	s_and_saveexec_b64 s[42:43], s[2:3]
	s_cbranch_execz .LBB0_18
	s_bcnt1_i32_b64 s2, s[44:45]
	v_mov_b32_e32 v22, s2
	v_mov_b32_e32 v23, v1
	global_atomic_add_x2 v[22:23], v1, v[22:23], s[28:29] offset:8 sc0
.LBB0_18:
	s_or_b64 exec, exec, s[42:43]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s2, v22
	s_nop 1
	v_add_u32_e32 v22, s2, v24
	v_and_b32_e32 v22, 0x3ff, v22
	v_mad_u64_u32 v[22:23], s[2:3], v22, 56, s[28:29]
	s_add_i32 s3, s23, 1
	s_mov_b32 s2, s22
	v_lshl_add_u64 v[24:25], s[2:3], 0, v[18:19]
	v_lshl_add_u64 v[24:25], v[24:25], 0, v[20:21]
	global_store_dwordx2 v[22:23], v[18:19], off offset:32 sc1
	global_store_dwordx2 v[22:23], v[30:31], off offset:40 sc1
	global_store_dwordx2 v[22:23], v[24:25], off offset:48 sc1
	global_store_dwordx2 v[22:23], v[14:15], off offset:56 sc1
	v_mov_b64_e32 v[18:19], s[22:23]
	global_store_dwordx2 v[22:23], v[18:19], off offset:64 sc1
	global_store_dwordx2 v[22:23], v[20:21], off offset:72 sc1
	global_store_dwordx2 v[22:23], v[14:15], off offset:80 sc1
.LBB0_19:
	s_or_b64 exec, exec, s[20:21]
.LBB0_20:
	s_or_b64 exec, exec, s[40:41]
	ds_write_b64 v26, v[0:1]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[10:11]
	s_cbranch_execz .LBB0_22
	ds_read2_b32 v[18:19], v26 offset1:32
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v18, v19
	ds_write_b64 v26, v[0:1]
.LBB0_22:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[4:5]
	s_cbranch_execz .LBB0_24
	ds_read2_b32 v[18:19], v26 offset1:16
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v18, v19
	ds_write_b64 v26, v[0:1]
.LBB0_24:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[6:7]
	s_cbranch_execz .LBB0_26
	ds_read2_b32 v[18:19], v26 offset1:8
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v18, v19
	ds_write_b64 v26, v[0:1]
.LBB0_26:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[8:9]
	s_cbranch_execz .LBB0_28
	ds_read2_b32 v[18:19], v26 offset1:4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v18, v19
	ds_write_b64 v26, v[0:1]
.LBB0_28:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_30
	ds_read_b32 v0, v26
	ds_read_b32 v18, v27
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v18
	ds_write_b64 v26, v[0:1]
.LBB0_30:
	s_or_b64 exec, exec, s[2:3]
	s_and_b64 s[20:21], s[0:1], vcc
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[20:21]
	s_cbranch_execz .LBB0_2
	ds_read_b32 v0, v26
	v_lshl_add_u64 v[16:17], v[16:17], 3, s[18:19]
	s_waitcnt lgkmcnt(0)
	global_store_dwordx2 v[16:17], v[0:1], off
	s_branch .LBB0_2
.LBB0_32:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel qd__run
		.amdhsa_group_segment_fixed_size 2048
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
		.amdhsa_next_free_sgpr 54
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
	.set qd__run.numbered_sgpr, 54
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
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[10:11], s[6:7], 9
	s_lshr_b64 s[8:9], s[6:7], 23
	s_mul_i32 s3, s8, s2
	s_mul_hi_u32 s8, s10, s2
	s_add_i32 s3, s8, s3
	s_mul_i32 s2, s10, s2
	v_mov_b64_e32 v[2:3], s[4:5]
	v_cmp_ge_u64_e32 vcc, s[2:3], v[2:3]
	s_cbranch_vccnz .LBB2_7
	s_load_dwordx2 s[12:13], s[0:1], 0x18
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v1, s6
	v_mov_b64_e32 v[4:5], 0xff
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s0, s12, s11
	s_mul_hi_u32 s1, s12, s10
	s_mul_i32 s11, s13, s10
	s_add_i32 s0, s1, s0
	s_add_i32 s16, s0, s11
	s_mul_i32 s17, s12, s10
	s_lshl_b64 s[10:11], s[6:7], 1
	s_mov_b64 s[12:13], 0x100
	v_mov_b64_e32 v[6:7], s[4:5]
	s_branch .LBB2_3
.LBB2_2:
	s_add_u32 s2, s2, s17
	s_addc_u32 s3, s3, s16
	v_cmp_ge_u64_e32 vcc, s[2:3], v[6:7]
	s_cbranch_vccnz .LBB2_7
.LBB2_3:
	s_mov_b64 s[14:15], 1
	v_mov_b64_e32 v[8:9], s[2:3]
	s_branch .LBB2_5
.LBB2_4:
	s_or_b64 exec, exec, s[0:1]
	s_lshl_b64 s[0:1], s[14:15], 1
	v_cmp_gt_u64_e32 vcc, s[14:15], v[4:5]
	s_mov_b64 s[14:15], s[0:1]
	s_barrier
	s_cbranch_vccnz .LBB2_2
.LBB2_5:
	v_mad_u64_u32 v[10:11], s[0:1], s14, v0, 0
	v_mov_b32_e32 v2, v11
	v_mad_u64_u32 v[12:13], s[0:1], s15, v0, v[2:3]
	v_mov_b32_e32 v11, v12
	v_cmp_gt_u64_e32 vcc, s[12:13], v[10:11]
	v_mul_lo_u32 v2, s11, v10
	v_mul_lo_u32 v12, s10, v12
	v_mad_u64_u32 v[10:11], s[0:1], s10, v10, v[8:9]
	v_add3_u32 v11, v2, v11, v12
	s_mul_i32 s0, s15, s6
	s_mul_i32 s18, s14, s7
	s_add_i32 s18, s18, s0
	v_mad_u64_u32 v[12:13], s[0:1], s14, v1, v[10:11]
	v_add_u32_e32 v13, s18, v13
	v_cmp_gt_u64_e64 s[0:1], s[4:5], v[12:13]
	s_and_b64 s[20:21], vcc, s[0:1]
	s_and_saveexec_b64 s[0:1], s[20:21]
	s_cbranch_execz .LBB2_4
	s_mul_hi_u32 s19, s14, s6
	s_add_i32 s19, s18, s19
	s_mul_i32 s18, s14, s6
	v_lshl_add_u64 v[10:11], v[10:11], 3, s[8:9]
	v_lshl_add_u64 v[12:13], s[18:19], 3, v[10:11]
	global_load_dword v2, v[10:11], off
	global_load_dword v14, v[12:13], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v14
	global_store_dwordx2 v[10:11], v[2:3], off
	s_branch .LBB2_4
.LBB2_7:
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
		.amdhsa_next_free_vgpr 15
		.amdhsa_next_free_sgpr 22
		.amdhsa_accum_offset 16
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

	.set qd__fold.num_vgpr, 15
	.set qd__fold.num_agpr, 0
	.set qd__fold.numbered_sgpr, 22
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
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 48
    .max_flat_workgroup_size: 256
    .name:           qd__run
    .private_segment_fixed_size: 0
    .sgpr_count:     60
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
    .sgpr_count:     28
    .sgpr_spill_count: 0
    .symbol:         qd__fold.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     15
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
