// The cost of recording is measured in the process, in each mode. The report shows it as a part of
// the kernels' times, and which short kernels to exclude; its exclude list works.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: env SEAMSCOPE_PASS=loops=off timeout 200 %python %S/Inputs/recording-cost.py %seamscope %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime
#include "kernel-mark.h"
#include <unistd.h>

KERNEL void tiny(volatile int *Count) { *Count = *Count + 1; }

KERNEL void outer(volatile int *Count) {
  for (int I = 0; I < 300000; ++I)
    tiny(Count);
}

KERNEL void sleeps() { usleep(20000); }

int main() {
  volatile int Count = 0;
  outer(&Count);
  sleeps();
}
