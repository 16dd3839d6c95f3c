// LLVM 22.1.8
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	qd__run
	.p2align	8
	.type	qd__run,@function
qd__run:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_mov_b32 s15, 1
	s_mov_b32 s14, 0
	s_waitcnt lgkmcnt(0)
	s_load_dwordx8 s[0:7], s[8:9], 0x0
	s_mov_b64 s[8:9], 0
	s_waitcnt lgkmcnt(0)
	s_cmp_lg_u64 s[4:5], 0
	s_cbranch_scc0 .LBB0_21
	s_load_dword s22, s[2:3], 0x0
	s_add_u32 s10, s4, -1
	s_addc_u32 s11, s5, -1
	s_mov_b64 s[18:19], -1
	s_cmp_lg_u64 s[10:11], 0
	s_cbranch_scc0 .LBB0_22
	s_ashr_i32 s8, s11, 31
	s_mov_b32 s16, 0xc0bfffff
	s_and_b32 s13, s8, s11
	s_and_b32 s12, s8, s10
	s_mov_b64 s[20:21], 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v0, s22
	v_mov_b32_e32 v1, 0
	s_mov_b32 s15, 0
	s_mov_b32 s17, -1
	v_mov_b64_e32 v[2:3], 0xc00000
	v_mov_b64_e32 v[4:5], 0x7f800000
	v_mov_b32_e32 v6, 0x7fc00000
	s_branch .LBB0_5
.LBB0_3:
	s_mov_b64 s[24:25], 0
.LBB0_4:
	s_and_b64 vcc, exec, s[26:27]
	s_mov_b64 s[20:21], s[18:19]
	s_cbranch_vccnz .LBB0_19
.LBB0_5:
	v_mov_b32_e32 v9, v0
	s_cmp_lg_u64 s[20:21], s[12:13]
	s_mov_b64 s[22:23], 0
	s_mov_b64 s[24:25], -1
	s_mov_b64 s[26:27], -1
	s_cbranch_scc0 .LBB0_4
	v_mov_b64_e32 v[10:11], s[12:13]
	v_cmp_lt_u64_e32 vcc, s[20:21], v[10:11]
	s_and_b64 s[8:9], vcc, exec
	s_cselect_b32 s19, s13, s11
	s_cselect_b32 s18, s12, s10
	v_mov_b32_e32 v0, v9
	s_branch .LBB0_8
.LBB0_7:
	s_mov_b64 s[22:23], -1
	s_mov_b64 s[20:21], s[8:9]
	s_cbranch_execnz .LBB0_17
.LBB0_8:
	s_add_u32 s8, s20, 1
	s_addc_u32 s9, s21, 0
	v_mov_b64_e32 v[10:11], s[4:5]
	v_cmp_ge_u64_e32 vcc, s[8:9], v[10:11]
	s_cbranch_vccnz .LBB0_7
	s_lshl_b64 s[20:21], s[20:21], 2
	s_add_u32 s20, s2, s20
	s_addc_u32 s21, s3, s21
	global_load_dword v7, v1, s[20:21] offset:4
	v_mov_b64_e32 v[10:11], s[16:17]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s26, v7
	s_and_b32 s14, s26, 0x7fffffff
	s_add_u32 s22, s14, 0x80800000
	s_addc_u32 s23, 0, -1
	v_cmp_gt_u64_e32 vcc, s[22:23], v[10:11]
	s_mov_b64 s[22:23], -1
	s_cbranch_vccz .LBB0_13
	s_and_b32 s27, s26, 0x7fffff
	s_lshr_b32 s22, s14, 23
	s_or_b32 s24, s27, 0x800000
	s_add_u32 s22, s22, 0xffffff80
	s_addc_u32 s23, 0, -1
	s_mov_b32 s25, s15
	s_add_u32 s27, s27, 0xffc00000
	s_addc_u32 s30, 0, -1
	v_cmp_lt_u64_e32 vcc, s[24:25], v[2:3]
	s_and_b64 s[28:29], vcc, exec
	s_cselect_b32 s24, s24, s27
	s_cselect_b32 s25, 0, s30
	s_cmp_eq_u64 s[22:23], 0
	s_cbranch_scc1 .LBB0_12
