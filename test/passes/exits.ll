; On every path through a function the entry hook runs first, and the exit hook once, right before the
; exit: one of two returns, the only instruction of the function, a musttail call, or an exception that
; passes through (a cleanup, nothing on the normal path).
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all;work=off>,verify' -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<select=all;work=off>,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19
target triple = "x86_64-unknown-linux-gnu"

declare void @may_throw()
declare void @cannot_throw() nounwind
declare i32 @work(i32) nounwind

; CHECK-LABEL: define i32 @two_returns(
; CHECK-NEXT: %[[FRAME:.*]] = alloca { i64, i64, i32, i32 }, align 8
; CHECK-NEXT: store i64 0, ptr %[[FRAME]], align 8
; CHECK: br i1 %{{.*}}, label %[[ON:.*]], label %[[STARTED:[0-9a-z.]+]], !prof
; CHECK: [[ON]]:
; CHECK-NEXT: call preserve_mostcc void @seamscope.counted.v3.{{[0-9]+}}(ptr @{{.*}}, ptr %[[FRAME]])
; CHECK-NEXT: br label %[[STARTED]]
; CHECK: [[STARTED]]:
; CHECK-NEXT: br i1 %c, label %a, label %b
; CHECK: a:
; CHECK-NEXT: call i32 @work(i32 1)
; CHECK-NEXT: load i64, ptr %[[FRAME]], align 8
; CHECK-NEXT: icmp ne i64
; CHECK-NEXT: br i1 %{{.*}}, label %[[OPEN1:.*]], label %[[LEFT1:[0-9a-z.]+]], !prof
; CHECK: [[OPEN1]]:
; CHECK-NEXT: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(ptr %[[FRAME]])
; CHECK-NEXT: br label %[[LEFT1]]
; CHECK: [[LEFT1]]:
; CHECK-NEXT: ret i32 1
; CHECK: b:
; CHECK-NEXT: call i32 @work(i32 2)
; CHECK-NEXT: load i64, ptr %[[FRAME]], align 8
; CHECK-NEXT: icmp ne i64
; CHECK-NEXT: br i1 %{{.*}}, label %[[OPEN2:.*]], label %[[LEFT2:[0-9a-z.]+]], !prof
; CHECK: [[OPEN2]]:
; CHECK-NEXT: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(ptr %[[FRAME]])
; CHECK-NEXT: br label %[[LEFT2]]
; CHECK: [[LEFT2]]:
; CHECK-NEXT: ret i32 2
; CHECK-NEXT: }
define i32 @two_returns(i1 %c) nounwind {
  br i1 %c, label %a, label %b
a:
  call i32 @work(i32 1)
  ret i32 1
b:
  call i32 @work(i32 2)
  ret i32 2
}

; CHECK-LABEL: define void @only_return(
; CHECK: store i64 0, ptr %[[FRAME:.*]], align 8
; CHECK-NEXT: load atomic i32, ptr @__seamscope_gate_v3
; CHECK-NOT: seamscope.exit
; CHECK: call preserve_mostcc void @seamscope.counted.v3.{{[0-9]+}}(ptr @{{.*}}, ptr %[[FRAME]])
; CHECK-NOT: __seamscope
; CHECK: load i64, ptr %[[FRAME]], align 8
; CHECK-NOT: __seamscope
; CHECK: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(ptr %[[FRAME]])
; CHECK-NOT: __seamscope
; CHECK: ret void
; CHECK-NEXT: }
define void @only_return() nounwind {
  ret void
}

; CHECK-LABEL: define void @tail(
; CHECK-NOT: seamscope.exit
; CHECK: call preserve_mostcc void @seamscope.counted.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope
; CHECK: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope
; CHECK: musttail call void @cannot_throw()
; CHECK-NEXT: ret void
; CHECK-NEXT: }
define void @tail() nounwind {
  musttail call void @cannot_throw()
  ret void
}

; CHECK-LABEL: define void @throws(
; CHECK-SAME: personality ptr @__gcc_personality_v0
; CHECK-NOT: seamscope.exit
; CHECK: call preserve_mostcc void @seamscope.counted.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope
; CHECK: invoke void @may_throw()
; CHECK-NEXT: to label %[[NORMAL:.*]] unwind label %[[CLEANUP:.*]]
; CHECK: [[NORMAL]]:
; CHECK-NOT: seamscope.enter
; CHECK: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope
; CHECK: ret void
; CHECK: [[CLEANUP]]:
; CHECK-NEXT: landingpad { ptr, i32 }
; CHECK-NEXT: cleanup
; CHECK-NOT: seamscope.enter
; CHECK: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope
; CHECK: resume { ptr, i32 }
define void @throws() uwtable {
  call void @may_throw()
  ret void
}

; CHECK-LABEL: define void @quiet(
; CHECK-NOT: landingpad
; CHECK: call preserve_mostcc void @seamscope.counted.v3.{{[0-9]+}}(
; CHECK-NOT: {{landingpad|invoke|__seamscope}}
; CHECK: call void @cannot_throw()
; CHECK-NOT: {{landingpad|__seamscope}}
; CHECK: call preserve_mostcc void @seamscope.exit.v3.{{[0-9]+}}(
; CHECK-NOT: __seamscope
; CHECK: ret void
; CHECK-NEXT: }
define void @quiet() {
  call void @cannot_throw()
  ret void
}

; One function of the program counts the calls of throttled sites.
; CHECK-LABEL: define linkonce_odr hidden preserve_mostcc void @seamscope.counted.v3.
; CHECK: load atomic i32, ptr {{.*}} monotonic, align 4
; CHECK: br i1 %{{.*}}, label %seamscope.hot, label %seamscope.call
; CHECK: seamscope.sampled:
; CHECK-NEXT: call preserve_mostcc void @seamscope.sample.v3.{{[0-9]+}}(ptr %0, ptr %1)
; CHECK-NEXT: br label %seamscope.done
; CHECK: seamscope.count:
; CHECK: sub i32 %{{.*}}, 1
; CHECK: br i1 %{{.*}}, label %seamscope.sampled, label %seamscope.done
; CHECK: seamscope.call:
; CHECK: asm sideeffect "rdtscp"
