; Every function that launches is recognised in all its forms, and the kernel if the call has its address.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,verify' -disable-output %s
; REQUIRES: llvm-22

; CHECK:      launch 'k' symbol=_Z1kv source=apis.cu in=caller by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=apis.cu in=caller by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=apis.cu in=caller by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=apis.cu in=caller by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=apis.cu in=caller by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=apis.cu in=caller by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'cudaLaunchKernel' symbol=cudaLaunchKernel source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cudaGraphLaunch' symbol=cudaGraphLaunch source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cudaGraphLaunch' symbol=cudaGraphLaunch_ptsz source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cuLaunchKernel' symbol=cuLaunchKernel source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cuLaunchKernel' symbol=cuLaunchKernel_ptsz source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cuLaunchKernelEx' symbol=cuLaunchKernelEx source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cuLaunchCooperativeKernel' symbol=cuLaunchCooperativeKernel source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'cuGraphLaunch' symbol=cuGraphLaunch source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'mgpuLaunchKernel' symbol=mgpuLaunchKernel source=apis.cu in=caller by=?
; CHECK-NEXT: launch 'matmul_kernel' symbol=matmul_kernel source=apis.cu in=caller by=?
; CHECK-NOT: launch '
; CHECK: launches=16
source_filename = "apis.cu"

@name = private constant [14 x i8] c"matmul_kernel\00"

define void @caller(ptr %p, ptr %m) {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv, ptr %p)
  %2 = call i32 @cudaLaunchKernel_ptsz(ptr @_Z16__device_stub__kv, ptr %p)
  %3 = call i32 @cudaLaunchKernel_spt(ptr @_Z16__device_stub__kv, ptr %p)
  %4 = call i32 @cudaLaunchKernelExC(ptr %p, ptr @_Z16__device_stub__kv, ptr %p)
  %5 = call i32 @cudaLaunchKernelExC_ptsz(ptr %p, ptr @_Z16__device_stub__kv, ptr %p)
  %6 = call i32 @cudaLaunchCooperativeKernel(ptr @_Z16__device_stub__kv, ptr %p)
  %7 = call i32 @cudaLaunchKernel(ptr %p, ptr %p)
  %8 = call i32 @cudaGraphLaunch(ptr %p, ptr %p)
  %9 = call i32 @cudaGraphLaunch_ptsz(ptr %p, ptr %p)
  %10 = call i32 @cuLaunchKernel(ptr %p)
  %11 = call i32 @cuLaunchKernel_ptsz(ptr %p)
  %12 = call i32 @cuLaunchKernelEx(ptr %p)
  %13 = call i32 @cuLaunchCooperativeKernel(ptr %p)
  %14 = call i32 @cuGraphLaunch(ptr %p)
  call void @mgpuLaunchKernel(ptr %p)
  %f = call ptr @mgpuModuleGetFunction(ptr %m, ptr @name)
  call void @mgpuLaunchKernel(ptr %f)
  %15 = call i32 @cudaDeviceSynchronize()
  %16 = call i32 @cudaLaunchHostFunc(ptr %p)
  ret void
}

declare void @_Z16__device_stub__kv()
declare i32 @cudaLaunchKernel(ptr, ptr)
declare i32 @cudaLaunchKernel_ptsz(ptr, ptr)
declare i32 @cudaLaunchKernel_spt(ptr, ptr)
declare i32 @cudaLaunchKernelExC(ptr, ptr, ptr)
declare i32 @cudaLaunchKernelExC_ptsz(ptr, ptr, ptr)
declare i32 @cudaLaunchCooperativeKernel(ptr, ptr)
declare i32 @cudaGraphLaunch(ptr, ptr)
declare i32 @cudaGraphLaunch_ptsz(ptr, ptr)
declare i32 @cuLaunchKernel(ptr)
declare i32 @cuLaunchKernel_ptsz(ptr)
declare i32 @cuLaunchKernelEx(ptr)
declare i32 @cuLaunchCooperativeKernel(ptr)
declare i32 @cuGraphLaunch(ptr)
declare void @mgpuLaunchKernel(ptr)
declare ptr @mgpuModuleGetFunction(ptr, ptr)
declare i32 @cudaDeviceSynchronize()
declare i32 @cudaLaunchHostFunc(ptr)
