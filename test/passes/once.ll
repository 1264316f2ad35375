; A function is instrumented once, however often the pass runs: an entry hook, its code, an exit hook.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>,seamscope<select=all>,verify' -S %s \
; RUN:   | FileCheck %s
; REQUIRES: llvm-22

; CHECK-LABEL: define void @f(
; CHECK-NOT: __seamscope_{{enter|exit}}
; CHECK: call void @__seamscope_enter_v3(
; CHECK-NOT: __seamscope_{{enter|exit}}
; CHECK: call void @work()
; CHECK-NOT: __seamscope_{{enter|exit}}
; CHECK: call void @__seamscope_exit_v3(
; CHECK-NOT: __seamscope_{{enter|exit}}
; CHECK: ret void
; CHECK-NEXT: }
; CHECK: define linkonce_odr hidden void @seamscope.module_ctor_v3
; CHECK-NOT: define linkonce_odr hidden void @seamscope.module_ctor_v3
define void @f() nounwind {
  call void @work()
  ret void
}

declare void @work() nounwind
