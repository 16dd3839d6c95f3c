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
	v_lshl_add_u64 v[8:9], s[6:7], 0, v[2:3]
	s_lshl_b64 s[24:25], s[2:3], 3
	v_cmp_ge_u64_e32 vcc, s[24:25], v[8:9]
	s_cbranch_vccnz .LBB0_32
	s_load_dwordx2 s[26:27], s[0:1], 0x0
	s_load_dwordx4 s[16:19], s[0:1], 0x18
	s_lshl_b64 s[2:3], s[2:3], 13
	v_lshrrev_b32_e32 v10, 5, v0
	v_mov_b32_e32 v13, 0
	v_and_b32_e32 v14, 31, v0
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[30:31], s[16:17], 3
	s_add_u32 s20, s12, s2
	s_addc_u32 s21, s13, s3
	v_lshlrev_b32_e32 v12, 10, v10
	v_mov_b32_e32 v15, v13
	s_load_dwordx2 s[28:29], s[26:27], 0x0
	v_lshlrev_b32_e32 v26, 3, v0
	v_lshl_add_u64 v[0:1], s[20:21], 0, v[12:13]
	v_sub_co_u32_e32 v18, vcc, 0, v14
	v_lshl_add_u64 v[16:17], v[0:1], 0, v[14:15]
	s_nop 0
	v_subb_co_u32_e64 v19, s[20:21], 0, 0, vcc
	v_mov_b32_e32 v0, s15
	v_sub_co_u32_e32 v1, vcc, s14, v12
	v_mov_b32_e32 v2, s3
	s_nop 0
	v_subbrev_co_u32_e32 v0, vcc, 0, v0, vcc
	v_subrev_co_u32_e32 v20, vcc, s2, v1
	s_movk_i32 s38, 0xffe0
	v_mov_b32_e32 v11, v13
	v_cmp_eq_u32_e64 s[0:1], 0, v14
	v_cmp_gt_u32_e64 s[10:11], 16, v14
	v_cmp_gt_u32_e64 s[4:5], 8, v14
	v_cmp_gt_u32_e64 s[6:7], 4, v14
	v_cmp_gt_u32_e64 s[8:9], 2, v14
	v_or_b32_e32 v27, 8, v26
	s_lshl_b64 s[16:17], s[16:17], 13
	v_subb_co_u32_e32 v21, vcc, v0, v2, vcc
	s_mov_b64 s[34:35], 0x400
	s_mov_b64 s[36:37], 0x80
	s_mov_b32 s39, -1
	v_mov_b32_e32 v3, 1
	v_mov_b32_e32 v15, 0x400
	s_branch .LBB0_3
.LBB0_2:
	s_or_b64 exec, exec, s[2:3]
	s_add_u32 s24, s24, s30
	v_mov_b32_e32 v0, s17
	v_subrev_co_u32_e32 v20, vcc, s16, v20
	s_addc_u32 s25, s25, s31
	s_nop 0
	v_subb_co_u32_e32 v21, vcc, v21, v0, vcc
	v_cmp_ge_u64_e32 vcc, s[24:25], v[8:9]
	v_lshl_add_u64 v[16:17], v[16:17], 0, s[16:17]
	s_cbranch_vccnz .LBB0_32
.LBB0_3:
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[4:5], v13, s[28:29] sc1
	v_lshl_add_u64 v[22:23], s[24:25], 0, v[10:11]
	v_lshlrev_b64 v[0:1], 10, v[22:23]
	v_or_b32_e32 v0, v0, v14
	v_cmp_lt_u64_e32 vcc, v[22:23], v[8:9]
	v_cmp_gt_u64_e64 s[2:3], s[14:15], v[0:1]
	v_lshl_add_u64 v[0:1], v[0:1], 0, s[12:13]
	s_and_b64 s[20:21], s[2:3], vcc
	v_bfrev_b32_e32 v12, 1
	s_waitcnt vmcnt(0)
	v_cmp_le_u64_e64 s[2:3], v[0:1], v[4:5]
	s_and_b64 s[2:3], s[20:21], s[2:3]
	s_and_saveexec_b64 s[40:41], s[2:3]
	s_cbranch_execz .LBB0_20
	s_load_dwordx2 s[42:43], s[26:27], 0x8
	s_load_dwordx4 s[20:23], s[26:27], 0x18
	s_mov_b64 s[46:47], -1
	v_bfrev_b32_e32 v12, 1
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[4:5], v[0:1], 0, s[42:43]
	v_cmp_gt_u64_e64 s[2:3], s[22:23], v[4:5]
	s_and_saveexec_b64 s[44:45], s[2:3]
	s_cbranch_execz .LBB0_10
	v_cmp_gt_u64_e64 s[2:3], s[34:35], v[20:21]
	v_mov_b32_e32 v4, s20
	v_mov_b32_e32 v5, s21
	v_cndmask_b32_e64 v7, 0, v21, s[2:3]
	v_cndmask_b32_e64 v6, v15, v20, s[2:3]
	v_lshl_add_u64 v[24:25], s[42:43], 0, v[16:17]
	v_lshl_add_u64 v[6:7], v[18:19], 0, v[6:7]
	v_lshl_add_u64 v[24:25], v[24:25], 2, v[4:5]
	s_mov_b64 s[20:21], 0
	v_bfrev_b32_e32 v12, 1
	s_branch .LBB0_7
