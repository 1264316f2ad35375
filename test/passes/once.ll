; A function is instrumented once, however often the pass runs.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>,seamscope<select=all>,verify' -S %s \
; RUN:   | FileCheck %s
; REQUIRES: llvm-22

; CHECK-COUNT-1: call void @__seamscope_enter_v1(
; CHECK-NOT: call void @__seamscope_enter_v1(
; CHECK-COUNT-1: define linkonce_odr hidden void @seamscope.module_ctor_v1
; CHECK-NOT: define linkonce_odr hidden void @seamscope.module_ctor_v1
define void @f() nounwind {
  ret void
}
