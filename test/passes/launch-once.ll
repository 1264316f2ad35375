; A launch gets hooks once, even if the pass runs again over code that inlined its stub, as in a link.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,always-inline,seamscope,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK-LABEL: define void @caller(
; CHECK: call void @__seamscope_launch_enter_v3(
; CHECK-NOT: __seamscope_launch_enter_v3
; CHECK: call i32 @cudaLaunchKernel(
; CHECK-NOT: __seamscope_launch_enter_v3
; CHECK: ret void
define void @_Z16__device_stub__kv() nounwind alwaysinline {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}

define void @caller() nounwind {
  call void @_Z16__device_stub__kv()
  ret void
}

declare i32 @cudaLaunchKernel(ptr)