.LBB0_6:
	s_or_b64 exec, exec, s[52:53]
	s_xor_b64 s[2:3], s[48:49], -1
	s_and_b64 s[52:53], exec, s[50:51]
	s_or_b64 s[20:21], s[52:53], s[20:21]
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, v2, v2
	s_andn2_b64 s[46:47], s[46:47], exec
	s_and_b64 s[2:3], s[2:3], exec
	v_add_f32_e32 v12, v12, v2
	s_or_b64 s[46:47], s[46:47], s[2:3]
	s_andn2_b64 exec, exec, s[20:21]
	s_cbranch_execz .LBB0_9
.LBB0_7:
	global_load_dword v2, v[24:25], off
	v_cmp_lt_u64_e64 s[2:3], 32, v[6:7]
	s_or_b64 s[48:49], s[48:49], exec
	s_or_b64 s[50:51], s[50:51], exec
	s_and_saveexec_b64 s[52:53], s[2:3]
	s_cbranch_execz .LBB0_6
	v_lshl_add_u64 v[0:1], v[0:1], 0, 32
	v_lshl_add_u64 v[4:5], s[42:43], 0, v[0:1]
	v_cmp_le_u64_e64 s[2:3], s[22:23], v[4:5]
	s_andn2_b64 s[50:51], s[50:51], exec
	s_and_b64 s[2:3], s[2:3], exec
	v_lshl_add_u64 v[24:25], v[24:25], 0, s[36:37]
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[38:39]
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
	v_readlane_b32 s46, v1, s33
	v_readlane_b32 s47, v0, s33
	s_mov_b32 m0, s33
	v_mov_b32_e32 v25, s46
	v_mov_b32_e32 v24, s47
	v_cmp_lt_u64_e64 s[2:3], s[42:43], v[24:25]
	s_and_b64 s[2:3], s[2:3], exec
	v_writelane_b32 v7, s43, m0
	v_writelane_b32 v6, s42, m0
	s_cselect_b32 s43, s43, s46
	s_cselect_b32 s42, s42, s47
	s_lshl_b64 s[2:3], 1, s33
	s_andn2_b64 s[44:45], s[44:45], s[2:3]
	s_cbranch_scc1 .LBB0_12
	v_mbcnt_lo_u32_b32 v2, exec_lo, 0
	v_mbcnt_hi_u32_b32 v2, exec_hi, v2
	v_cmp_eq_u32_e64 s[2:3], 0, v2
	s_and_saveexec_b64 s[44:45], s[2:3]
	s_xor_b64 s[2:3], exec, s[44:45]
	s_cbranch_execz .LBB0_15
	v_mov_b64_e32 v[24:25], s[42:43]
	global_atomic_umin_x2 v[24:25], v13, v[24:25], s[28:29] sc0
