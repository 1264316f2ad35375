// exit() inside a kernel's parallel region: the trace is written, and shows the open calls.
// RUN: %clangxx-22 -O2 %openmp-22 -gline-tables-only -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: not env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json OMP_NUM_THREADS=3 %t
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// REQUIRES: llvm-22, openmp
// CHECK: calls kernel: 10
// CHECK: open leaves: 1
// CHECK: open leaves [parallel exit-in-region.cpp:{{[0-9]+}}]:
#include "Inputs/kernel.h"
#include <cstdlib>
__attribute__((noinline)) void leaves() {
#pragma omp parallel
  {
#pragma omp master
    exit(3);
  }
}
int main() {
  for (int I = 0; I < 10; ++I)
    kernel();
  leaves();
}