.LBB0_11:
	v_cmp_lt_u64_e64 s[28:29], s[22:23], 40
	s_and_b64 s[28:29], s[28:29], exec
	s_cselect_b32 s28, s22, 40
	s_cselect_b32 s27, s23, 0
	s_lshl_b64 s[24:25], s[24:25], s28
	s_sub_u32 s22, s22, s28
	s_mul_i32 s31, s25, 0xaaaaaaab
	s_mul_hi_u32 s33, s24, 0xaaaaaaab
	s_subb_u32 s23, s23, s27
	s_mul_hi_u32 s30, s25, 0xaaaaaaab
	s_add_u32 s27, s31, s33
	s_mul_i32 s29, s24, 0xaaaaaaaa
	s_addc_u32 s30, s30, 0
	s_mul_hi_u32 s28, s24, 0xaaaaaaaa
	s_add_u32 s27, s29, s27
	s_addc_u32 s27, s28, 0
	s_add_u32 s27, s30, s27
	s_mul_i32 s35, s25, 0xaaaaaaaa
	s_addc_u32 s29, 0, 0
	s_mul_hi_u32 s34, s25, 0xaaaaaaaa
	s_add_u32 s28, s35, s27
	s_addc_u32 s29, s34, s29
	s_lshr_b32 s27, s29, 23
	s_lshr_b64 s[28:29], s[28:29], 23
	s_mul_i32 s27, s27, 0xc00000
	s_mul_hi_u32 s29, s28, 0xc00000
	s_mul_i32 s28, s28, 0xc00000
	s_add_i32 s29, s29, s27
	s_sub_u32 s24, s24, s28
	s_subb_u32 s25, s25, s29
	s_cmp_lg_u64 s[22:23], 0
	s_cbranch_scc1 .LBB0_11
.LBB0_12:
	s_flbit_i32_b64 s22, s[24:25]
	s_min_u32 s22, s22, 64
	s_sub_i32 s28, s22, 40
	s_lshl_b64 s[22:23], s[24:25], s28
	s_lshl_b32 s23, s28, 23
	s_xor_b32 s23, s23, 1.0
	s_and_b32 s27, s26, 0x80000000
	s_add_i32 s23, s23, s22
	s_cmp_lg_u64 s[24:25], 0
	s_cselect_b32 s22, s23, 0
	s_or_b32 s24, s22, s27
	s_mov_b64 s[22:23], 0
.LBB0_13:
	s_and_b64 vcc, exec, s[22:23]
	s_cbranch_vccz .LBB0_15
	v_mov_b32_e32 v7, s26
	v_cmp_lt_u64_e32 vcc, s[14:15], v[4:5]
	s_nop 1
	v_cndmask_b32_e32 v7, v6, v7, vcc
	s_branch .LBB0_16
.LBB0_15:
	v_mov_b32_e32 v7, s24
.LBB0_16:
	v_mul_f32_e32 v0, 0.5, v0
	v_add_f32_e32 v0, v0, v7
	s_cmp_eq_u64 s[8:9], s[18:19]
	global_store_dword v1, v0, s[20:21] offset:4
	s_mov_b64 s[22:23], 0
	s_cselect_b64 s[20:21], -1, 0
	s_and_b64 vcc, exec, s[20:21]
	s_mov_b64 s[20:21], s[8:9]
	s_cbranch_vccz .LBB0_8
.LBB0_17:
	s_xor_b64 s[20:21], s[22:23], -1
	s_mov_b64 s[22:23], -1
	s_and_b64 vcc, exec, s[20:21]
	s_mov_b64 s[26:27], -1
	s_cbranch_vccz .LBB0_3
	s_cmp_eq_u64 s[18:19], s[10:11]
	s_mov_b64 s[22:23], 0
	s_cselect_b64 s[26:27], -1, 0
	s_branch .LBB0_3
.LBB0_19:
	s_xor_b64 s[14:15], s[24:25], -1
	s_andn2_b64 vcc, exec, s[14:15]
	s_mov_b32 s15, 1
	s_cbranch_vccnz .LBB0_23
	s_xor_b64 s[18:19], s[22:23], -1
	s_mov_b64 s[16:17], -1
	s_mov_b32 s14, s15
	s_cbranch_execz .LBB0_24
	s_branch .LBB0_34
.LBB0_21:
	s_mov_b64 s[16:17], -1
	s_branch .LBB0_36