.LBB0_15:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s43, v25
	v_readfirstlane_b32 s42, v24
	s_nop 0
	v_mov_b32_e32 v2, s43
	v_cmp_lt_u64_e64 s[2:3], s[42:43], v[6:7]
	s_nop 1
	v_cndmask_b32_e64 v7, v7, v2, s[2:3]
	v_mov_b32_e32 v2, s42
	v_cndmask_b32_e64 v6, v6, v2, s[2:3]
	v_cmp_gt_u64_e64 s[2:3], v[6:7], v[0:1]
	s_and_b64 exec, exec, s[2:3]
	s_cbranch_execz .LBB0_19
	s_mov_b64 s[44:45], exec
	v_mbcnt_lo_u32_b32 v2, s44, 0
	v_mbcnt_hi_u32_b32 v2, s45, v2
	v_cmp_eq_u32_e64 s[2:3], 0, v2
	s_and_saveexec_b64 s[42:43], s[2:3]
	s_cbranch_execz .LBB0_18
	s_bcnt1_i32_b64 s2, s[44:45]
	v_mov_b32_e32 v6, s2
	v_mov_b32_e32 v7, v13
	global_atomic_add_x2 v[6:7], v13, v[6:7], s[28:29] offset:8 sc0
.LBB0_18:
	s_or_b64 exec, exec, s[42:43]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s2, v6
	v_mov_b32_e32 v30, s22
	v_mov_b32_e32 v31, s23
	v_add_u32_e32 v2, s2, v2
	v_and_b32_e32 v2, 0x3ff, v2
	v_mad_u64_u32 v[24:25], s[2:3], v2, 48, s[28:29]
	v_mov_b32_e32 v2, v13
	v_mov_b32_e32 v28, v13
	v_mov_b32_e32 v29, v13
	v_mov_b32_e32 v6, v13
	v_mov_b32_e32 v7, v13
	global_store_dwordx4 v[24:25], v[0:3], off offset:32
	global_store_dwordx4 v[24:25], v[28:31], off offset:48
	global_store_dwordx4 v[24:25], v[4:7], off offset:64
.LBB0_19:
	s_or_b64 exec, exec, s[20:21]
.LBB0_20:
	s_or_b64 exec, exec, s[40:41]
	ds_write_b64 v26, v[12:13]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[10:11]
	s_cbranch_execz .LBB0_22
	ds_read2_b32 v[0:1], v26 offset1:32
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v12, v0, v1
	ds_write_b64 v26, v[12:13]
.LBB0_22:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[4:5]
	s_cbranch_execz .LBB0_24
	ds_read2_b32 v[0:1], v26 offset1:16
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v12, v0, v1
	ds_write_b64 v26, v[12:13]
.LBB0_24:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[6:7]
	s_cbranch_execz .LBB0_26
	ds_read2_b32 v[0:1], v26 offset1:8
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v12, v0, v1
	ds_write_b64 v26, v[12:13]
.LBB0_26:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[8:9]
	s_cbranch_execz .LBB0_28
	ds_read2_b32 v[0:1], v26 offset1:4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v12, v0, v1
	ds_write_b64 v26, v[12:13]
.LBB0_28:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_30
	ds_read_b32 v0, v26
	ds_read_b32 v1, v27
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v12, v0, v1
	ds_write_b64 v26, v[12:13]
