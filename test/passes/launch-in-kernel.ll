; In a host kernel, launches are inner calls: their frame lies below the kernel's, in one allocation, and the
; kernel's exit does not move.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<kernels=host;work=off>,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK-LABEL: define void @host(
; CHECK: %[[FRAMES:.*]] = alloca [2 x { i64, i64, i32, i32 }], align 8
; CHECK-NOT: alloca
; CHECK: %[[KERNEL:.*]] = getelementptr inbounds {{.*}}i8, ptr %[[FRAMES]], i64 24
; CHECK-NEXT: store i64 0, ptr %[[KERNEL]]
; CHECK: %[[ENTERED:.*]] = getelementptr inbounds {{.*}}ptr %[[FRAMES]], i64 24
; CHECK: call void @__seamscope_enter_v3(ptr @{{.*}}, ptr %[[ENTERED]])
; CHECK: store i64 0, ptr %[[FRAMES]]
; CHECK: call void @__seamscope_launch_enter_v3(ptr @{{.*}}, ptr %[[FRAMES]], ptr @
; CHECK: call i32 @cudaLaunchKernel(
; CHECK: call void @__seamscope_exit_v3(ptr %[[FRAMES]])
; CHECK: getelementptr inbounds {{.*}}ptr %[[FRAMES]], i64 24
; CHECK: %[[LEFT:.*]] = getelementptr inbounds {{.*}}ptr %[[FRAMES]], i64 24
; CHECK-NEXT: call void @{{.*}}exit{{.*}}(ptr %[[LEFT]])
; CHECK: ret void
define void @host() nounwind {
  %1 = tail call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}

declare i32 @cudaLaunchKernel(ptr)
declare void @_Z16__device_stub__kv()
