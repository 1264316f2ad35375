; An exception ends a launch: an invoke has the exit hook on its own unwind edge, even if others share the landing
; pad and the next block; a call gets a cleanup. A function that cannot throw does not get one.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,verify' -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19

; CHECK-LABEL: define void @invoked(
; CHECK: call void @__seamscope_launch_enter_v3(
; CHECK: invoke i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
; CHECK-NEXT: to label %[[BEHIND:.*]] unwind label %[[PAD:.*]]
; CHECK: [[BEHIND]]:
; CHECK: call void @__seamscope_exit_v3(
; CHECK: br label %next
; CHECK: invoke void @other()
; CHECK-NEXT: to label %next unwind label %[[OTHERS:.*]]
; CHECK: [[PAD]]:
; CHECK-NEXT: landingpad
; CHECK-NEXT: catch ptr null
; CHECK: call void @__seamscope_exit_v3(
; CHECK: [[OTHERS]]:
; CHECK-NEXT: landingpad
; CHECK-NEXT: catch ptr null
; CHECK-NOT: __seamscope_exit_v3
; CHECK: ret void
define void @invoked(i1 %c) personality ptr @__gxx_personality_v0 {
  br i1 %c, label %launch, label %call

launch:
  %e = invoke i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
          to label %next unwind label %catch

call:
  invoke void @other()
          to label %next unwind label %catch

next:
  %v = phi i32 [ %e, %launch ], [ 0, %call ]
  call void @use(i32 %v) nounwind
  ret void

catch:
  %w = phi i32 [ 1, %launch ], [ 2, %call ]
  %caught = landingpad { ptr, i32 }
          catch ptr null
  call void @use(i32 %w) nounwind
  ret void
}

; CHECK-LABEL: define void @passes(
; CHECK-SAME: personality ptr @__g{{cc|xx}}_personality_v0
; CHECK: call void @__seamscope_launch_enter_v3(
; CHECK: invoke i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
; CHECK-NEXT: to label %[[BEHIND:.*]] unwind label %[[PAD:.*]]
; CHECK: [[BEHIND]]:
; CHECK: call void @__seamscope_exit_v3(
; CHECK: ret void
; CHECK: [[PAD]]:
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK: call void @__seamscope_exit_v3(
; CHECK: resume
define void @passes() {
  %e = tail call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}

; CHECK-LABEL: define void @throws_nothing(
; CHECK-NOT: personality
; CHECK: call i32 @cudaLaunchKernel(
; CHECK-NOT: landingpad
; CHECK: ret void
define void @throws_nothing() nounwind {
  %e = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}

declare i32 @cudaLaunchKernel(ptr)
declare void @_Z16__device_stub__kv()
declare void @other()
declare void @use(i32)
declare i32 @__gxx_personality_v0(...)
