// An `omp target` region that runs on the host is a kernel with a name that is the same on each machine; its symbol has
// the numbers of a device and of an inode. Regions of one line have numbers (of the compiler: with -g 1 and 3), and a region without a team is a kernel too.
// RUN: %clangxx-22 -O2 -fopenmp -gline-tables-only -S -fpass-plugin=%plugin-22 -Rpass=seamscope -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=omp_offloading --check-prefixes=CHECK,SERIAL
// RUN: %clangxx-22 -O2 -fopenmp -g -S -fpass-plugin=%plugin-22 -Rpass=seamscope -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=omp_offloading --check-prefixes=CHECK,SERIAL
// RUN: %clangxx-22 -O0 -fopenmp -g -S -fpass-plugin=%plugin-22 -Rpass=seamscope -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=omp_offloading --check-prefixes=CHECK,SERIAL
// RUN: %clangxx-22 -O2 -fopenmp -g0 -S -fpass-plugin=%plugin-22 -Rpass=seamscope -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=omp_offloading
// REQUIRES: llvm-22, openmp
// CHECK-DAG: timing {{kernel|parallel region as kernel}} 'grid::relax [target target-regions.cpp:[[@LINE+7]]]'
// CHECK-DAG: timing region 'grid::relax [target target-regions.cpp:[[@LINE+6]]] [parallel {{.*}}]' on every thread
// CHECK-DAG: timing {{kernel|parallel region as kernel}} 'twice<float> [target target-regions.cpp:[[@LINE+13]]]'
// CHECK-DAG: timing {{kernel|parallel region as kernel}} 'twice<float> [target target-regions.cpp:[[@LINE+12]] #{{[0-9]}}]'
// SERIAL-DAG: timing {{kernel|loop}} 'serial [target target-regions.cpp:[[@LINE+16]]]{{'| .loop}}
namespace grid {
void relax(double *C, int N) {
#pragma omp target teams distribute parallel for map(tofrom : C[0 : N])
  for (int I = 0; I < N; ++I)
    C[I] = C[I] * 0.5 + 1;
}
} // namespace grid

#define TWICE(PRAGMA) _Pragma(PRAGMA) for (int I = 0; I < N; ++I) C[I] += 1; _Pragma(PRAGMA) for (int I = 0; I < N; ++I) C[I] *= 2;
template <typename T> void twice(T *C, int N) {
  TWICE("omp target teams distribute parallel for map(tofrom : C[0 : N])")
}
template void twice(float *, int);

void serial(double *C, int N) {
#pragma omp target map(tofrom : C[0 : N])
  for (int I = 0; I < N; ++I)
    C[I] = C[I] * C[I] / 3;
}