.LBB0_22:
	s_mov_b64 s[16:17], 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v0, s22
	s_branch .LBB0_34
.LBB0_23:
	s_mov_b64 s[16:17], 0
	s_mov_b64 s[8:9], 0
	s_mov_b32 s14, 0
	s_mov_b64 s[18:19], 0
.LBB0_24:
	v_mov_b32_e32 v2, 0xc0bfffff
	v_mov_b32_e32 v1, 0
	s_mov_b32 s19, 0
	v_mov_b32_e32 v3, -1
	v_mov_b64_e32 v[4:5], 0xc00000
	v_mov_b64_e32 v[6:7], 0x7f800000
	v_mov_b32_e32 v8, 0x7fc00000
	v_mov_b32_e32 v0, v9
	s_branch .LBB0_27
.LBB0_25:
	v_mov_b32_e32 v9, s26
	v_cmp_lt_u64_e32 vcc, s[18:19], v[6:7]
	s_nop 1
	v_cndmask_b32_e32 v9, v8, v9, vcc
.LBB0_26:
	s_add_u32 s12, s12, 1
	s_addc_u32 s13, s13, 0
	v_mul_f32_e32 v0, 0.5, v0
	v_add_f32_e32 v0, v0, v9
	s_cmp_eq_u64 s[12:13], s[10:11]
	global_store_dword v1, v0, s[20:21] offset:4
	s_cbranch_scc1 .LBB0_33
.LBB0_27:
	s_lshl_b64 s[20:21], s[12:13], 2
	s_add_u32 s20, s2, s20
	s_addc_u32 s21, s3, s21
	global_load_dword v9, v1, s[20:21] offset:4
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s26, v9
	s_and_b32 s18, s26, 0x7fffffff
	s_add_u32 s22, s18, 0x80800000
	s_addc_u32 s23, 0, -1
	v_cmp_gt_u64_e32 vcc, s[22:23], v[2:3]
	s_mov_b64 s[22:23], -1
	s_cbranch_vccz .LBB0_31
	s_and_b32 s27, s26, 0x7fffff
	s_lshr_b32 s22, s18, 23
	s_or_b32 s24, s27, 0x800000
	s_add_u32 s22, s22, 0xffffff80
	s_addc_u32 s23, 0, -1
	s_mov_b32 s25, s19
	s_add_u32 s27, s27, 0xffc00000
	s_addc_u32 s30, 0, -1
	v_cmp_lt_u64_e32 vcc, s[24:25], v[4:5]
	s_and_b64 s[28:29], vcc, exec
	s_cselect_b32 s24, s24, s27
	s_cselect_b32 s25, 0, s30
	s_cmp_eq_u64 s[22:23], 0
	s_cbranch_scc1 .LBB0_30
.LBB0_29:
	v_cmp_lt_u64_e64 s[28:29], s[22:23], 40
	s_and_b64 s[28:29], s[28:29], exec
	s_cselect_b32 s28, s22, 40
	s_cselect_b32 s27, s23, 0
	s_lshl_b64 s[24:25], s[24:25], s28
	s_sub_u32 s22, s22, s28
	s_mul_i32 s31, s25, 0xaaaaaaab
	s_mul_hi_u32 s33, s24, 0xaaaaaaab
	s_subb_u32 s23, s23, s27
	s_mul_hi_u32 s30, s25, 0xaaaaaaab
	s_add_u32 s27, s31, s33
	s_mul_i32 s29, s24, 0xaaaaaaaa
	s_addc_u32 s30, s30, 0
	s_mul_hi_u32 s28, s24, 0xaaaaaaaa
	s_add_u32 s27, s29, s27
	s_addc_u32 s27, s28, 0
	s_add_u32 s27, s30, s27
	s_mul_i32 s35, s25, 0xaaaaaaaa
	s_addc_u32 s29, 0, 0
	s_mul_hi_u32 s34, s25, 0xaaaaaaaa
	s_add_u32 s28, s35, s27
	s_addc_u32 s29, s34, s29
	s_lshr_b32 s27, s29, 23
	s_lshr_b64 s[28:29], s[28:29], 23
	s_mul_i32 s27, s27, 0xc00000
	s_mul_hi_u32 s29, s28, 0xc00000
	s_mul_i32 s28, s28, 0xc00000
	s_add_i32 s29, s29, s27
	s_sub_u32 s24, s24, s28
	s_subb_u32 s25, s25, s29
	s_cmp_lg_u64 s[22:23], 0
	s_cbranch_scc1 .LBB0_29
