; Launches in one function share a frame in its entry block, launches at one source location a site, and launches
; of one kernel an object. If other files have the function too, its entry is shared by name.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK-NOT: @seamscope.{{site|gpu_launch}}
; CHECK: @seamscope.gpu_launch._Z16__device_stub__kv = private global
; CHECK-NOT: @seamscope.{{site|gpu_launch}}{{.*}} =
; CHECK: @seamscope.site._Z4loopv.launch._Z1kv.0.0.loop.cu = linkonce_odr hidden global
; CHECK-NOT: @seamscope.{{site|gpu_launch}}{{.*}} =
; CHECK-LABEL: define linkonce_odr void @_Z4loopv(
; CHECK-NEXT: entry:
; CHECK-NEXT: %[[FRAME:.*]] = alloca { i64, i64, i32, i32 }
; CHECK-NOT: alloca
; CHECK: call void @__seamscope_launch_enter_v3(ptr @[[SITE:.*]], ptr %[[FRAME]], ptr @[[LAUNCH:.*]])
; CHECK: call void @__seamscope_launch_enter_v3(ptr @[[SITE]], ptr %[[FRAME]], ptr @[[LAUNCH]])
source_filename = "loop.cu"
$_Z4loopv = comdat any

define linkonce_odr void @_Z4loopv() nounwind comdat {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  %2 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

declare i32 @cudaLaunchKernel(ptr)
declare void @_Z16__device_stub__kv()
