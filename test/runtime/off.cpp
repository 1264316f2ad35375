// Without SEAMSCOPE nothing happens: no file, no thread, no output.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a
// RUN: cd %t && ./a > out 2>&1 && FileCheck %s < out
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// REQUIRES: llvm-22
// CHECK-NOT: seamscope
// CHECK: 1 threads
// FILES-NOT: json
#include "Inputs/kernel.h"
#include <cstdio>
#include <filesystem>
int main() {
  kernel();
  int Threads = 0;
  for (const auto &Entry : std::filesystem::directory_iterator("/proc/self/task"))
    Threads += Entry.exists();
  printf("%d threads\n", Threads);
}