.LBB0_30:
	s_flbit_i32_b64 s22, s[24:25]
	s_min_u32 s22, s22, 64
	s_sub_i32 s28, s22, 40
	s_lshl_b64 s[22:23], s[24:25], s28
	s_lshl_b32 s23, s28, 23
	s_xor_b32 s23, s23, 1.0
	s_and_b32 s27, s26, 0x80000000
	s_add_i32 s23, s23, s22
	s_cmp_lg_u64 s[24:25], 0
	s_cselect_b32 s22, s23, 0
	s_or_b32 s24, s22, s27
	s_mov_b64 s[22:23], 0
.LBB0_31:
	s_and_b64 vcc, exec, s[22:23]
	s_cbranch_vccnz .LBB0_25
	v_mov_b32_e32 v9, s24
	s_branch .LBB0_26
.LBB0_33:
	s_mov_b64 s[18:19], -1
.LBB0_34:
	s_and_b64 vcc, exec, s[18:19]
	s_cbranch_vccz .LBB0_36
	v_mov_b32_e32 v1, 0
	global_store_dwordx2 v1, v[0:1], s[6:7]
	s_mov_b64 s[16:17], 0
.LBB0_36:
	s_and_b64 vcc, exec, s[16:17]
	s_cbranch_vccz .LBB0_42
	v_mov_b32_e32 v2, 0
	v_mov_b64_e32 v[0:1], 0
	global_atomic_swap_x2 v[0:1], v2, v[0:1], s[0:1] sc0
	s_waitcnt vmcnt(0)
	v_cmp_eq_u64_e32 vcc, 0, v[0:1]
	s_and_b64 s[2:3], vcc, exec
	s_cbranch_scc1 .LBB0_42
	v_mbcnt_lo_u32_b32 v0, exec_lo, 0
	v_mbcnt_hi_u32_b32 v2, exec_hi, v0
	v_cmp_ne_u32_e32 vcc, 0, v2
	s_and_b64 s[2:3], vcc, exec
	s_cbranch_scc0 .LBB0_40
	s_branch .LBB0_41
.LBB0_40:
	s_bcnt1_i32_b64 s2, exec
	v_mov_b32_e32 v0, s2
	v_mov_b32_e32 v1, 0
	global_atomic_add_x2 v[0:1], v1, v[0:1], s[0:1] offset:8 sc0
.LBB0_41:
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s2, v0
	v_mov_b64_e32 v[4:5], s[14:15]
	s_nop 0
	v_add_u32_e32 v0, s2, v2
	s_add_u32 s2, s14, s4
	s_addc_u32 s3, s15, s5
	v_and_b32_e32 v0, 0x3ff, v0
	s_add_u32 s2, s2, s8
	v_mul_lo_u32 v2, v0, 56
	s_addc_u32 s3, s3, s9
	v_mov_b64_e32 v[0:1], 0
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:32 sc1
	global_store_dwordx2 v2, v[4:5], s[0:1] offset:40 sc1
	v_mov_b64_e32 v[4:5], s[2:3]
	global_store_dwordx2 v2, v[4:5], s[0:1] offset:48 sc1
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:56 sc1
	v_mov_b64_e32 v[4:5], s[4:5]
	global_store_dwordx2 v2, v[4:5], s[0:1] offset:64 sc1
	v_mov_b64_e32 v[4:5], s[8:9]
	global_store_dwordx2 v2, v[4:5], s[0:1] offset:72 sc1
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:80 sc1
.LBB0_42:
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
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 36
		.amdhsa_accum_offset 12
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

	.set qd__run.num_vgpr, 12
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 36
	.set qd__run.num_named_barrier, 0
	.set qd__run.private_seg_size, 0
	.set qd__run.uses_vcc, 1
	.set qd__run.uses_flat_scratch, 0
	.set qd__run.has_dyn_sized_stack, 0
	.set qd__run.has_recursion, 0
	.set qd__run.has_indirect_call, 0
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
    .max_flat_workgroup_size: 1
    .name:           qd__run
    .private_segment_fixed_size: 0
    .sgpr_count:     42
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     12
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
