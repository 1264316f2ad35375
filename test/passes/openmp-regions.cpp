// The body of a parallel region is timed on every thread, with the thread's number, and belongs to the
// kernel that it was outlined from; this includes nested and repeated regions.
// RUN: %clangxx-22 -O1 -fopenmp -gline-tables-only -fno-discard-value-names -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o %t.ll %s
// RUN: FileCheck %s < %t.ll
// RUN: %clangxx-22 -O0 -fopenmp -g -S -emit-llvm -fpass-plugin=%plugin-22 -Rpass=seamscope -o %t.0.ll \
// RUN:   %s 2>&1 | FileCheck %s --check-prefix=REMARK
// REQUIRES: llvm-22, openmp

// REMARK-DAG: timing kernel 'two'
// REMARK-DAG: timing region 'two [parallel openmp-regions.cpp:[[@LINE+14]]]' on every thread
// REMARK-DAG: timing region 'two [parallel openmp-regions.cpp:[[@LINE+16]]]' on every thread
// CHECK-LABEL: define internal void @two.omp_outlined(
// CHECK: call preserve_mostcc void @seamscope.region_enter.work.v3.{{[0-9]+}}(ptr @seamscope.site{{[.0-9]*}}, ptr %{{.*}})
// CHECK: call void @__kmpc_for_static_fini
// CHECK: call preserve_mostcc void @seamscope.region_end.v3.{{[0-9]+}}(
// CHECK-LABEL: define internal void @two.omp_outlined.1(
// CHECK: call preserve_mostcc void @seamscope.region_enter.work.v3.{{[0-9]+}}(
// CHECK-LABEL: define linkonce_odr hidden preserve_mostcc void @seamscope.region_enter.v3.{{[0-9]+}}(
// CHECK: %[[THREAD:.*]] = call i32 @seamscope.team_thread_v1()
// CHECK: call {{.*}} asm sideeffect "rdtscp"
// CHECK: call preserve_mostcc void @seamscope.region_enter.slow.v3.{{[0-9]+}}(ptr %{{.*}}, ptr %{{.*}}, i32 %[[THREAD]])
// CHECK: call void @__seamscope_region_enter_v3(
extern "C" void two(float *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    x[i] += 1;
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}

// REMARK-DAG: timing region 'nested [parallel openmp-regions.cpp:[[@LINE+3]]]' on every thread
// REMARK-DAG: timing region 'nested [parallel openmp-regions.cpp:[[@LINE+3]]]' on every thread
extern "C" void nested(float *x) {
#pragma omp parallel
#pragma omp parallel
  x[0] += 1;
}
