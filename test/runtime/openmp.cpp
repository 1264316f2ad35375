// Four OpenMP threads: one track per thread, with names and correct nesting, and sums that match the
// report. For both majors.
// RUN: %clangxx-22 -O3 %openmp-22 -gline-tables-only -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t.22
// RUN: env SEAMSCOPE=trace SEAMSCOPE_SAMPLES=off SEAMSCOPE_OUT=%t.json OMP_NUM_THREADS=4 %t.22
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// RUN: %seamscope report %t.json --json -o %t.report.json
// RUN: %python %S/Inputs/openmp-sums.py %t.json %t.report.json 4
// RUN: %clangxx-19 -O3 %openmp-19 -gline-tables-only -fpass-plugin=%plugin-19 %s -I%include %link-runtime -o %t.19
// RUN: env SEAMSCOPE=trace SEAMSCOPE_SAMPLES=off SEAMSCOPE_OUT=%t.json OMP_NUM_THREADS=4 %t.19
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// RUN: %seamscope report %t.json --json -o %t.report.json
// RUN: %python %S/Inputs/openmp-sums.py %t.json %t.report.json 4
// REQUIRES: llvm-22, llvm-19, openmp
// CHECK: calls axpy: 20
// CHECK: calls axpy [parallel openmp.cpp:[[@LINE+4]]]: 80
// CHECK: tracks: 4
// CHECK: nesting: right
extern "C" void axpy(long N, float A, const float *X, float *Y) {
#pragma omp parallel for
  for (long I = 0; I < N; ++I)
    Y[I] += A * X[I];
}
static float X[100000], Y[100000];
int main() {
  for (int I = 0; I < 20; ++I)
    axpy(100000, 2, X, Y);
}
