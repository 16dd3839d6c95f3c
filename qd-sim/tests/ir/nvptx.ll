; Kernels as an NVPTX module has them, by hand.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [256 x float] undef, align 4
@table = internal addrspace(1) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32, float, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare float @llvm.fma.f32(float, float, float)

; y[i] = fma(a, x[i], y[i]), grid-stride.
define ptx_kernel void @saxpy(i64 %n, float %a, ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ncta = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %cta, %ntid
  %first = add i32 %base, %tid
  %i0 = zext i32 %first to i64
  %stride32 = mul i32 %ncta, %ntid
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
define ptx_kernel void @sum(ptr addrspace(1) %x, ptr addrspace(1) %out) #1 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %cta, 256
  %g = add i32 %base, %tid
  %i = zext i32 %g to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %px, align 4
  %ps = getelementptr inbounds [256 x float], ptr addrspace(3) @shared, i32 0, i32 %tid
  store float %v, ptr addrspace(3) %ps, align 4
  br label %loop
loop:
  %s = phi i32 [ 128, %entry ], [ %half, %join ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
  %old = atomicrmw fadd ptr addrspace(1) %out, float %r syncscope("device") monotonic, align 4
  br label %exit
exit:
  ret void
}

; What each lane of a launch adds: atomics of several kinds, and a loop that compares and swaps.
define ptx_kernel void @atomics(ptr addrspace(1) %f, ptr addrspace(1) %d, ptr addrspace(1) %n, ptr addrspace(1) %most, ptr addrspace(1) %product) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %of = atomicrmw fadd ptr addrspace(1) %f, float 1.5 syncscope("device") monotonic, align 4
  %od = atomicrmw fadd ptr addrspace(1) %d, double 0.25 syncscope("device") monotonic, align 8
  %on = atomicrmw add ptr addrspace(1) %n, i64 3 syncscope("device") monotonic, align 8
  %om = atomicrmw umax ptr addrspace(1) %most, i32 %tid syncscope("device") monotonic, align 4
  %start = load atomic i64, ptr addrspace(1) %product syncscope("device") monotonic, align 8
  br label %retry
retry:
  %seen = phi i64 [ %start, %entry ], [ %now, %retry ]
  %new = mul i64 %seen, 3
  %pair = cmpxchg ptr addrspace(1) %product, i64 %seen, i64 %new syncscope("device") monotonic monotonic, align 8
  %now = extractvalue { i64, i1 } %pair, 0
  %ok = extractvalue { i64, i1 } %pair, 1
  br i1 %ok, label %exit, label %retry
exit:
  ret void
}

; out[linear number] = a number of what the lane is told of its place.
define ptx_kernel void @places(ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %l0 = mul i32 %z, %ny
  %l1 = add i32 %l0, %y
  %l2 = mul i32 %l1, %nx
  %lane = add i32 %l2, %x
  %b0 = mul i32 %bz, %gy
  %b1 = add i32 %b0, %by
  %b2 = mul i32 %b1, %gx
  %block = add i32 %b2, %bx
  %s0 = mul i32 %nx, %ny
  %size = mul i32 %s0, %nz
  %n0 = mul i32 %block, %size
  %n = add i32 %n0, %lane
  %at = zext i32 %n to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  %which = and i32 %n, 3
  %t = getelementptr inbounds [4 x i32], ptr addrspace(1) @table, i32 0, i32 %which
  %c = load i32, ptr addrspace(1) %t, align 4
  %v0 = mul i32 %x, 10
  %v1 = add i32 %v0, %bz
  %v2 = mul i32 %v1, 10
  %v = add i32 %v2, %c
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}

; The sum over a warp by shuffles, into out[lane]; how many lanes are odd into out[32 + lane].
define ptx_kernel void @warp(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %tid, i32 16, i32 31)
  %a1 = add i32 %tid, %a
  %b = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %a1, i32 8, i32 31)
  %b1 = add i32 %a1, %b
  %c = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %b1, i32 4, i32 31)
  %c1 = add i32 %b1, %c
  %d = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %c1, i32 2, i32 31)
  %d1 = add i32 %c1, %d
  %e = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %d1, i32 1, i32 31)
  %sum = add i32 %d1, %e
  %odd = trunc i32 %tid to i1
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %f = uitofp i32 %tid to float
  %pair = call { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32 -1, float %f, i32 1, i32 31)
  %g = extractvalue { float, i1 } %pair, 0
  %valid = extractvalue { float, i1 } %pair, 1
  %gi = fptoui float %g to i32
  %next = select i1 %valid, i32 %gi, i32 99
  %at = zext i32 %tid to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  store i32 %sum, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 32
  store i32 %ballot, ptr addrspace(1) %q, align 4
  %r = getelementptr inbounds i32, ptr addrspace(1) %p, i64 64
  store i32 %next, ptr addrspace(1) %r, align 4
  ret void
}

attributes #0 = { nounwind "nvvm.maxntid"="256" "target-cpu"="sm_80" "target-features"="+ptx70" }
attributes #1 = { nounwind "nvvm.reqntid"="256,1,1" }
