; Inferred memory attributes of a function and its callers are wrong once it calls hooks: a later
; pass could merge two calls of a kernel into one.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<kernels=sum>,verify' -S %s \
; RUN:   | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<kernels=sum>,early-cse,dce' -S %s \
; RUN:   | FileCheck %s --check-prefix=CSE
; REQUIRES: llvm-22

; CHECK: define float @sum(ptr readonly %p) #[[SUM:[0-9]+]]
define float @sum(ptr readonly %p) nosync nofree nounwind willreturn memory(argmem: read) {
  %v = load float, ptr %p
  ret float %v
}

; CHECK: define float @caller(ptr %p) #[[CALLER:[0-9]+]]
; CSE-LABEL: define float @caller(
; CSE-COUNT-2: call float @sum(
define float @caller(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %a = call float @sum(ptr %p) nosync memory(argmem: read)
  %b = call float @sum(ptr %p) nosync memory(argmem: read)
  %c = fadd float %a, %b
  ret float %c
}

; CHECK: define float @untouched(ptr %p) #[[UNTOUCHED:[0-9]+]]
define float @untouched(ptr %p) nosync nofree nounwind memory(argmem: read) {
  %v = load float, ptr %p
  ret float %v
}

; CHECK-DAG: attributes #[[SUM]] = { nounwind willreturn memory(argmem: read, inaccessiblemem: readwrite) "seamscope-instrumented" }
; CHECK-DAG: attributes #[[CALLER]] = { nounwind memory(argmem: read, inaccessiblemem: readwrite) }
; CHECK-DAG: attributes #[[UNTOUCHED]] = { nofree nosync nounwind memory(argmem: read) }
