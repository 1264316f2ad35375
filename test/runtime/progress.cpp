// If writing a trace takes longer than a second, a terminal shows the progress, a pipe does not.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o calls
// RUN: timeout 100 %python %S/Inputs/progress.py ./calls
#include "kernel-mark.h"

KERNEL void work(volatile int *Count) { *Count = *Count + 1; }

int main() {
  volatile int Count = 0;
  for (int I = 0; I < 100000; ++I)
    work(&Count);
}
