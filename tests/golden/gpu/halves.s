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
	s_cbranch_execz .LBB0_18
	s_load_dwordx2 s[22:23], s[0:1], 0x0
	s_load_dwordx2 s[24:25], s[0:1], 0x18
	v_lshl_add_u64 v[12:13], s[12:13], 0, v[2:3]
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v1, v4
	s_waitcnt lgkmcnt(0)
	s_load_dwordx4 s[8:11], s[22:23], 0x0
	s_lshl_b64 s[18:19], s[24:25], 8
	s_load_dwordx8 s[0:7], s[22:23], 0x18
	s_mov_b64 s[16:17], 0
	v_mov_b32_e32 v5, 1
	s_waitcnt lgkmcnt(0)
	s_add_u32 s12, s10, s12
	s_addc_u32 s13, s11, s13
	s_add_u32 s20, s12, s20
	s_addc_u32 s21, s13, s21
	v_lshl_add_u64 v[0:1], s[20:21], 0, v[0:1]
	s_lshl_b64 s[12:13], s[24:25], 9
	v_lshlrev_b64 v[10:11], 1, v[0:1]
	v_mov_b32_e32 v14, 2
	s_branch .LBB0_5
.LBB0_2:
	s_or_b64 exec, exec, s[34:35]
	s_xor_b64 s[34:35], exec, -1
	s_orn2_b64 s[30:31], s[30:31], exec
.LBB0_3:
	s_or_b64 exec, exec, s[28:29]
	s_andn2_b64 s[24:25], s[24:25], exec
	s_and_b64 s[28:29], s[34:35], exec
	v_mov_b32_e32 v15, v5
	s_or_b64 s[24:25], s[24:25], s[28:29]
	s_andn2_b64 s[22:23], s[22:23], exec
	s_and_b64 s[28:29], s[30:31], exec
	v_mov_b64_e32 v[6:7], s[2:3]
	s_or_b64 s[22:23], s[22:23], s[28:29]
	v_mov_b64_e32 v[8:9], v[14:15]
.LBB0_4:
	s_or_b64 exec, exec, s[26:27]
	s_and_b64 s[26:27], exec, s[22:23]
	s_or_b64 s[16:17], s[26:27], s[16:17]
	s_andn2_b64 s[20:21], s[20:21], exec
	s_and_b64 s[26:27], s[24:25], exec
	s_or_b64 s[20:21], s[20:21], s[26:27]
	s_andn2_b64 exec, exec, s[16:17]
	s_cbranch_execz .LBB0_9
.LBB0_5:
	v_mov_b64_e32 v[2:3], v[12:13]
	v_lshl_add_u64 v[0:1], s[10:11], 0, v[2:3]
	v_cmp_gt_u64_e32 vcc, s[6:7], v[0:1]
	v_mov_b64_e32 v[6:7], s[6:7]
	s_or_b64 s[24:25], s[24:25], exec
	s_or_b64 s[22:23], s[22:23], exec
	v_mov_b64_e32 v[8:9], v[4:5]
	s_and_saveexec_b64 s[26:27], vcc
	s_cbranch_execz .LBB0_4
	v_cmp_gt_u64_e32 vcc, s[2:3], v[0:1]
	s_mov_b64 s[30:31], -1
	s_mov_b64 s[34:35], -1
	s_and_saveexec_b64 s[28:29], vcc
	s_xor_b64 s[28:29], exec, s[28:29]
	s_cbranch_execz .LBB0_3
	v_lshl_add_u64 v[6:7], s[4:5], 0, v[10:11]
	global_load_ushort v12, v[6:7], off
	v_lshl_add_u64 v[6:7], s[0:1], 0, v[10:11]
	global_load_ushort v13, v[6:7], off
	v_mov_b32_e32 v9, s15
	v_sub_co_u32_e32 v8, vcc, s14, v2
	s_nop 1
	v_subb_co_u32_e32 v9, vcc, v9, v3, vcc
	v_cmp_lt_u64_e32 vcc, s[18:19], v[8:9]
	s_waitcnt vmcnt(1)
	v_mul_f16_e32 v8, v12, v12
	s_waitcnt vmcnt(0)
	v_add_f16_e32 v8, v8, v13
	global_store_short v[6:7], v8, off
	s_and_saveexec_b64 s[34:35], vcc
	s_cbranch_execz .LBB0_2
	global_load_dwordx2 v[6:7], v4, s[8:9] sc1
	v_lshl_add_u64 v[12:13], v[2:3], 0, s[18:19]
	v_lshl_add_u64 v[10:11], v[10:11], 0, s[12:13]
	s_waitcnt vmcnt(0)
	v_cmp_gt_u64_e32 vcc, v[12:13], v[6:7]
	s_orn2_b64 s[30:31], vcc, exec
	s_branch .LBB0_2
