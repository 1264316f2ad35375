// In a program built with MemorySanitizer, which does not see the library's stores, the trace is
// written, and errors of the program are still found.
// REQUIRES: llvm-22, msan
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx-22 -O1 -fsanitize=memory -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o program
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=k.json timeout 60 ./program
// RUN: %python %S/Inputs/count.py k.json | FileCheck %s
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=k.json.gz timeout 60 ./program && gzip -t k.json.gz
// CHECK: calls kernel: 2000
// CHECK: calls scope: 1
// RUN: not env SEAMSCOPE=trace SEAMSCOPE_OUT=bad.json timeout 60 ./program bad 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: MemorySanitizer: use-of-uninitialized-value
#include "Inputs/kernel.h"
#include "seamscope/seamscope.h"
#include <cstdlib>
#include <thread>
#include <unistd.h>
static void work() {
  for (int I = 0; I < 1000; ++I)
    kernel();
}
int main(int Count, char **) {
  work();
  std::thread(work).join();
  { SEAMSCOPE_SCOPE("scope"); }
  if (Count > 1) {
    void *Bad = malloc(16);
    return write(1, Bad, 16) != 16;
  }
}
