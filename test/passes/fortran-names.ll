; A trailing underscore of a symbol is removed only if debug information says that the code is Fortran;
; names that only begin like flang's stay unchanged.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan;select=all>' -disable-output %s | FileCheck %s
; RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='print<seamscope-plan;select=all>' -disable-output %s | FileCheck %s
; REQUIRES: llvm-22, llvm-19

; CHECK: kernel 'dgemm' symbol=dgemm_
; CHECK: kernel 'twice_' symbol=twice__
; CHECK: kernel 'c_' symbol=c_ 
; CHECK: kernel 'none_' symbol=none_ 
; CHECK: kernel 'm::s' symbol=_QMmPs 
; CHECK: kernel '_QMmP' symbol=_QMmP 
; CHECK: kernel '_QMmPs.part' symbol=_QMmPs.part 
; CHECK: kernel 'm::s' symbol=_QMmPs.specialized.1 
; CHECK: skip _QQmain: it is the program's entry
define void @dgemm_() !dbg !5 {
  ret void
}
define void @twice__() !dbg !6 {
  ret void
}
define void @c_() !dbg !7 {
  ret void
}
define void @none_() {
  ret void
}
define void @_QMmPs() {
  ret void
}
define void @_QMmP() {
  ret void
}
define void @_QMmPs.part() {
  ret void
}
define void @_QMmPs.specialized.1() {
  ret void
}
define void @_QQmain() {
  ret void
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1, !2}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !3, emissionKind: LineTablesOnly)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "k", directory: "/")
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "dgemm", linkageName: "dgemm_", file: !3, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !1)
!6 = distinct !DISubprogram(name: "twice_", linkageName: "twice__", file: !3, line: 2, type: !4, spFlags: DISPFlagDefinition, unit: !1)
!7 = distinct !DISubprogram(name: "c_", file: !3, line: 3, type: !4, spFlags: DISPFlagDefinition, unit: !2)
