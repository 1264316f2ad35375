; Every way out has its exit hook: two returns, a musttail call (the hook comes before it), and an
; exception that passes through (a cleanup, nothing on the normal path).
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22
target triple = "x86_64-unknown-linux-gnu"

declare void @may_throw()
declare void @cannot_throw() nounwind

; CHECK-LABEL: define i32 @two_returns(
; CHECK-COUNT-2: call void @__seamscope_exit_v1(
; CHECK-NOT: __seamscope_exit_v1
; CHECK: }
define i32 @two_returns(i1 %c) nounwind {
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 2
}

; CHECK-LABEL: define void @tail(
; CHECK: call void @__seamscope_exit_v1(
; CHECK: musttail call void @cannot_throw()
; CHECK-NEXT: ret void
define void @tail() nounwind {
  musttail call void @cannot_throw()
  ret void
}

; CHECK-LABEL: define void @throws(
; CHECK-SAME: personality ptr @__gcc_personality_v0
; CHECK: invoke void @may_throw()
; CHECK-NEXT: to label %[[NORMAL:.*]] unwind label %[[CLEANUP:.*]]
; CHECK: [[CLEANUP]]:
; CHECK-NEXT: landingpad { ptr, i32 }
; CHECK-NEXT: cleanup
; CHECK: call void @__seamscope_exit_v1(
; CHECK: resume
define void @throws() uwtable {
  call void @may_throw()
  ret void
}

; CHECK-LABEL: define void @quiet(
; CHECK-NOT: landingpad
; CHECK: ret void
define void @quiet() {
  call void @cannot_throw()
  ret void
}
