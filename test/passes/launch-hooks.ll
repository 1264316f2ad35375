; A launch gets a zeroed frame and a gated call before it, with an object that identifies the kernel, and a gated
; call after it. The call in the stub is not a launch. With recording off the cost is two predicted branches.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,verify' -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope,verify' -S %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19

; CHECK-DAG: c"saxpy\00"
; CHECK-DAG: c"_Z5saxpyPf\00"
; CHECK-DAG: @seamscope.site = private global {{.*}} i16 7, {{.*}}section "seamscope_sites_v3"
; CHECK-DAG: @seamscope.gpu_launch._Z20__device_stub__saxpyPf = private global { i32, i32, ptr, ptr, ptr, ptr } { i32 1, i32 0, ptr @_Z20__device_stub__saxpyPf, ptr @cudaGetFuncBySymbol, ptr null, ptr null }

; CHECK-LABEL: define void @_Z20__device_stub__saxpyPf(
; CHECK-NOT: seamscope.{{gate|frame|launch}}
; CHECK: call i32 @cudaLaunchKernel(
; CHECK-NOT: seamscope.{{gate|frame|launch}}

; CHECK-LABEL: define void @caller(
; CHECK-NEXT: %[[FRAME:.*]] = alloca { i64, i64, i32, i32 }, align 8
; CHECK: call i32 @__cudaPushCallConfiguration(
; CHECK: store i64 0, ptr %[[FRAME]], align 8
; CHECK-NEXT: %[[GATE:.*]] = load atomic i32, ptr @__seamscope_gate_v3 monotonic, align 4
; CHECK-NEXT: %[[ON:.*]] = icmp ne i32 %[[GATE]], 0
; CHECK-NEXT: br i1 %[[ON]], label %[[ENTER:.*]], label %[[GO:.*]], !prof ![[RARE:[0-9]+]]
; CHECK: [[ENTER]]:
; CHECK-NEXT: call void @__seamscope_launch_enter_v3(ptr @seamscope.site, ptr %[[FRAME]], ptr @seamscope.gpu_launch._Z20__device_stub__saxpyPf)
; CHECK-NEXT: br label %[[GO]]
; CHECK: [[GO]]:
; CHECK-NEXT: call void @_Z20__device_stub__saxpyPf(ptr %x)
; CHECK-NEXT: %[[OUTER:.*]] = load i64, ptr %[[FRAME]], align 8
; CHECK-NEXT: %[[OPEN:.*]] = icmp ne i64 %[[OUTER]], 0
; CHECK-NEXT: br i1 %[[OPEN]], label %[[LEAVE:.*]], label %{{.*}}, !prof ![[RARE]]
; CHECK: [[LEAVE]]:
; CHECK-NEXT: call void @__seamscope_exit_v3(ptr %[[FRAME]])
; CHECK: declare extern_weak i32 @cudaGetFuncBySymbol(ptr, ptr)

define void @_Z20__device_stub__saxpyPf(ptr %x) nounwind {
  %e = call i32 @cudaLaunchKernel(ptr @_Z20__device_stub__saxpyPf, i64 1, i32 1, i64 1, i32 1, ptr %x, i64 0, ptr null)
  ret void
}

define void @caller(ptr %x) nounwind {
  %c = call i32 @__cudaPushCallConfiguration(i64 1, i32 1, i64 1, i32 1, i64 0, ptr null)
  %no = icmp ne i32 %c, 0
  br i1 %no, label %end, label %go

go:
  tail call void @_Z20__device_stub__saxpyPf(ptr %x)
  br label %end

end:
  ret void
}

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64, ptr)
