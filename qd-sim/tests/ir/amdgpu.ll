; Kernels as an AMDGPU module has them, by hand.
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@shared = internal addrspace(3) global [256 x float] poison, align 4
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 4

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare float @llvm.fma.f32(float, float, float)
declare void @llvm.lifetime.start.p5(ptr addrspace(5))
declare void @llvm.lifetime.end.p5(ptr addrspace(5))

; y[i] = fma(a, x[i], y[i]), grid-stride; the numbers of lanes and blocks from the hidden arguments.
define amdgpu_kernel void @saxpy(i64 %n, float %a, ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %y) #0 {
entry:
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %nblk = load i32, ptr addrspace(4) %hidden, align 4, !invariant.load !0
  %psize = getelementptr inbounds i8, ptr addrspace(4) %hidden, i64 12
  %size16 = load i16, ptr addrspace(4) %psize, align 4, !invariant.load !0
  %size = zext i16 %size16 to i32
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %wg = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %wg, %size
  %first = add i32 %base, %tid
  %i0 = zext i32 %first to i64
  %stride32 = mul i32 %nblk, %size
  %stride = zext i32 %stride32 to i64
  br label %head
head:
  %i = phi i64 [ %i0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  %vy = load float, ptr addrspace(1) %py, align 4
  %r = call float @llvm.fma.f32(float %a, float %vx, float %vy)
  store float %r, ptr addrspace(1) %py, align 4
  %next = add i64 %i, %stride
  br label %head
exit:
  ret void
}

; Adds up a block's 256 values in shared memory, and the blocks' sums by an atomic addition.
define amdgpu_kernel void @sum(ptr addrspace(1) %x, ptr addrspace(1) %out) #1 {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %wg = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %wg, 256
  %g = add i32 %base, %tid
  %i = zext i32 %g to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %px, align 4
  %ps = getelementptr inbounds [256 x float], ptr addrspace(3) @shared, i32 0, i32 %tid
  store float %v, ptr addrspace(3) %ps, align 4
  br label %loop
loop:
  %s = phi i32 [ 128, %entry ], [ %half, %join ]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %low = icmp ult i32 %tid, %s
  br i1 %low, label %act, label %join
act:
  %oi = add i32 %tid, %s
  %po = getelementptr inbounds [256 x float], ptr addrspace(3) @shared, i32 0, i32 %oi
  %vo = load float, ptr addrspace(3) %po, align 4
  %vm = load float, ptr addrspace(3) %ps, align 4
  %two = fadd float %vo, %vm
  store float %two, ptr addrspace(3) %ps, align 4
  br label %join
join:
  %half = lshr i32 %s, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %done
done:
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %write, label %exit
write:
  %r = load float, ptr addrspace(3) @shared, align 4
  %old = atomicrmw fadd ptr addrspace(1) %out, float %r syncscope("agent") monotonic, align 4, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0, !amdgpu.ignore.denormal.mode !0
  br label %exit
exit:
  ret void
}

; What each lane of a launch adds: atomics of several kinds, and a loop that compares and swaps.
define amdgpu_kernel void @atomics(ptr addrspace(1) %f, ptr addrspace(1) %d, ptr addrspace(1) %n, ptr addrspace(1) %most, ptr addrspace(1) %product) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %of = atomicrmw fadd ptr addrspace(1) %f, float 1.5 syncscope("agent") monotonic, align 4, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  %od = atomicrmw fadd ptr addrspace(1) %d, double 0.25 syncscope("agent") monotonic, align 8, !amdgpu.no.fine.grained.memory !0
  %on = atomicrmw add ptr addrspace(1) %n, i64 3 syncscope("agent") monotonic, align 8
  %om = atomicrmw umax ptr addrspace(1) %most, i32 %tid syncscope("agent") monotonic, align 4
  %start = load atomic i64, ptr addrspace(1) %product syncscope("agent") monotonic, align 8
  br label %retry
retry:
  %seen = phi i64 [ %start, %entry ], [ %now, %retry ]
  %new = mul i64 %seen, 3
  %pair = cmpxchg ptr addrspace(1) %product, i64 %seen, i64 %new syncscope("agent") monotonic monotonic, align 8
  %now = extractvalue { i64, i1 } %pair, 0
  %ok = extractvalue { i64, i1 } %pair, 1
  br i1 %ok, label %exit, label %retry
exit:
  ret void
}

; Turns eight numbers round in private memory, through a pointer to anywhere too.
define amdgpu_kernel void @private(ptr addrspace(1) %out) {
entry:
  %room = alloca [8 x i32], align 4, addrspace(5)
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %room)
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr inbounds [8 x i32], ptr addrspace(5) %room, i32 0, i32 %i
  %v = mul i32 %i, %tid
  store i32 %v, ptr addrspace(5) %p, align 4
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %fill, label %drain
drain:
  %j = phi i32 [ 0, %fill ], [ %j1, %drain ]
  %back = sub i32 7, %j
  %any = addrspacecast ptr addrspace(5) %room to ptr
  %q = getelementptr inbounds [8 x i32], ptr %any, i32 0, i32 %back
  %w = load i32, ptr %q, align 4
  %o0 = mul i32 %tid, 8
  %o1 = add i32 %o0, %j
  %o = zext i32 %o1 to i64
  %po = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %o
  store i32 %w, ptr addrspace(1) %po, align 4
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, 8
  br i1 %again, label %drain, label %exit
exit:
  call void @llvm.lifetime.end.p5(ptr addrspace(5) %room)
  ret void
}

; A two-dimensional block in a two-dimensional grid: out[y][x] of 8 columns.
define amdgpu_kernel void @places(ptr addrspace(1) %out) {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %bx = call i32 @llvm.amdgcn.workgroup.id.x()
  %by = call i32 @llvm.amdgcn.workgroup.id.y()
  %c0 = mul i32 %bx, 4
  %c = add i32 %c0, %x
  %r0 = mul i32 %by, 2
  %r = add i32 %r0, %y
  %which = and i32 %c, 3
  %t = getelementptr inbounds [4 x i32], ptr addrspace(4) @table, i32 0, i32 %which
  %v0 = load i32, ptr addrspace(4) %t, align 4
  %v1 = mul i32 %r, 10
  %v = add i32 %v1, %v0
  %n0 = mul i32 %r, 8
  %n = add i32 %n0, %c
  %at = zext i32 %n to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}

; out[lane] = the square of the next lane's number, plus the first lane's plus 5, plus how many lanes are before it.
define amdgpu_kernel void @wave(ptr addrspace(1) %out) #2 {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %square = mul i32 %tid, %tid
  %next = add i32 %tid, 1
  %from = shl i32 %next, 2
  %got = call i32 @llvm.amdgcn.ds.bpermute(i32 %from, i32 %square)
  %five = add i32 %tid, 5
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %five)
  %before = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %s0 = add i32 %got, %first
  %s = add i32 %s0, %before
  %at = zext i32 %tid to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void
}

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,256" "target-cpu"="gfx1100" "target-features"="+wavefrontsize32" }
attributes #1 = { nounwind "amdgpu-flat-work-group-size"="256,256" "uniform-work-group-size"="true" }
attributes #2 = { nounwind "amdgpu-flat-work-group-size"="32,32" }
!llvm.module.flags = !{!1}
!0 = !{}
!1 = !{i32 1, !"amdhsa_code_object_version", i32 500}
