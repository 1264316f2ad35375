; Launches get no hooks in functions that cannot have any, or if the call must be a jump.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK-NOT: __seamscope_launch_enter_v3
; CHECK: define i32 @must_tail(
define void @naked() naked {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  unreachable
}
define available_externally void @elsewhere() {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}
define void @not_instrumented() "no_instrument_function" {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}
define i32 @must_tail(ptr %k) {
  %1 = musttail call i32 @cudaLaunchKernel(ptr %k)
  ret i32 %1
}

declare i32 @cudaLaunchKernel(ptr)
declare void @_Z16__device_stub__kv()
