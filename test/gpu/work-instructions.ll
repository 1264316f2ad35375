; What instructions of GPU code count as: each kernel does one thing once, per thread.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu;work=on>,verify' -S %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu>,verify' -S %s | FileCheck %s --check-prefix=OFF
; OFF-NOT: seamscope_gpu_counts

; Before sm_70 nothing is counted.
; RUN: sed 's/void @memory(\(.*\)) {/void @memory(\1) "target-cpu"="sm_60" {/' %s | %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu;work=on>,verify' -pass-remarks-missed=seamscope -S 2>&1 | FileCheck %s --check-prefix=OLD
; OLD: 'memory' does not count its work: GPUs before sm_70
; OLD-NOT: seamscope_gpu_counts_v1_memory
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x float] undef
@table = internal addrspace(4) constant [4 x float] zeroinitializer

; Shared memory is apart, also through a generic pointer; constants, parameters and the stack do not count.
; CHECK: @__seamscope_gpu_counts_v1_memory = {{.*}}{\22read\22:8,\22shared_read\22:4,\22shared_write\22:4,\22write\22:2}
define ptx_kernel void @memory(ptr %p, ptr byval(float) %q, i32 %i) {
  %s = addrspacecast ptr addrspace(3) @tile to ptr
  %e = getelementptr float, ptr %s, i32 %i
  %a = load float, ptr %e
  %c = load float, ptr addrspace(4) @table
  %d = load float, ptr %q
  %stack = alloca float
  store volatile float %d, ptr %stack
  %b = load <2 x float>, ptr %p
  store float %c, ptr addrspace(3) @tile
  store half 0.0, ptr %p
  ret void
}

; The products of a matrix instruction, by thread: 16 x 8 x 16 of a warp.
; CHECK: @__seamscope_gpu_counts_v1_mma = {{.*}}{\22f16.mma\22:64}
define ptx_kernel void @mma(<2 x half> %a, float %c) {
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, float %c, float %c, float %c, float %c)
  ret void
}

; CHECK: @__seamscope_gpu_counts_v1_mma_types = {{.*}}{\22bf16.mma\22:64,\22f16.mma\22:32,\22f64.mma\22:8,\22i8.mma\22:64,\22tf32.mma\22:32}
define ptx_kernel void @mma_types(i32 %a, float %c, double %d, <2 x half> %h) {
  %1 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c)
  %2 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c)
  %3 = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double %d, double %d, double %d, double %d)
  %4 = call { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k16.row.col.s8(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a)
  %5 = call { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.mma.m8n8k4.row.col.f16.f16(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h)
  ret void
}

; Of sparse products it is not known what the hardware does.
; CHECK: @__seamscope_gpu_counts_v1_sparse = {{.*}}\22unknown\22:[\22instruction llvm.nvvm.mma.sp.m16n8k16.row.col.tf32\22]
define ptx_kernel void @sparse(i32 %a, float %c) {
  %1 = call { float, float, float, float } @llvm.nvvm.mma.sp.m16n8k16.row.col.tf32(i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, i32 %a, float %c, float %c, float %c, float %c, i32 %a, i32 0)
  ret void
}

; CHECK: @__seamscope_gpu_counts_v1_approximate = {{.*}}{\22call.cosf\22:1,\22call.exp2f\22:1,\22call.log2f\22:1,\22f32.div\22:1,\22f32.estimate\22:2,\22f32.fma\22:1,\22f32.sqrt\22:1}
define ptx_kernel void @approximate(float %x) {
  %1 = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  %2 = call float @llvm.nvvm.lg2.approx.f(float %x)
  %3 = call float @llvm.nvvm.cos.approx.f(float %x)
  %4 = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %x)
  %5 = call float @llvm.nvvm.rcp.approx.ftz.f(float %x)
  %6 = call float @llvm.nvvm.div.rn.f(float %x, float %x)
  %7 = call float @llvm.nvvm.sqrt.rn.f(float %x)
  %8 = call float @llvm.nvvm.fma.rn.f(float %x, float %x, float %x)
  %9 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %x, i32 1, i32 31)
  ret void
}

; CHECK: @__seamscope_gpu_counts_v1_packed = {{.*}}{\22bf16.fma\22:2,\22f16.add\22:2,\22f16.fma\22:2,\22i8.fma\22:4,\22write\22:4}
define ptx_kernel void @packed(ptr addrspace(1) %p, <2 x half> %h, <2 x bfloat> %b, i32 %i) {
  %1 = call <2 x half> @llvm.nvvm.fma.rn.f16x2(<2 x half> %h, <2 x half> %h, <2 x half> %h)
  %2 = call <2 x bfloat> @llvm.nvvm.fma.rn.bf16x2(<2 x bfloat> %b, <2 x bfloat> %b, <2 x bfloat> %b)
  %3 = fadd <2 x half> %h, %1
  store <2 x half> %3, ptr addrspace(1) %p
  %4 = call i32 @llvm.nvvm.idp4a.s.s(i32 %i, i32 %i, i32 %i)
  ret void
}

; ldmatrix loads four matrices of 128 bytes for a warp; cp.async copies 16 bytes.
; CHECK: @__seamscope_gpu_counts_v1_copies = {{.*}}{\22masked_read\22:16,\22read\22:16,\22shared_read\22:16,\22shared_write\22:32}
define ptx_kernel void @copies(ptr addrspace(1) %p, i32 %n) {
  %1 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) @tile)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3) @tile, ptr addrspace(1) %p, i32 %n)
  call void @llvm.nvvm.cp.async.wait.all()
  ret void
}

; A bulk copy's bytes have a counter of their own.
; CHECK: @__seamscope_gpu_counts_v1_bulk = {{.*}}\22word\22:1,\22lines\22:{{.*}}{\22shared_read\22:1,\22write\22:1}
define ptx_kernel void @bulk(ptr addrspace(1) %p, i32 %n) {
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %p, ptr addrspace(3) @tile, i32 %n, i64 0, i1 false)
  ret void
}

; CHECK: @__seamscope_gpu_counts_v1_atomics = {{.*}}{\22f32.add\22:1,\22read\22:8,\22shared_read\22:4,\22shared_write\22:4,\22write\22:8}
define ptx_kernel void @atomics(ptr addrspace(1) %p, float %x) {
  %1 = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
  %2 = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  %3 = atomicrmw add ptr addrspace(3) @tile, i32 1 monotonic
  ret void
}

; Assembly is not parsed: what Triton loads and stores by it is not known.
; CHECK: @__seamscope_gpu_counts_v1_assembly = {{.*}}\22unknown\22:[\22inline assembly\22]
define ptx_kernel void @assembly(ptr addrspace(1) %p) {
  %1 = call i32 asm sideeffect "ld.global.b32 $0, [$1];", "=r,l"(ptr addrspace(1) %p)
  ret void
}

; CHECK: @__seamscope_gpu_counts_v1_either = {{.*}}\22unknown\22:[\22a pointer to one of several kinds of memory\22]
define ptx_kernel void @either(ptr %p, i1 %c) {
  %s = addrspacecast ptr addrspace(3) @tile to ptr
  %q = select i1 %c, ptr %p, ptr %s
  store i32 0, ptr %q
  ret void
}

declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
