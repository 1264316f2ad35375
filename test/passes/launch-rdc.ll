; With -fgpu-rdc a kernel may be in another file: its stub is recognised by name, in code that configures
; launches. The device symbol of a static kernel is the one in clang's offload table.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK:      launch 'ns::far<int>' symbol=_ZN2ns3farIiEEvPT_ source=rdc.cu in=caller by=_ZN2ns18__device_stub__farIiEEvPT_
; CHECK-NEXT: launch 'plain' symbol=plain source=rdc.cu in=caller by=__device_stub__plain
; CHECK-NEXT: launch 'near' symbol=_ZL4nearv__intern__8dc7236de283424b source=rdc.cu in=caller by=_ZL19__device_stub__nearv
; CHECK-NEXT: launch 'near19' symbol=_Z6near19v source=rdc.cu in=caller by=_ZL21__device_stub__near19v
; CHECK-NOT: launch '
; CHECK: launches=4
source_filename = "rdc.cu"

@name = internal unnamed_addr constant [36 x i8] c"_ZL4nearv__intern__8dc7236de283424b\00"
@.offloading.entry.near = weak constant { i64, i16, i16, i32, ptr, ptr, i64, i64, ptr } { i64 0, i16 1, i16 2, i32 0, ptr @_ZL19__device_stub__nearv, ptr @name, i64 0, i64 0, ptr null }, section "llvm_offload_entries"
@name19 = internal unnamed_addr constant [12 x i8] c"_Z6near19v\00\00"
@.offloading.entry.near19 = weak constant { ptr, ptr, i64, i32, i32 } { ptr @_ZL21__device_stub__near19v, ptr @name19, i64 0, i32 0, i32 0 }, section "cuda_offloading_entries"

define internal void @_ZL19__device_stub__nearv() {
  %1 = call i32 @cudaLaunchKernel(ptr @_ZL19__device_stub__nearv)
  ret void
}
define internal void @_ZL21__device_stub__near19v() {
  %1 = call i32 @cudaLaunchKernel(ptr @_ZL21__device_stub__near19v)
  ret void
}

define void @caller(ptr %p) {
  %1 = call i32 @__cudaPushCallConfiguration(i64 1, i32 1, i64 1, i32 1, i64 0, ptr null)
  call void @_ZN2ns18__device_stub__farIiEEvPT_(ptr %p)
  call void @__device_stub__plain(ptr %p)
  call void @_ZL19__device_stub__nearv()
  call void @_ZL21__device_stub__near19v()
  ret void
}

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64, ptr)
declare void @_ZN2ns18__device_stub__farIiEEvPT_(ptr)
declare void @__device_stub__plain(ptr)
declare i32 @cudaLaunchKernel(ptr)
