// A trace does not exceed SEAMSCOPE_OUT_LIMIT: it has the first calls and sums of the others, and a spool
// with all calls is next to it, which a line says. Totals are those of all calls.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/spools && cd %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o calls -pthread
// RUN: timeout 200 %python %S/Inputs/out-limit.py %seamscope ./calls %t/spools
#include "kernel-mark.h"
#include <csignal>
#include <cstdlib>
#include <thread>

KERNEL void early(volatile int *Count) { *Count = *Count + 1; }
KERNEL void late(volatile int *Count) { *Count = *Count + 1; }

/// `early` and `late` are called as often as requested, `late` on two threads; then the program
/// kills itself if requested.
int main(int Words, char **Arguments) {
  const int Calls = atoi(Arguments[1]);
  volatile int Count = 0;
  for (int I = 0; I < Calls; ++I)
    early(&Count);
  const auto Later = [&] {
    volatile int Own = 0;
    for (int I = 0; I < Calls; ++I)
      late(&Own);
  };
  std::thread Second(Later);
  Later();
  Second.join();
  if (Words > 2)
    raise(SIGKILL);
}
