; The fork's operand is the body of a region, whatever its name. It is timed once, on every thread, and
; belongs to the function that forks; a nested body belongs to the outermost function, an inlined one to
; the function that debug information names.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan;loops=off>' -disable-output %s \
; RUN:   | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='print<seamscope-plan;loops=off>' -disable-output %s \
; RUN:   | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<no-waits;loops=off>,verify' -S %s \
; RUN:   | FileCheck %s --check-prefix=HOOKS
; REQUIRES: llvm-22, llvm-19

; CHECK: kernel 'axpy' symbol=axpy {{.*}} because starts an OpenMP parallel region
; CHECK-NEXT: kernel 'plain' symbol=plain {{.*}} because starts an OpenMP parallel region
; CHECK-NEXT: fork 'inlined' symbol=inlined source=/k.cpp:20 in=plain
; CHECK-NEXT: region 'axpy [parallel #1]' symbol=axpy..omp_par {{.*}} of='axpy'
; CHECK-NEXT: region 'axpy [parallel #2]' symbol=axpy..omp_par.1 {{.*}} of='axpy'
; CHECK-NEXT: region 'plain [parallel k.cpp:12]' symbol=body source=/k.cpp:12 of='plain'
; CHECK-NEXT: region 'inlined [parallel k.cpp:21]' symbol=another source=/k.cpp:21 of='inlined'
; CHECK-NEXT: wait 'axpy [fork and join #1]' symbol=axpy source={{.*}} construct=parallel of='axpy' in=axpy calls=1
; CHECK-NEXT: wait 'axpy [fork and join #2]' symbol=axpy..omp_par source={{.*}} construct=parallel of='axpy' in=axpy..omp_par calls=1
; CHECK-NEXT: wait 'plain [fork and join k.cpp:12]' symbol=plain source=/k.cpp:12 construct=parallel of='plain' in=plain calls=1
; CHECK-NEXT: wait 'inlined [fork and join k.cpp:21]' symbol=plain source=/k.cpp:21 construct=parallel of='inlined' in=plain calls=1
; CHECK-NEXT: total kernels=3 regions=4 skipped=0

; HOOKS-LABEL: define void @axpy(
; HOOKS-COUNT-1: call void @__seamscope_enter_v3(
; HOOKS-NOT: __seamscope_enter_v3
; HOOKS: define internal void @axpy..omp_par(
; HOOKS-NOT: __seamscope_enter_v3
; HOOKS-COUNT-1: call void @__seamscope_region_enter_v3(
; HOOKS-NOT: enter_v3
; HOOKS: define internal void @axpy..omp_par.1(
; HOOKS-NOT: __seamscope_enter_v3
; HOOKS-COUNT-1: call void @__seamscope_region_enter_v3(
; HOOKS-NOT: enter_v3
; HOOKS: define void @plain(

declare void @__kmpc_fork_call(ptr, i32, ptr, ...) nounwind

; As OMPIRBuilder emits it: bodies with loops, allocas after other instructions.
define void @axpy(ptr %x) {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @axpy..omp_par, ptr %x)
  ret void
}

define internal void @axpy..omp_par(ptr noalias %tid, ptr noalias %zero, ptr %x) nounwind {
  %id = load i32, ptr %tid
  %local = alloca i32
  store i32 %id, ptr %local
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr float, ptr %x, i64 %i
  store float 0.0, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100000
  br i1 %done, label %end, label %loop
end:
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @axpy..omp_par.1, ptr %x)
  ret void
}

define internal void @axpy..omp_par.1(ptr noalias %tid, ptr noalias %zero, ptr %x) nounwind {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr float, ptr %x, i64 %i
  store float 0.0, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100000
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Names without information.
define void @plain(ptr %x) !dbg !4 {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @body, ptr %x), !dbg !6
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @another, ptr %x), !dbg !8
  ret void
}

define internal void @body(ptr noalias %tid, ptr noalias %zero, ptr %x) nounwind {
  ret void
}

define internal void @another(ptr noalias %tid, ptr noalias %zero, ptr %x) nounwind {
  ret void
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cpp", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "plain", file: !2, line: 10, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "inlined", file: !2, line: 20, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 12, scope: !4)
!7 = !DILocation(line: 13, scope: !4)
!8 = !DILocation(line: 21, scope: !5, inlinedAt: !7)
