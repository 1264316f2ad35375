; Attributes are repaired wherever a call may reach a kernel: by name, through an alias, an alias of
; an alias, an ifunc, or a pointer. Elsewhere they stay.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<kernels=sum>,early-cse,dce,verify' \
; RUN:   -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<kernels=sum>,early-cse,dce,verify' \
; RUN:   -S %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19
target triple = "x86_64-unknown-linux-gnu"

@alias = alias float (ptr), ptr @sum
@far = alias float (ptr), ptr @alias
@ifunc = ifunc float (ptr), ptr @resolve

define float @sum(ptr readonly %p) nosync nofree nounwind willreturn memory(argmem: read) {
  %v = load float, ptr %p
  ret float %v
}

define float @other(ptr readonly %p) nosync nofree nounwind willreturn memory(argmem: read) {
  %v = load float, ptr %p
  ret float %v
}

define internal ptr @resolve() {
  ret ptr @sum
}

; CHECK-LABEL: define float @by_alias(
; CHECK-SAME: #[[$CALLER:[0-9]+]]
; CHECK-COUNT-2: call float @alias(ptr %p) #[[$CALL:[0-9]+]]
define float @by_alias(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float @alias(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %b = call float @alias(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK-LABEL: define float @by_far_alias(
; CHECK-SAME: #[[$CALLER]]
; CHECK-COUNT-2: call float @far(ptr %p) #[[$CALL]]
define float @by_far_alias(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float @far(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %b = call float @far(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK-LABEL: define float @by_ifunc(
; CHECK-SAME: #[[$CALLER]]
; CHECK-COUNT-2: call float @ifunc(ptr %p) #[[$CALL]]
define float @by_ifunc(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float @ifunc(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %b = call float @ifunc(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK-LABEL: define float @by_pointer(
; CHECK-SAME: #[[$CALLER]]
; CHECK-COUNT-2: call float %f(ptr %p) #[[$CALL]]
define float @by_pointer(ptr %f, ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float %f(ptr %p) nosync nofree nounwind willreturn memory(argmem: read)
  %b = call float %f(ptr %p) nosync nofree nounwind willreturn memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; Their callers are repaired too.
; CHECK-LABEL: define float @above(
; CHECK-SAME: #[[$CALLER]]
; CHECK-COUNT-2: call float @by_pointer(ptr null, ptr %p) #[[$CALL]]
define float @above(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float @by_pointer(ptr null, ptr %p) nosync nounwind willreturn memory(argmem: read)
  %b = call float @by_pointer(ptr null, ptr %p) nosync nounwind willreturn memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK-LABEL: define float @untouched(
; CHECK-SAME: #[[$UNTOUCHED:[0-9]+]]
; CHECK-COUNT-1: call float @other(ptr %p)
; CHECK-NOT: call
; CHECK: }
define float @untouched(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float @other(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %b = call float @other(ptr %p) nosync nounwind willreturn memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK-DAG: attributes #[[$CALLER]] = { nounwind memory(argmem: read, inaccessiblemem: readwrite) }
; CHECK-DAG: attributes #[[$CALL]] = { nounwind willreturn memory(argmem: read, inaccessiblemem: readwrite) }
; CHECK-DAG: attributes #[[$UNTOUCHED]] = { nofree nosync nounwind memory(argmem: read) }
