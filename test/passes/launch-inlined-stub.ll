; A launch through an inlined stub has the location of the <<<>>>, not the kernel's or one in CUDA's headers. Debug
; information identifies the kernel if the call does not have its address. If the launch was inlined from another
; function, its location is still that of the <<<>>>.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output %s | FileCheck %s
; REQUIRES: llvm-22

; CHECK:      launch 'k' symbol=_Z1kv source=/src/k.cu:22:3 in=main by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=/src/k.cu:33:4 in=main by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=/src/k.cu:44:5 in=main by=_Z16__device_stub__kv
; CHECK-NEXT: launch 'k' symbol=_Z1kv source=/src/wrapper.h:7:9 in=main by=_Z16__device_stub__kv
; CHECK: launches=4

define void @_Z16__device_stub__kv() !dbg !10 {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv), !dbg !20
  ret void
}

define i32 @main(ptr %handle) !dbg !11 {
  %1 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv), !dbg !21
  %2 = call i32 @cudaLaunchKernel(ptr %handle), !dbg !23
  %3 = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv), !dbg !25
  call void @_Z16__device_stub__kv(), !dbg !27
  ret i32 0
}

declare i32 @cudaLaunchKernel(ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "k.cu", directory: "/src")
!3 = !DIFile(filename: "/usr/local/cuda-13.0/include/cuda_runtime.h", directory: "")
!4 = !DIFile(filename: "wrapper.h", directory: "/src")
!5 = !DISubroutineType(types: !6)
!6 = !{}
!10 = distinct !DISubprogram(name: "k", file: !2, line: 11, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "main", file: !2, line: 20, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "cudaLaunchKernel<void ()>", file: !3, line: 210, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!13 = distinct !DISubprogram(name: "wrapper", file: !4, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 11, column: 30, scope: !10)
!21 = !DILocation(line: 11, column: 30, scope: !10, inlinedAt: !22)
!22 = distinct !DILocation(line: 22, column: 3, scope: !11)
!23 = !DILocation(line: 11, column: 30, scope: !10, inlinedAt: !24)
!24 = distinct !DILocation(line: 33, column: 4, scope: !11)
!25 = !DILocation(line: 216, column: 12, scope: !12, inlinedAt: !26)
!26 = distinct !DILocation(line: 44, column: 5, scope: !11)
!27 = !DILocation(line: 7, column: 9, scope: !13, inlinedAt: !28)
!28 = distinct !DILocation(line: 50, column: 2, scope: !11)
