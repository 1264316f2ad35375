// A trace has the number of processors that its program had: more threads than that are the finding, also without
// `seamscope run`, and not the schedule.
// REQUIRES: llvm-22, openmp
// DEFINE: %{on-one} = %python -c 'import os, sys; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); os.execv(sys.argv[1], sys.argv[1:])'
// RUN: %clangxx-22 %openmp-22 -O2 -g -fpass-plugin=%plugin-22 %s %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json OMP_NUM_THREADS=4 OMP_DYNAMIC=false %{on-one} %t
// RUN: %python -c 'import json, sys; print(json.load(open(sys.argv[1]))["seamscope"]["processors"])' %t.json | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1{{$}}
// RUN: %seamscope report %t.json | FileCheck %s
// CHECK-NOT: schedule(dynamic)
// CHECK: oversubscribed{{ .*}}4 threads on 1 processor: in uneven
// CHECK-NOT: schedule(dynamic)
#include <cmath>

static double Values[1 << 16];

__attribute__((noinline)) static void uneven(int N) {
#pragma omp parallel for schedule(static)
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < (I < N / 4 ? 40 : 10); ++K)
      Values[I] = std::sin(Values[I] + I);
}

int main() {
  for (int I = 0; I < 20; ++I)
    uneven(1 << 16);
}
