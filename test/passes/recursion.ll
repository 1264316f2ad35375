; Kernels that call themselves or each other are instrumented in time linear in the call graph.
; RUN: timeout 60 %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>,verify' -S %s \
; RUN:   | FileCheck %s
; RUN: timeout 60 %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<select=all>,verify' -S %s \
; RUN:   | FileCheck %s
; REQUIRES: llvm-22, llvm-19

; CHECK-LABEL: define void @itself(
; CHECK-SAME: #[[$HOOKED:[0-9]+]]
; CHECK: call void @__seamscope_enter_v3(
; CHECK: call void @__seamscope_exit_v3(
define void @itself(i32 %n) nosync nofree nounwind memory(argmem: read) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %end, label %again
again:
  %less = sub i32 %n, 1
  call void @itself(i32 %less)
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @even(
; CHECK-SAME: #[[$HOOKED]]
; CHECK: call void @__seamscope_enter_v3(
; CHECK: call void @__seamscope_exit_v3(
define void @even(i32 %n) nosync nofree nounwind memory(argmem: read) {
  %less = sub i32 %n, 1
  call void @odd(i32 %less)
  ret void
}

; CHECK-LABEL: define void @odd(
; CHECK-SAME: #[[$HOOKED]]
; CHECK: call void @__seamscope_enter_v3(
; CHECK: call void @__seamscope_exit_v3(
define void @odd(i32 %n) nosync nofree nounwind memory(argmem: read) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %end, label %again
again:
  %less = sub i32 %n, 1
  call void @even(i32 %less)
  br label %end
end:
  ret void
}

; CHECK: attributes #[[$HOOKED]] = { nounwind memory(argmem: read, inaccessiblemem: readwrite) "seamscope-instrumented" }
