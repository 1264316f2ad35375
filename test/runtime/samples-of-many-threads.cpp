// Threads that begin and end all the time, ten thousand of them: each has its life in the trace,
// and what the kernel recorded of them is complete.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a > lines
// RUN: %python %S/Inputs/check-lives.py %t/t.json 10001 | FileCheck %s
// REQUIRES: llvm-22, samples
// CHECK: 10001 lives, all whole
#include "Inputs/kernel.h"
#include <thread>

int main() {
  kernel();
  for (int I = 0; I < 2500; ++I) {
    std::thread Threads[4];
    for (std::thread &Each : Threads)
      Each = std::thread(kernel);
    for (std::thread &Each : Threads)
      Each.join();
  }
}
