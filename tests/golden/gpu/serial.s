// LLVM 22.1.8
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	qd__run
	.p2align	8
	.type	qd__run,@function
qd__run:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_load_dwordx8 s[0:7], s[8:9], 0x0
	s_waitcnt lgkmcnt(0)
	s_cmp_lg_u64 s[4:5], 0
	s_cbranch_scc0 .LBB0_12
	s_load_dword s10, s[2:3], 0x0
	s_mov_b64 s[8:9], 1
	s_cmp_eq_u64 s[4:5], 1
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v0, s10
	s_cbranch_scc1 .LBB0_11
	v_mov_b32_e32 v2, 0xc0bfffff
	v_mov_b32_e32 v0, s10
	v_mov_b32_e32 v1, 0
	s_mov_b32 s11, 0
	v_mov_b32_e32 v3, -1
	v_mov_b64_e32 v[4:5], 0xc00000
	v_mov_b64_e32 v[6:7], 0x7f800000
	v_mov_b32_e32 v8, 0x7fc00000
	s_branch .LBB0_5
.LBB0_3:
	v_mov_b32_e32 v9, s18
	v_cmp_lt_u64_e32 vcc, s[10:11], v[6:7]
	s_nop 1
	v_cndmask_b32_e32 v9, v8, v9, vcc
.LBB0_4:
	s_add_u32 s8, s8, 1
	v_mul_f32_e32 v0, 0.5, v0
	s_addc_u32 s9, s9, 0
	v_add_f32_e32 v0, v0, v9
	s_cmp_eq_u64 s[8:9], s[4:5]
	global_store_dword v1, v0, s[12:13]
	s_cbranch_scc1 .LBB0_11
.LBB0_5:
	s_lshl_b64 s[12:13], s[8:9], 2
	s_add_u32 s12, s2, s12
	s_addc_u32 s13, s3, s13
	global_load_dword v9, v1, s[12:13]
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s18, v9
	s_and_b32 s10, s18, 0x7fffffff
	s_add_u32 s14, s10, 0x80800000
	s_addc_u32 s15, 0, -1
	v_cmp_gt_u64_e32 vcc, s[14:15], v[2:3]
	s_mov_b64 s[14:15], -1
	s_cbranch_vccz .LBB0_9
	s_and_b32 s19, s18, 0x7fffff
	s_lshr_b32 s14, s10, 23
	s_or_b32 s16, s19, 0x800000
	s_add_u32 s14, s14, 0xffffff80
	s_addc_u32 s15, 0, -1
	s_mov_b32 s17, s11
	s_add_u32 s19, s19, 0xffc00000
	s_addc_u32 s22, 0, -1
	v_cmp_lt_u64_e32 vcc, s[16:17], v[4:5]
	s_and_b64 s[20:21], vcc, exec
	s_cselect_b32 s16, s16, s19
	s_cselect_b32 s17, 0, s22
	s_cmp_eq_u64 s[14:15], 0
	s_cbranch_scc1 .LBB0_8
.LBB0_7:
	v_cmp_lt_u64_e64 s[20:21], s[14:15], 40
	s_and_b64 s[20:21], s[20:21], exec
	s_cselect_b32 s20, s14, 40
	s_cselect_b32 s19, s15, 0
	s_lshl_b64 s[16:17], s[16:17], s20
	s_sub_u32 s14, s14, s20
	s_mul_i32 s23, s17, 0xaaaaaaab
	s_mul_hi_u32 s24, s16, 0xaaaaaaab
	s_subb_u32 s15, s15, s19
	s_mul_hi_u32 s22, s17, 0xaaaaaaab
	s_add_u32 s19, s23, s24
	s_mul_i32 s21, s16, 0xaaaaaaaa
	s_addc_u32 s22, s22, 0
	s_mul_hi_u32 s20, s16, 0xaaaaaaaa
	s_add_u32 s19, s21, s19
	s_addc_u32 s19, s20, 0
	s_add_u32 s19, s22, s19
	s_mul_i32 s26, s17, 0xaaaaaaaa
	s_addc_u32 s21, 0, 0
	s_mul_hi_u32 s25, s17, 0xaaaaaaaa
	s_add_u32 s20, s26, s19
	s_addc_u32 s21, s25, s21
	s_lshr_b32 s19, s21, 23
	s_lshr_b64 s[20:21], s[20:21], 23
	s_mul_i32 s19, s19, 0xc00000
	s_mul_hi_u32 s21, s20, 0xc00000
	s_mul_i32 s20, s20, 0xc00000
	s_add_i32 s21, s21, s19
	s_sub_u32 s16, s16, s20
	s_subb_u32 s17, s17, s21
	s_cmp_lg_u64 s[14:15], 0
	s_cbranch_scc1 .LBB0_7