.LBB0_30:
	s_or_b64 exec, exec, s[2:3]
	s_and_b64 s[20:21], s[0:1], vcc
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[20:21]
	s_cbranch_execz .LBB0_2
	ds_read_b32 v12, v26
	v_lshl_add_u64 v[0:1], v[22:23], 3, s[18:19]
	s_waitcnt lgkmcnt(0)
	global_store_dwordx2 v[0:1], v[12:13], off
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
	s_load_dwordx4 s[20:23], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_lshl_b64 s[4:5], s[22:23], 9
	s_lshr_b64 s[6:7], s[22:23], 23
	s_mul_i32 s3, s6, s2
	s_mul_hi_u32 s6, s4, s2
	s_add_i32 s25, s6, s3
	s_mul_i32 s24, s4, s2
	v_mov_b64_e32 v[2:3], s[20:21]
	v_cmp_ge_u64_e32 vcc, s[24:25], v[2:3]
	s_cbranch_vccnz .LBB2_21
	s_mov_b32 s3, 0
	s_lshl_b64 s[28:29], s[2:3], 9
	v_lshlrev_b32_e32 v2, 2, v0
	v_mov_b32_e32 v3, 0
	v_lshl_add_u64 v[8:9], s[28:29], 0, v[2:3]
	v_or_b32_e32 v1, 2, v8
	v_mul_lo_u32 v2, s23, v1
	v_mad_u64_u32 v[4:5], s[30:31], s22, v1, 0
	v_mul_lo_u32 v1, s22, v9
	s_load_dwordx2 s[36:37], s[0:1], 0x18
	s_load_dwordx2 s[26:27], s[0:1], 0x0
	v_add3_u32 v5, v5, v1, v2
	s_lshl_b64 s[30:31], s[2:3], 12
	v_lshlrev_b32_e32 v2, 5, v0
	v_lshl_add_u64 v[6:7], s[30:31], 0, v[2:3]
	v_or_b32_e32 v6, 16, v6
	v_mul_lo_u32 v9, s22, v7
	v_mul_lo_u32 v10, s23, v6
	v_mad_u64_u32 v[6:7], s[2:3], s22, v6, 0
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s2, s36, s23
	s_mul_hi_u32 s3, s36, s22
	s_add_i32 s2, s3, s2
	s_mul_i32 s3, s37, s22
	s_mul_i32 s0, s36, s5
	s_mul_hi_u32 s1, s36, s4
	s_mul_i32 s5, s37, s4
	s_mul_i32 s34, s36, s4
	v_add3_u32 v7, v7, v9, v10
	s_add_i32 s3, s2, s3
	s_mul_i32 s2, s36, s22
	v_mul_lo_u32 v10, s23, v8
	v_mad_u64_u32 v[8:9], s[36:37], s22, v8, 0
	v_add3_u32 v9, v9, v1, v10
	v_lshlrev_b32_e32 v10, 3, v0
	v_mov_b32_e32 v11, v3
	v_lshl_add_u64 v[14:15], s[28:29], 0, v[10:11]
	v_or_b32_e32 v1, 4, v14
	v_mul_lo_u32 v12, s23, v1
	v_mad_u64_u32 v[10:11], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v15
	v_lshlrev_b32_e32 v28, 6, v0
	v_mov_b32_e32 v29, v3
	v_add3_u32 v11, v11, v1, v12
	v_lshl_add_u64 v[12:13], s[30:31], 0, v[28:29]
	v_or_b32_e32 v12, 32, v12
	v_mul_lo_u32 v15, s22, v13
	v_mul_lo_u32 v16, s23, v12
	v_mad_u64_u32 v[12:13], s[36:37], s22, v12, 0
	v_lshlrev_b32_e32 v52, 4, v0
	v_mov_b32_e32 v53, v3
	v_add3_u32 v13, v13, v15, v16
	v_mul_lo_u32 v16, s23, v14
	v_mad_u64_u32 v[14:15], s[36:37], s22, v14, 0
	v_lshl_add_u64 v[20:21], s[28:29], 0, v[52:53]
	v_add3_u32 v15, v15, v1, v16
	v_or_b32_e32 v1, 8, v20
	v_mul_lo_u32 v18, s23, v1
	v_mad_u64_u32 v[16:17], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v21
	v_lshlrev_b32_e32 v34, 7, v0
	v_mov_b32_e32 v35, v3
	v_add3_u32 v17, v17, v1, v18
	v_lshl_add_u64 v[18:19], s[30:31], 0, v[34:35]
	v_or_b32_e32 v18, 64, v18
	v_mul_lo_u32 v21, s22, v19
	v_mul_lo_u32 v22, s23, v18
	v_mad_u64_u32 v[18:19], s[36:37], s22, v18, 0
	v_add3_u32 v19, v19, v21, v22
	v_mul_lo_u32 v22, s23, v20
	v_mad_u64_u32 v[20:21], s[36:37], s22, v20, 0
	v_lshl_add_u64 v[26:27], s[28:29], 0, v[2:3]
	v_add3_u32 v21, v21, v1, v22
	v_or_b32_e32 v1, 16, v26
	v_mul_lo_u32 v2, s23, v1
	v_mad_u64_u32 v[22:23], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v27
	v_add3_u32 v23, v23, v1, v2
	v_lshlrev_b32_e32 v2, 8, v0
	v_lshl_add_u64 v[24:25], s[30:31], 0, v[2:3]
	v_or_b32_e32 v24, 0x80, v24
	v_mul_lo_u32 v27, s22, v25
	v_mul_lo_u32 v30, s23, v24
	v_mad_u64_u32 v[24:25], s[36:37], s22, v24, 0
	v_add3_u32 v25, v25, v27, v30
	v_mul_lo_u32 v30, s23, v26
	v_mad_u64_u32 v[26:27], s[36:37], s22, v26, 0
	v_lshl_add_u64 v[32:33], s[28:29], 0, v[28:29]
	v_add3_u32 v27, v27, v1, v30
	v_or_b32_e32 v1, 32, v32
	v_mul_lo_u32 v30, s23, v1
	v_mad_u64_u32 v[28:29], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v33
	v_lshlrev_b32_e32 v46, 9, v0
	v_mov_b32_e32 v47, v3
	v_add3_u32 v29, v29, v1, v30
	v_lshl_add_u64 v[30:31], s[30:31], 0, v[46:47]
	v_or_b32_e32 v30, 0x100, v30
	v_mul_lo_u32 v33, s22, v31
	v_mul_lo_u32 v36, s23, v30
	v_mad_u64_u32 v[30:31], s[36:37], s22, v30, 0
	v_add3_u32 v31, v31, v33, v36
	v_mul_lo_u32 v36, s23, v32
	v_mad_u64_u32 v[32:33], s[36:37], s22, v32, 0
	v_lshl_add_u64 v[38:39], s[28:29], 0, v[34:35]
	v_add3_u32 v33, v33, v1, v36
	v_or_b32_e32 v1, 64, v38
	v_mul_lo_u32 v36, s23, v1
	v_mad_u64_u32 v[34:35], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v39
	v_add3_u32 v35, v35, v1, v36
	v_lshlrev_b32_e32 v36, 10, v0
	v_mov_b32_e32 v37, v3
	v_lshl_add_u64 v[36:37], s[30:31], 0, v[36:37]
	v_or_b32_e32 v36, 0x200, v36
	v_mul_lo_u32 v39, s22, v37
	v_mul_lo_u32 v40, s23, v36
	v_mad_u64_u32 v[36:37], s[36:37], s22, v36, 0
	v_add3_u32 v37, v37, v39, v40
	v_mul_lo_u32 v40, s23, v38
	v_mad_u64_u32 v[38:39], s[36:37], s22, v38, 0
	v_lshl_add_u64 v[44:45], s[28:29], 0, v[2:3]
	v_add3_u32 v39, v39, v1, v40
	v_or_b32_e32 v1, 0x80, v44
	v_mul_lo_u32 v2, s23, v1
	v_mad_u64_u32 v[40:41], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v45
	v_add3_u32 v41, v41, v1, v2
	v_lshlrev_b32_e32 v2, 11, v0
	v_lshl_add_u64 v[42:43], s[30:31], 0, v[2:3]
	v_or_b32_e32 v2, 0x400, v42
	v_mul_lo_u32 v45, s22, v43
	v_mul_lo_u32 v48, s23, v2
	v_mad_u64_u32 v[42:43], s[36:37], s22, v2, 0
	v_add3_u32 v43, v43, v45, v48
	v_mul_lo_u32 v2, s23, v44
	v_mad_u64_u32 v[44:45], s[36:37], s22, v44, 0
	v_lshl_add_u64 v[50:51], s[28:29], 0, v[46:47]
	v_add3_u32 v45, v45, v1, v2
	v_or_b32_e32 v1, 0x100, v50
	v_mul_lo_u32 v2, s23, v1
	v_mad_u64_u32 v[46:47], s[36:37], s22, v1, 0
	v_mul_lo_u32 v1, s22, v51
	v_add3_u32 v47, v47, v1, v2
	v_lshlrev_b32_e32 v2, 12, v0
	v_lshl_add_u64 v[48:49], s[30:31], 0, v[2:3]
	v_or_b32_e32 v2, 0x800, v48
	v_mul_lo_u32 v51, s22, v49
	v_mul_lo_u32 v53, s23, v2
	v_mad_u64_u32 v[48:49], s[36:37], s22, v2, 0
	v_add3_u32 v49, v49, v51, v53
	v_mul_lo_u32 v2, s23, v50
	v_mad_u64_u32 v[50:51], s[36:37], s22, v50, 0
	v_add3_u32 v51, v51, v1, v2
	v_or3_b32 v1, s30, v52, 8
	s_add_i32 s0, s1, s0
	v_mul_lo_u32 v2, s23, v1
	v_mad_u64_u32 v[52:53], s[36:37], s22, v1, 0
	s_mul_i32 s30, s22, s31
	s_add_i32 s33, s0, s5
	s_movk_i32 s0, 0x100
	s_movk_i32 s4, 0x80
	v_add3_u32 v53, v53, s30, v2
	v_lshl_or_b32 v2, v0, 1, s28
	v_cmp_gt_u32_e64 s[0:1], s0, v0
	v_cmp_gt_u32_e64 s[18:19], s4, v0
	v_cmp_gt_u32_e64 s[4:5], 64, v0
	v_cmp_gt_u32_e64 s[6:7], 32, v0
	v_cmp_gt_u32_e64 s[8:9], 16, v0
	v_cmp_gt_u32_e64 s[10:11], 8, v0
	v_cmp_gt_u32_e64 s[12:13], 4, v0
	v_cmp_gt_u32_e64 s[14:15], 2, v0
	v_cmp_eq_u32_e64 s[16:17], 0, v0
	v_mul_lo_u32 v56, s23, v2
	v_mad_u64_u32 v[0:1], s[30:31], s22, v2, 0
	s_mul_i32 s28, s22, s29
	v_mov_b64_e32 v[54:55], s[22:23]
	v_add3_u32 v1, v1, s28, v56
	v_mad_u64_u32 v[54:55], s[22:23], s22, v2, v[54:55]
	s_lshl_b64 s[2:3], s[2:3], 12
	v_lshlrev_b64 v[8:9], 3, v[8:9]
	v_lshlrev_b64 v[14:15], 3, v[14:15]
	v_lshlrev_b64 v[20:21], 3, v[20:21]
	v_lshlrev_b64 v[26:27], 3, v[26:27]
	v_lshlrev_b64 v[32:33], 3, v[32:33]
	v_lshlrev_b64 v[38:39], 3, v[38:39]
	v_lshlrev_b64 v[44:45], 3, v[44:45]
	v_lshlrev_b64 v[50:51], 3, v[50:51]
	v_lshlrev_b64 v[0:1], 3, v[0:1]
	v_add3_u32 v55, v56, v55, s28
	s_mov_b64 s[22:23], 0
	s_branch .LBB2_3
