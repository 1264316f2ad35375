; GPU kernels have a stamp at the entry, with only a test of the control block before it, and one at each
; exit. Functions that kernels call have none, and without the option nothing has.
; REQUIRES: llvm-22, llvm-19
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu>,verify' -S %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<gpu>,verify' -S %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope' -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu;exclude=two*>' -S %s | FileCheck %s --check-prefix=EXCLUDED
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu>,seamscope<gpu>' -S %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan;gpu>' -disable-output %s | FileCheck %s --check-prefix=PLAN

; PLAN: seamscope plan for 'k.cu'
; PLAN-NEXT: kernel 'two' symbol=_Z3twoPfi source=/src/k.cu:7 because GPU kernel
; PLAN-NEXT: kernel 'old' symbol=old source=k.cu because GPU kernel
; PLAN-NEXT: skip helper: it is device code that kernels call
; PLAN-NEXT: total kernels=2 regions=0 skipped=1

; OFF-NOT: {{[@"!]_*seamscope}}
; EXCLUDED-NOT: @__seamscope_gpu_kernel_v1__Z3twoPfi
; EXCLUDED: @__seamscope_gpu_kernel_v1_old

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
source_filename = "k.cu"

; CHECK-DAG: @__seamscope_gpu_control_v1 = weak addrspace(4) externally_initialized global [4 x i32] zeroinitializer, align 16
; CHECK-DAG: @__seamscope_gpu_kernel_v1__Z3twoPfi = weak addrspace(1) constant {{.*}}two\00_Z3twoPfi\00/src/k.cu\00{{.*}}, align 16
; CHECK-DAG: @__seamscope_gpu_kernel_v1_old = weak addrspace(1) constant
; CHECK-DAG: @llvm.compiler.used = appending global [2 x ptr]

; CHECK-LABEL: define ptx_kernel void @_Z3twoPfi(
; CHECK: %local = alloca float
; CHECK-NEXT: [[SLOTS:%seamscope.slots.*]] = load i64, ptr addrspace(4) @__seamscope_gpu_control_v1
; CHECK-NEXT: [[ON:%.*]] = icmp ne i64 [[SLOTS]], 0
; CHECK-NEXT: br i1 [[ON]], label {{.*}}!prof
; CHECK: asm sideeffect "mov.u64 $0, %gridid;"
; CHECK: %seamscope.number{{.*}} = select
; CHECK: asm sideeffect "mov.u64 $0, %globaltimer;\0A\09mov.u64 $1, %clock64;", "=l,=l,~{memory}"()
; CHECK: [[SLOT:%seamscope.slot[0-9]*]] = phi i32
; CHECK: %early = icmp
; CHECK: br i1 %early, label %out, label %work
; CHECK: out:
; CHECK-NEXT: icmp ne i32 [[SLOT]], 0
; CHECK: asm sideeffect "activemask.b32 $0;"
; CHECK: asm sideeffect "mov.u64 $0, %clock64;\0A\09mov.u64 $1, %globaltimer;", "=l,=l,~{memory}"()
; CHECK: ret void
; CHECK: work:
; CHECK: asm sideeffect "activemask.b32 $0;"
; CHECK: ret void
; CHECK-NOT: asm sideeffect
; CHECK: define void @helper(
; CHECK-NOT: asm sideeffect
; CHECK: define {{(ptx_kernel )?}}void @old(
; CHECK: asm sideeffect "activemask.b32 $0;"
; The kernel had an attribute that it accesses only its arguments.
; CHECK-NOT: attributes {{.*}}memory(argmem
; CHECK: attributes {{.*}}"seamscope-instrumented"
define ptx_kernel void @_Z3twoPfi(ptr %x, i32 %n) #0 !dbg !5 {
entry:
  %local = alloca float
  %early = icmp eq i32 %n, 0
  br i1 %early, label %out, label %work
out:
  ret void
work:
  store float 1.0, ptr %x
  call void @helper(ptr %x)
  ret void
}

define void @helper(ptr %x) noinline {
  store float 2.0, ptr %x
  ret void
}

; clang marked kernels this way until LLVM 19.
define void @old(ptr %x) #0 {
  store float 3.0, ptr %x
  ret void
}

attributes #0 = { nounwind memory(argmem: readwrite) }

!nvvm.annotations = !{!6}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cu", directory: "/src")
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "two", file: !2, line: 7, type: !3, scopeLine: 7, spFlags: DISPFlagDefinition, unit: !1)
!6 = !{ptr @old, !"kernel", i32 1}
