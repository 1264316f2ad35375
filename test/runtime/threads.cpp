// Ten thousand short threads: every event is recorded, and threads reuse blocks, so that the spool
// stays within a limit of a few blocks.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_LIMIT=4M SEAMSCOPE_OUT=%t.json %t
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// REQUIRES: llvm-22
// CHECK: calls kernel: 30000
// CHECK: lost: 0
// CHECK: nesting: right
#include "Inputs/kernel.h"
#include <thread>

int main() {
  for (int I = 0; I < 5000; ++I) {
    const auto Work = [] {
      for (int J = 0; J < 3; ++J)
        kernel();
    };
    std::thread A(Work), B(Work);
    A.join();
    B.join();
  }
}
