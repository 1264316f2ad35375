; Functions that cannot have hooks have none, as kernels, as bodies of regions, and if they fork a team.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan;select=all>' \
; RUN:   -disable-output %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>,verify' -S %s \
; RUN:   | FileCheck %s --check-prefix=HOOKS
; REQUIRES: llvm-22
target triple = "x86_64-unknown-linux-gnu"

; CHECK-NOT: kernel
; CHECK-NOT: fork
; CHECK: region 'funclet [parallel #1]' symbol=ordinary_body
; CHECK-DAG: skip naked_body: a naked function has no room for hooks
; CHECK-DAG: skip funclet_body: exception handling by funclets is not supported
; CHECK-DAG: skip elsewhere_body: its code is emitted elsewhere
; CHECK-DAG: skip funclet: exception handling by funclets is not supported
; CHECK-DAG: skip disabled: instrumentation is disabled by attribute
; CHECK-DAG: skip disabled_body: it is the body of a parallel region
; CHECK-DAG: skip resolve: it resolves an ifunc
; CHECK: total kernels=0 regions=1

; HOOKS-NOT: enter_v3
; HOOKS: define internal void @ordinary_body(
; HOOKS: call void @__seamscope_region_enter_v3(
; HOOKS-NOT: call {{.*}}enter_v3

declare void @__kmpc_fork_call(ptr, i32, ptr, ...) nounwind
declare i32 @__CxxFrameHandler3(...)
declare i32 @may_throw()

@dispatched = ifunc void (), ptr @resolve
define internal ptr @resolve() {
  ret ptr null
}

define void @funclet(ptr %x) personality ptr @__CxxFrameHandler3 {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @naked_body, ptr %x)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @funclet_body, ptr %x)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @elsewhere_body, ptr %x)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @ordinary_body, ptr %x)
  ret void
}

define internal void @naked_body(ptr noalias %tid, ptr noalias %zero, ptr %x) naked {
  call void asm sideeffect "ret", ""()
  unreachable
}

define internal void @funclet_body(ptr noalias %tid, ptr noalias %zero, ptr %x) personality ptr @__CxxFrameHandler3 {
  call i32 @may_throw()
  ret void
}

define available_externally void @elsewhere_body(ptr noalias %tid, ptr noalias %zero, ptr %x) {
  ret void
}

define internal void @ordinary_body(ptr noalias %tid, ptr noalias %zero, ptr %x) {
  ret void
}

; A region belongs to its function.
define void @disabled(ptr %x) "no_instrument_function" {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @disabled_body, ptr %x)
  ret void
}

define internal void @disabled_body(ptr noalias %tid, ptr noalias %zero, ptr %x) {
  ret void
}
