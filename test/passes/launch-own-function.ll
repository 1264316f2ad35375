; A user's function with the name of a stub or of a launch function is not a launch, and neither are HIP's stubs,
; which have no runtime.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK:      launch 'k' symbol=_Z1kv source=own.cu in=caller by=_Z16__device_stub__kv
; CHECK-NOT: launch '
; CHECK: launches=1
source_filename = "own.cu"

; Makes a call, but does not launch itself.
define void @_Z19__device_stub__minev() {
  %1 = call i32 @cudaDeviceSynchronize()
  ret void
}
define void @__device_stub__() {
  ret void
}
define void @_Z23my__device_stub__helperv() {
  ret void
}
define i32 @_ZN4mine16cudaLaunchKernelEPv(ptr %p) {
  ret i32 0
}
define void @_Z20__device_stub__hip_kv() {
  %1 = call i32 @hipLaunchKernel(ptr @_Z20__device_stub__hip_kv)
  ret void
}

define void @caller(ptr %p) {
  call void @_Z19__device_stub__minev()
  call void @__device_stub__()
  call void @_Z23my__device_stub__helperv()
  %1 = call i32 @_ZN4mine16cudaLaunchKernelEPv(ptr %p)
  call void @_Z20__device_stub__hip_kv()
  call void @_Z18__device_stub__farv()
  %2 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}

declare void @_Z18__device_stub__farv()
declare void @_Z16__device_stub__kv()
declare i32 @cudaLaunchKernel(ptr)
declare i32 @hipLaunchKernel(ptr)
declare i32 @cudaDeviceSynchronize()
