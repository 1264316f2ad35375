// Two regions, each of which may be serialised inside the other's body, have their own schedules, and the pass ends.
// REQUIRES: llvm-22, openmp
// RUN: %clang-22 %openmp-22 -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: timeout 60 %opt-22 -load-pass-plugin=%plugin-22 -disable-output -passes='print<seamscope-plan>' %t.ll | FileCheck %s
// CHECK: wait 'outer [fork and join waits-serialised.c:{{[0-9]+}}]' symbol=outer {{.*}} construct=parallel for schedule(dynamic)
// CHECK: wait 'inner [fork and join waits-serialised.c:{{[0-9]+}}]' symbol=outer.omp_outlined {{.*}} construct=parallel for schedule(guided)
// CHECK: wait 'outer [fork and join waits-serialised.c:{{[0-9]+}}]' symbol=inner.omp_outlined {{.*}} construct=parallel for schedule(dynamic)
void take(int);
void outer(int);
static void inner(int N) {
#pragma omp parallel if (N > 8)
  {
#pragma omp for schedule(guided)
    for (int I = 0; I < N; ++I)
      take(I);
    if (N)
      outer(N - 1);
  }
}
void outer(int N) {
#pragma omp parallel if (N > 4)
  {
#pragma omp for schedule(dynamic)
    for (int I = 0; I < N; ++I)
      take(I);
    if (N)
      inner(N - 1);
  }
}