.LBB0_8:
	s_flbit_i32_b64 s14, s[16:17]
	s_min_u32 s14, s14, 64
	s_sub_i32 s20, s14, 40
	s_lshl_b64 s[14:15], s[16:17], s20
	s_lshl_b32 s15, s20, 23
	s_xor_b32 s15, s15, 1.0
	s_and_b32 s19, s18, 0x80000000
	s_add_i32 s15, s15, s14
	s_cmp_lg_u64 s[16:17], 0
	s_cselect_b32 s14, s15, 0
	s_or_b32 s16, s14, s19
	s_mov_b64 s[14:15], 0
.LBB0_9:
	s_and_b64 vcc, exec, s[14:15]
	s_cbranch_vccnz .LBB0_3
	v_mov_b32_e32 v9, s16
	s_branch .LBB0_4
.LBB0_11:
	v_mov_b32_e32 v1, 0
	global_store_dwordx2 v1, v[0:1], s[6:7]
	s_branch .LBB0_16
.LBB0_12:
	s_cbranch_execz .LBB0_16
	v_mov_b32_e32 v2, 0
	v_mov_b64_e32 v[0:1], 0
	global_atomic_swap_x2 v[0:1], v2, v[0:1], s[0:1] sc0
	s_waitcnt vmcnt(0)
	v_cmp_eq_u64_e32 vcc, 0, v[0:1]
	s_and_b64 s[2:3], vcc, exec
	s_cbranch_scc1 .LBB0_16
	v_mbcnt_lo_u32_b32 v0, exec_lo, 0
	v_mbcnt_hi_u32_b32 v2, exec_hi, v0
	v_cmp_ne_u32_e32 vcc, 0, v2
	s_and_b64 s[2:3], vcc, exec
	s_mov_b32 s2, 0
	s_cbranch_scc0 .LBB0_17
	s_branch .LBB0_18
.LBB0_16:
	s_endpgm
.LBB0_17:
	s_bcnt1_i32_b64 s3, exec
	v_mov_b32_e32 v0, s3
	v_mov_b32_e32 v1, 0
	global_atomic_add_x2 v[0:1], v1, v[0:1], s[0:1] offset:8 sc0
.LBB0_18:
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s3, v0
	s_nop 1
	v_add_u32_e32 v0, s3, v2
	v_and_b32_e32 v0, 0x3ff, v0
	s_mov_b32 s3, 1
	v_mul_lo_u32 v2, v0, 56
	v_mov_b64_e32 v[0:1], 0
	v_mov_b64_e32 v[4:5], s[2:3]
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:32 sc1
	global_store_dwordx2 v2, v[4:5], s[0:1] offset:40 sc1
	global_store_dwordx2 v2, v[4:5], s[0:1] offset:48 sc1
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:56 sc1
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:64 sc1
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:72 sc1
	global_store_dwordx2 v2, v[0:1], s[0:1] offset:80 sc1
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
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 27
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

	.set qd__run.num_vgpr, 10
	.set qd__run.num_agpr, 0
	.set qd__run.numbered_sgpr, 27
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
    .sgpr_count:     33
    .sgpr_spill_count: 0
    .symbol:         qd__run.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
