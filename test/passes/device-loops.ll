; Loops of GPU kernels: one of the threads adds to the loop's record at the loop's entry and at each of its exits. There
; is no code inside the loop, no value is live across it, and kernels without loops are unchanged, as are all kernels
; without the option.
; REQUIRES: llvm-22, llvm-19
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu;loops=auto>,verify' -S %s > %t.22.ll
; RUN: FileCheck %s < %t.22.ll
; RUN: FileCheck %s --check-prefix=COUNT < %t.22.ll
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='seamscope<gpu;loops=auto>,verify' -S %s | FileCheck %s
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu>' -S %s | FileCheck %s --check-prefix=OFF
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan;gpu;loops=auto>' -disable-output %s | FileCheck %s --check-prefix=PLAN
; RUN: %opt-22 -passes='internalize,globaldce' -internalize-public-api-list=none -S %s -o %t.none.ll
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu>' -S %t.none.ll -o %t.a.ll
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<gpu;loops=2>' -S %t.none.ll -o %t.b.ll
; RUN: cmp %t.a.ll %t.b.ll
; RUN: FileCheck %s --check-prefix=ALONE < %t.b.ll
; ALONE: define ptx_kernel void @none(
; ALONE-NEXT: %seamscope.slots = load

; PLAN: kernel 'early' symbol=early
; PLAN: loop 'early [loop k.cu:9]' symbol=early source=/src/k.cu:9:3 of='early' in=early parts=1 depth=0
; PLAN: loop 'outer [loop k.cu:21]' symbol=outer source=/src/k.cu:21:3 of='outer' in=outer parts=1 depth=0
; PLAN: loop 'outer [loop k.cu:23]' {{.*}} depth=1
; PLAN: loop 'outer [loop k.cu:22]' {{.*}} depth=1
; PLAN: total kernels=3 regions=0 skipped=0 launches=0 loops=4

; OFF-NOT: seamscope_gpu_loops
; OFF-NOT: atomicrmw

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
source_filename = "k.cu"

; The list of loops follows the texts: their number, and for each loop its texts, its place and its parent.
; CHECK-DAG: @__seamscope_gpu_loops_v1 = weak addrspace(4) externally_initialized global i64 0, align 8
; CHECK-DAG: @__seamscope_gpu_kernel_v1_early = weak addrspace(1) constant {{.*}}early [loop k.cu:9]\00/src/k.cu\00{{.*}}\01\00\00\00{{.*}}\09\00\00\00\03\00\00\00\00\00\00\00\00\00\00\00"
; CHECK-DAG: @__seamscope_gpu_kernel_v1_outer = weak addrspace(1) constant {{.*}}\03\00\00\00{{.*}}\15\00\00\00\03\00\00\00\00\00\00\00{{.*}}\17\00\00\00\05\00\00\00\01\00\00\00{{.*}}\16\00\00\00\05\00\00\00\01\00\00\00

; The loop has two exits, one in the middle and one at its end.
; CHECK-LABEL: define ptx_kernel void @early(
; CHECK: store i32 1, ptr addrspace(1)
; CHECK: load i64, ptr addrspace(4) @__seamscope_gpu_loops_v1
; CHECK: store i64 0, ptr addrspace(1)
; CHECK: store i64 0, ptr addrspace(1)
; CHECK-NOT: store i64 0, ptr addrspace(1)
; CHECK: mov.u64 $1, %clock64;
; CHECK: asm sideeffect "bar.warp.sync 0xffffffff;", "~{memory}"()
; CHECK: [[SLOT:%seamscope.slot[0-9]*]] = phi i32
; CHECK: icmp ne i32 [[SLOT]], 0
; CHECK: [[MASK:%[0-9]+]] = call i32 asm sideeffect "activemask.b32 $0;"
; CHECK-NOT: clock64
; CHECK: [[LOOPS:%seamscope.loops[0-9]*]] = load i64, ptr addrspace(4) @__seamscope_gpu_loops_v1
; CHECK: icmp ne i64 [[LOOPS]], 0
; CHECK: [[THREADS:%[0-9]+]] = call i32 @llvm.ctpop.i32(i32 [[MASK]])
; CHECK: [[MANY:%[0-9]+]] = zext i32 [[THREADS]] to i64
; CHECK: [[CLOCK:%[0-9]+]] = call i64 asm sideeffect "mov.u64 $0, %clock64;", "=l,~{memory}"()
; CHECK: [[ALL:%[0-9]+]] = mul i64 [[CLOCK]], [[MANY]]
; CHECK: [[LESS:%[0-9]+]] = sub i64 0, [[ALL]]
; CHECK: atomicrmw add ptr addrspace(1) {{%[0-9]+}}, i64 [[LESS]] syncscope("device") monotonic, align 8
; CHECK: or i64 {{%[0-9]+}}, 1
; CHECK: atomicrmw add
; CHECK: {{^}}loop:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: %at = getelementptr
; CHECK-NEXT: %v = load
; CHECK-NEXT: %found = fcmp
; CHECK-NEXT: br i1 %found
; CHECK: {{^}}next:
; CHECK-NEXT: %i.next = add
; CHECK-NEXT: %more = icmp
; CHECK-NEXT: br i1 %more, label %loop
; CHECK: activemask
; CHECK-NEXT: mov.u64 $0, %clock64;
; CHECK-NEXT: load i64, ptr addrspace(4) @__seamscope_gpu_loops_v1
; CHECK: atomicrmw add
; CHECK: atomicrmw add
; CHECK: atomicrmw add
; CHECK: atomicrmw add
; CHECK-NOT: atomicrmw
; CHECK-LABEL: define ptx_kernel void @outer(

; early 2 * (1 + 2), outer 2 * 3 * (1 + 1)
; COUNT-COUNT-18: atomicrmw add
; COUNT-NOT: atomicrmw
define ptx_kernel void @early(ptr %x, i32 %n) #0 !dbg !5 {
entry:
  %any = icmp sgt i32 %n, 0, !dbg !10
  br i1 %any, label %loop, label %out, !dbg !10
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %at = getelementptr float, ptr %x, i32 %i, !dbg !10
  %v = load float, ptr %at, !dbg !10
  %found = fcmp oeq float %v, 0.0, !dbg !10
  br i1 %found, label %found.it, label %next, !dbg !10
next:
  %i.next = add nuw nsw i32 %i, 1, !dbg !10
  %more = icmp ne i32 %i.next, %n, !dbg !10
  br i1 %more, label %loop, label %out, !dbg !10, !llvm.loop !11
found.it:
  store float 1.0, ptr %at, !dbg !10
  br label %out
out:
  ret void, !dbg !10
}

define ptx_kernel void @outer(ptr %x, i32 %n) #0 !dbg !6 {
entry:
  br label %turn, !dbg !12
turn:
  %t = phi i32 [ 0, %entry ], [ %t.next, %turn.end ]
  br label %first, !dbg !13
first:
  %i = phi i32 [ 0, %turn ], [ %i.next, %first ]
  %at = getelementptr float, ptr %x, i32 %i, !dbg !13
  store float 1.0, ptr %at, !dbg !13
  %i.next = add nuw nsw i32 %i, 1, !dbg !13
  %i.more = icmp ult i32 %i.next, 4096, !dbg !13
  br i1 %i.more, label %first, label %between, !dbg !13, !llvm.loop !15
between:
  br label %second, !dbg !14
second:
  %j = phi i32 [ 0, %between ], [ %j.next, %second ]
  %to = getelementptr float, ptr %x, i32 %j, !dbg !14
  store float 2.0, ptr %to, !dbg !14
  %j.next = add nuw nsw i32 %j, 1, !dbg !14
  %j.more = icmp ult i32 %j.next, 4096, !dbg !14
  br i1 %j.more, label %second, label %turn.end, !dbg !14, !llvm.loop !16
turn.end:
  %t.next = add nuw nsw i32 %t, 1, !dbg !12
  %t.more = icmp slt i32 %t.next, %n, !dbg !12
  br i1 %t.more, label %turn, label %out, !dbg !12, !llvm.loop !17
out:
  ret void, !dbg !12
}

define ptx_kernel void @none(ptr %x) #0 {
  store float 1.0, ptr %x
  ret void
}

attributes #0 = { nounwind }

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cu", directory: "/src")
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "early", file: !2, line: 7, type: !3, scopeLine: 7, spFlags: DISPFlagDefinition, unit: !1)
!6 = distinct !DISubprogram(name: "outer", file: !2, line: 20, type: !3, scopeLine: 20, spFlags: DISPFlagDefinition, unit: !1)
!10 = !DILocation(line: 9, column: 3, scope: !5)
!11 = distinct !{!11, !10}
!12 = !DILocation(line: 21, column: 3, scope: !6)
!13 = !DILocation(line: 22, column: 5, scope: !6)
!14 = !DILocation(line: 23, column: 5, scope: !6)
!15 = distinct !{!15, !13}
!16 = distinct !{!16, !14}
!17 = distinct !{!17, !12}
