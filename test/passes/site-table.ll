; The table: entries are in their section and in their function's comdat, or in a separate comdat if the
; function may be in several files; texts are offsets; one constructor and one destructor have priority
; 0 and separate comdats.
; RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope<select=all>' -S %s | FileCheck %s
; REQUIRES: llvm-22
target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: $strong = comdat nodeduplicate
; CHECK-DAG: $seamscope.site.shared = comdat any
; CHECK-DAG: $seamscope.module_ctor_v3 = comdat any
; CHECK-DAG: @seamscope.site = private global {{.*}} { i32 0, i16 1, i16 0, i32 trunc (i64 sub (i64 ptrtoint (ptr @[[NAME:[a-z.0-9]+]] to i64), i64 ptrtoint (ptr @seamscope.site to i64)) to i32){{.*}}, section "seamscope_sites_v3", comdat($strong), align 16
; CHECK-DAG: @[[NAME]] = private unnamed_addr constant [7 x i8] c"strong\00", align 1
; CHECK-DAG: @seamscope.site.shared = linkonce_odr hidden global {{.*}}, section "seamscope_sites_v3", comdat, align 16
; CHECK-DAG: @__start_seamscope_sites_v3 = extern_weak hidden global
; CHECK-DAG: @__stop_seamscope_sites_v3 = extern_weak hidden global
; CHECK-DAG: @__seamscope_module_v3 = linkonce_odr hidden global { i32, i32, ptr, ptr, ptr, ptr } { i32 3, i32 64, ptr @__start_seamscope_sites_v3, ptr @__stop_seamscope_sites_v3, ptr @__seamscope_gate_v3, ptr null }, comdat
; CHECK-DAG: @llvm.compiler.used = appending global [2 x ptr] [ptr @seamscope.site, ptr @seamscope.site.shared]
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @seamscope.module_ctor_v3, ptr @seamscope.module_ctor_v3 }]
; CHECK-DAG: @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @seamscope.module_dtor_v3, ptr @seamscope.module_dtor_v3 }]
; CHECK: define linkonce_odr hidden void @seamscope.module_ctor_v3()
; CHECK: call void @__seamscope_register_v3(ptr @__seamscope_module_v3)
define void @strong() nounwind {
  ret void
}

$shared = comdat any
define linkonce_odr void @shared() nounwind comdat {
  ret void
}
