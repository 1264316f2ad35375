// A bridge that is notified of kernels attributes their time to its own calls, which needs every
// call: from then on nothing is throttled, on any thread, unless the user chose a number. The
// counts stay exact. `run` itself throttles Python programs as others.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs -I%include %s %link-runtime -o program -pthread
// RUN: timeout 200 %python %S/Inputs/throttle-ends.py %seamscope ./program
// REQUIRES: llvm-22
#include "kernel-mark.h"
#include "seamscope/spans.h"
#include <thread>

KERNEL void tiny(volatile int *Count) { *Count = *Count + 1; }
KERNEL void later(volatile int *Count) { *Count = *Count + 1; }

int main() {
  volatile int Count = 0;
  for (int I = 0; I < 400000; ++I)
    tiny(&Count);
  static const SeamscopeMirror Mirror = {[](const SeamscopeSite *, const char *, const void *) {},
                                         [](const void *) {}};
  seamscope_set_mirror(&Mirror);
  for (int I = 0; I < 50000; ++I)
    tiny(&Count);
  std::thread([] {
    volatile int Own = 0;
    for (int I = 0; I < 100000; ++I)
      later(&Own);
  }).join();
}
