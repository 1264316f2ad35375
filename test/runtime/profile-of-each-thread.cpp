// In mode profile each of many short threads has its own sums, even if it reuses the block of an
// ended thread; they add up to all calls.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -pthread -o %t/program
// RUN: %python %S/Inputs/run-both.py %t/k.json SEAMSCOPE=profile -- %t/program
// RUN: %python %S/Inputs/check-trace.py %t/k.json mode=profile profile:work=3000 profile-threads:work=1000 lost=0
#include "kernel-mark.h"
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> Count;

KERNEL void work(std::atomic<int> &C) { ++C; }

int main() {
  for (int Round = 0; Round < 125; ++Round) {
    std::thread Threads[8];
    for (std::thread &T : Threads)
      T = std::thread([] {
        for (int I = 0; I < 3; ++I)
          work(Count);
      });
    for (std::thread &T : Threads)
      T.join();
  }
  printf("%d\n", Count.load());
}
