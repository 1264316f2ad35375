; A tail call that may call the function again stays a tail call if the function's call is not recorded
; or the runtime closed it; otherwise an exit hook follows. It does not matter whether it shares its
; return, or throws. A call that cannot come back has the exit hook after it.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>,verify' -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<select=all>,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19
target triple = "x86_64-unknown-linux-gnu"

declare i32 @other(i32) nounwind
declare i32 @throws(i32)
declare i32 @library(i32) nounwind nocallback

; CHECK-LABEL: define i32 @direct(
; CHECK: call preserve_mostcc void @seamscope.counted.v3.{{[0-9]+}}(
; CHECK: %[[OUTER:.*]] = load i64, ptr %seamscope.frame
; CHECK-NEXT: %[[OPEN:.*]] = icmp ne i64 %[[OUTER]], 0
; CHECK-NEXT: br i1 %[[OPEN]], label %[[RECORDED:.*]], label %[[TAIL:[a-z.0-9]+]], !prof
; CHECK: [[TAIL]]:
; CHECK-NEXT: %[[JUMP:.*]] = tail call i32 @other(i32 %x)
; CHECK-NEXT: ret i32 %[[JUMP]]
; CHECK: [[RECORDED]]:
; CHECK-NEXT: %[[CLOSED:.*]] = call i32 @__seamscope_tail_v3(ptr %seamscope.frame)
; CHECK-NEXT: %[[YES:.*]] = icmp ne i32 %[[CLOSED]], 0
; CHECK-NEXT: br i1 %[[YES]], label %[[TAIL]], label %[[STAY:.*]]
; CHECK: [[STAY]]:
; CHECK-NEXT: %[[RESULT:.*]] = call i32 @other(i32 %x)
; CHECK: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(
; CHECK: ret i32 %[[RESULT]]
; CHECK-NEXT: }
define i32 @direct(i32 %x) nounwind {
  %r = tail call i32 @other(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: define i32 @shared(
; CHECK: tail call i32 @other(i32 1)
; CHECK-NEXT: ret i32
; CHECK: tail call i32 %f(i32 2)
; CHECK-NEXT: ret i32
; CHECK-COUNT-2: call i32 @__seamscope_tail_v3(
; CHECK-NOT: __seamscope_tail_v3
; CHECK: }
define i32 @shared(i32 %x, ptr %f) nounwind {
  switch i32 %x, label %end [ i32 1, label %a
                              i32 2, label %b ]
a:
  %ra = tail call i32 @other(i32 1)
  br label %end
b:
  %rb = tail call i32 %f(i32 2)
  br label %end
end:
  %r = phi i32 [ %ra, %a ], [ %rb, %b ], [ 0, %0 ]
  ret i32 %r
}

; CHECK-LABEL: define i32 @throwing(
; CHECK: %[[JUMP:.*]] = tail call i32 @throws(i32 %x){{$}}
; CHECK-NEXT: ret i32 %[[JUMP]]
; CHECK: invoke i32 @throws(i32 %x)
; CHECK: }
define i32 @throwing(i32 %x) uwtable {
  %r = tail call i32 @throws(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: define i32 @returns_to_us(
; CHECK-NOT: __seamscope_tail_v3
; CHECK: }
define i32 @returns_to_us(i32 %x) nounwind {
  %r = tail call i32 @library(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: define i32 @not_last(
; CHECK-NOT: __seamscope_tail_v3
; CHECK: }
define i32 @not_last(i32 %x) nounwind {
  %r = tail call i32 @other(i32 %x)
  %s = add i32 %r, 1
  ret i32 %s
}

; CHECK-LABEL: define i32 @without(
; CHECK-NOT: __seamscope_tail_v3
; CHECK: }
define i32 @without(i32 %x) nounwind "disable-tail-calls"="true" {
  %r = tail call i32 @other(i32 %x)
  ret i32 %r
}
