; With nvcc and clang as host compiler, `k<<<>>>` calls k, the registered function; k calls a stub, which launches
; by a handle. This is one launch, whichever of them was inlined.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK:      launch 'kk' symbol=_Z2kkPfS_ source=nvcc.cu in=call by=_Z2kkPfS_
; CHECK-NEXT: launch 'kk' symbol=_Z2kkPfS_ source=nvcc.cu in=inlined by=_Z2kkPfS_
; CHECK-NEXT: launch 'plain' symbol=plain source=nvcc.cu in=inlined by=plain
; CHECK-NEXT: launch 'temp<float>' symbol=_Z4tempIfEvPT_ source=nvcc.cu in=inlined by=_ZL4tempIfEvPT_
; CHECK-NEXT: launch 'temp<float>' symbol=_Z4tempIfEvPT_ source=nvcc.cu in=inlined by=_ZL4tempIfEvPT_
; CHECK-NOT: launch '
; CHECK: launches=5
source_filename = "nvcc.cu"

@name = private constant [10 x i8] c"_Z2kkPfS_\00"
@name2 = private constant [6 x i8] c"plain\00"
@name3 = private constant [15 x i8] c"_Z4tempIfEvPT_\00"
@handle = internal global ptr null

define void @_Z2kkPfS_(ptr %a, ptr %b) {
  call void @_ZL23__device_stub__Z2kkPfS_PfS_(ptr %a, ptr %b)
  ret void
}

define internal void @_ZL23__device_stub__Z2kkPfS_PfS_(ptr %a, ptr %b) {
  %1 = call i32 @__cudaGetKernel(ptr @handle, ptr @_Z2kkPfS_)
  %2 = load ptr, ptr @handle
  %3 = call i32 @_ZL25__cudaLaunchKernel_helperP11cudaKernel_(ptr %2)
  ret void
}

define internal i32 @_ZL25__cudaLaunchKernel_helperP11cudaKernel_(ptr %k) {
  %1 = call i32 @__cudaLaunchKernel(ptr %k)
  ret i32 %1
}

define internal void @register(ptr %h) {
  %1 = call i32 @__cudaRegisterFunction(ptr %h, ptr @_Z2kkPfS_, ptr @name, ptr @name, i32 -1)
  %2 = call i32 @__cudaRegisterFunction(ptr %h, ptr @plain, ptr @name2, ptr @name2, i32 -1)
  %3 = call i32 @__cudaRegisterFunction(ptr %h, ptr @_ZL4tempIfEvPT_, ptr @name3, ptr @name3, i32 -1)
  ret void
}

; extern "C"
define void @plain() {
  call void @_Z23__device_stub__Z5plainvv()
  ret void
}

define void @_Z23__device_stub__Z5plainvv() {
  %1 = call i32 @__cudaGetKernel(ptr @handle, ptr @plain)
  %2 = call i32 @_ZL25__cudaLaunchKernel_helperP11cudaKernel_(ptr null)
  ret void
}

; A template.
define internal void @_ZL4tempIfEvPT_(ptr %a) {
  call void @_ZL27__wrapper__device_stub_tempIfEvRPT_(ptr %a)
  ret void
}

define internal void @_ZL27__wrapper__device_stub_tempIfEvRPT_(ptr %a) {
  call void @_ZL28__device_stub__Z4tempIfEvPT_Pf(ptr %a)
  ret void
}

define internal void @_ZL28__device_stub__Z4tempIfEvPT_Pf(ptr %a) {
  %1 = call i32 @__cudaGetKernel(ptr @handle, ptr @_ZL4tempIfEvPT_)
  %2 = call i32 @_ZL25__cudaLaunchKernel_helperP11cudaKernel_(ptr null)
  ret void
}

define void @call(ptr %a) {
  call void @_Z2kkPfS_(ptr %a, ptr %a)
  ret void
}

define void @inlined(ptr %a) {
  call void @_ZL23__device_stub__Z2kkPfS_PfS_(ptr %a, ptr %a)
  call void @_Z23__device_stub__Z5plainvv()
  call void @_ZL27__wrapper__device_stub_tempIfEvRPT_(ptr %a)
  call void @_ZL28__device_stub__Z4tempIfEvPT_Pf(ptr %a)
  ret void
}

declare i32 @__cudaGetKernel(ptr, ptr)
declare i32 @__cudaLaunchKernel(ptr)
declare i32 @__cudaRegisterFunction(ptr, ptr, ptr, ptr, i32)
