; The plugin replaces MLIR's markers by its own hooks: their contents become the site, and their calls are
; removed. A marker with a frame from outside the function stays a call.
; REQUIRES: llvm-22
; RUN: %opt-22 -load-pass-plugin %plugin-22 -passes='print<seamscope-plan>' -disable-output %s | FileCheck %s --check-prefix=PLAN
; RUN: %opt-22 -load-pass-plugin %plugin-22 -passes=seamscope -S %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin %plugin-22 -passes=seamscope,verify -disable-output %s

; PLAN: group 'add+mul' symbol=f source=m.py:7:5 ops={"ops":[]} in=f
; PLAN: skip f: its fused groups of operators are timed
; PLAN: skip coroutine: its fused groups of operators are timed
; PLAN: total kernels=1

target triple = "x86_64-pc-linux-gnu"
@group = internal global [38 x i8] c"\00\00\00\00\00\00\00\007\005\00add+mul\00f\00m.py\00{\22ops\22:[]}\00", align 8
declare void @__seamscope_group_enter_v1(ptr, ptr)
declare void @__seamscope_group_exit_v1(ptr)

; CHECK-LABEL: define void @f(
; CHECK: alloca { i64, i64, i32, i32 }
; CHECK-NOT: alloca
; CHECK: load atomic i32, ptr @__seamscope_gate_v3
; CHECK: call {{.*}}@seamscope.enter.v3.{{[0-9]+}}(
; CHECK: loop:
; CHECK: call {{.*}}@seamscope.exit.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope_group
define void @f(ptr %a) {
entry:
  %frame = alloca { i64, i64, i32, i32 }, align 8
  call void @__seamscope_group_enter_v1(ptr @group, ptr %frame)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100000
  br i1 %done, label %end, label %loop

end:
  call void @__seamscope_group_exit_v1(ptr %frame)
  ret void
}

; CHECK-LABEL: define void @coroutine(
; CHECK: call void @__seamscope_group_enter_v1(ptr @group, ptr %frame)
; CHECK: call void @__seamscope_group_exit_v1(ptr %frame)
define void @coroutine(ptr %frame) {
  call void @__seamscope_group_enter_v1(ptr @group, ptr %frame)
  call void @__seamscope_group_exit_v1(ptr %frame)
  ret void
}
