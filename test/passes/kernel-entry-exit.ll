; A kernel gets a zeroed frame and a gated call at its entry, and a gated call at its exit.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<work=off>,verify' -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<work=off>,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19

; CHECK: @__seamscope_gate_v3 = linkonce_odr hidden global i32 0, comdat

; CHECK-LABEL: define void @scale(
; CHECK-NEXT: entry:
; CHECK-NEXT: %[[FRAME:.*]] = alloca { i64, i64, i32, i32 }, align 8
; CHECK-NEXT: store i64 0, ptr %[[FRAME]], align 8
; CHECK-NEXT: %[[GATE:.*]] = load atomic i32, ptr @__seamscope_gate_v3 monotonic, align 4
; CHECK-NEXT: %[[ON:.*]] = icmp ne i32 %[[GATE]], 0
; CHECK-NEXT: br i1 %[[ON]], label %[[ENTER:.*]], label %{{.*}}, !prof ![[RARE:[0-9]+]]
; CHECK: [[ENTER]]:
; CHECK-NEXT: call void @__seamscope_enter_v3(ptr @seamscope.site, ptr %[[FRAME]])
; CHECK: loop:
; CHECK-NOT: seamscope
; CHECK: exit:
; CHECK: %[[OUTER:.*]] = load i64, ptr %[[FRAME]], align 8
; CHECK-NEXT: %[[OPEN:.*]] = icmp ne i64 %[[OUTER]], 0
; CHECK-NEXT: br i1 %[[OPEN]], label %[[LEAVE:.*]], label %{{.*}}, !prof ![[RARE]]
; CHECK: [[LEAVE]]:
; CHECK-NEXT: call void @__seamscope_exit_v3(ptr %[[FRAME]])
; CHECK: ret void
; CHECK: ![[RARE]] = !{!"branch_weights", i32 1, i32 100000}
define void @scale(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  %old = load float, ptr %at
  %new = fmul float %old, 2.0
  store float %new, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