.LBB2_2:
	s_or_b64 exec, exec, s[28:29]
	s_add_u32 s22, s22, s34
	s_addc_u32 s23, s23, s33
	s_add_u32 s28, s24, s22
	s_addc_u32 s29, s25, s23
	v_mov_b64_e32 v[56:57], s[20:21]
	s_add_u32 s26, s26, s2
	v_cmp_ge_u64_e32 vcc, s[28:29], v[56:57]
	s_addc_u32 s27, s27, s3
	s_barrier
	s_cbranch_vccnz .LBB2_21
.LBB2_3:
	v_lshl_add_u64 v[56:57], v[54:55], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[0:1], vcc
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_5
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[0:1]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[52:53]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_5:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[4:5], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[18:19], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_7
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[8:9]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[6:7]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_7:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[10:11], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[4:5], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_9
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[14:15]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[12:13]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_9:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[16:17], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[6:7], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_11
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[20:21]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[18:19]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_11:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[22:23], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[8:9], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_13
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[26:27]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[24:25]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_13:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[28:29], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[10:11], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_15
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[32:33]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[30:31]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_15:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[34:35], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[12:13], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_17
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[38:39]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[36:37]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_17:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[40:41], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[14:15], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_19
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[44:45]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[42:43]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
.LBB2_19:
	s_or_b64 exec, exec, s[28:29]
	v_lshl_add_u64 v[56:57], v[46:47], 0, s[22:23]
	v_cmp_gt_u64_e32 vcc, s[20:21], v[56:57]
	s_and_b64 s[30:31], s[16:17], vcc
	s_barrier
	s_and_saveexec_b64 s[28:29], s[30:31]
	s_cbranch_execz .LBB2_2
	v_lshl_add_u64 v[56:57], s[26:27], 0, v[50:51]
	v_lshl_add_u64 v[58:59], s[26:27], 0, v[48:49]
	global_load_dword v2, v[56:57], off
	global_load_dword v60, v[58:59], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v60
	global_store_dwordx2 v[56:57], v[2:3], off
	s_branch .LBB2_2
.LBB2_21:
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
		.amdhsa_next_free_vgpr 61
		.amdhsa_next_free_sgpr 38
		.amdhsa_accum_offset 64
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

	.set qd__fold.num_vgpr, 61
	.set qd__fold.num_agpr, 0
	.set qd__fold.numbered_sgpr, 38
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
    .sgpr_count:     44
    .sgpr_spill_count: 0
    .symbol:         qd__fold.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     61
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