.LBB0_9:
	s_or_b64 exec, exec, s[16:17]
	s_and_saveexec_b64 s[0:1], s[20:21]
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_18
	s_mov_b64 s[2:3], exec
	s_mov_b64 s[0:1], -1
.LBB0_11:
	s_ff1_i32_b64 s6, s[2:3]
	v_readlane_b32 s7, v3, s6
	v_readlane_b32 s10, v2, s6
	s_mov_b32 m0, s6
	v_mov_b32_e32 v11, s7
	v_mov_b32_e32 v10, s10
	v_cmp_lt_u64_e32 vcc, s[0:1], v[10:11]
	s_and_b64 s[4:5], vcc, exec
	v_writelane_b32 v5, s1, m0
	v_writelane_b32 v4, s0, m0
	s_cselect_b32 s1, s1, s7
	s_cselect_b32 s0, s0, s10
	s_lshl_b64 s[4:5], 1, s6
	s_andn2_b64 s[2:3], s[2:3], s[4:5]
	s_cbranch_scc1 .LBB0_11
	v_mbcnt_lo_u32_b32 v10, exec_lo, 0
	v_mbcnt_hi_u32_b32 v10, exec_hi, v10
	v_cmp_eq_u32_e32 vcc, 0, v10
	s_and_saveexec_b64 s[2:3], vcc
	s_xor_b64 s[2:3], exec, s[2:3]
	s_cbranch_execz .LBB0_14
	v_mov_b32_e32 v12, 0
	v_mov_b64_e32 v[10:11], s[0:1]
	global_atomic_umin_x2 v[10:11], v12, v[10:11], s[8:9] sc0
.LBB0_14:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s1, v11
	v_readfirstlane_b32 s0, v10
	s_nop 0
	v_mov_b32_e32 v10, s1
	v_cmp_lt_u64_e32 vcc, s[0:1], v[4:5]
	s_nop 1
	v_cndmask_b32_e32 v5, v5, v10, vcc
	v_mov_b32_e32 v10, s0
	v_cndmask_b32_e32 v4, v4, v10, vcc
	v_cmp_gt_u64_e32 vcc, v[4:5], v[2:3]
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB0_18
	s_mov_b64 s[2:3], exec
	v_mbcnt_lo_u32_b32 v4, s2, 0
	v_mbcnt_hi_u32_b32 v10, s3, v4
	v_cmp_eq_u32_e32 vcc, 0, v10
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_17
	s_bcnt1_i32_b64 s2, s[2:3]
	v_mov_b32_e32 v4, s2
	v_mov_b32_e32 v5, 0
	global_atomic_add_x2 v[4:5], v5, v[4:5], s[8:9] offset:8 sc0
.LBB0_17:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s0, v4
	s_nop 1
	v_add_u32_e32 v4, s0, v10
	v_and_b32_e32 v4, 0x3ff, v4
	v_lshl_add_u64 v[10:11], v[0:1], 0, v[2:3]
	v_mad_u64_u32 v[4:5], s[0:1], v4, 56, s[8:9]
	v_lshl_add_u64 v[10:11], v[10:11], 0, v[8:9]
	v_lshl_add_u64 v[10:11], v[10:11], 0, v[6:7]
	global_store_dwordx2 v[4:5], v[2:3], off offset:32 sc1
	global_store_dwordx2 v[4:5], v[8:9], off offset:40 sc1
	global_store_dwordx2 v[4:5], v[10:11], off offset:48 sc1
	v_mov_b64_e32 v[2:3], 0
	global_store_dwordx2 v[4:5], v[2:3], off offset:56 sc1
	global_store_dwordx2 v[4:5], v[6:7], off offset:64 sc1
	global_store_dwordx2 v[4:5], v[0:1], off offset:72 sc1
	global_store_dwordx2 v[4:5], v[2:3], off offset:80 sc1
.LBB0_18:
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
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 36
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
.Lfunc_end0:
	.size	qd__run, .Lfunc_end0-qd__run

	.set qd__run.num_vgpr, 16
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 36
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
    .sgpr_count:     42
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     16
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
