// A process that is killed leaves what it did until shortly before: samples, stretches, and that a
// thread was blocked.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace %python %S/Inputs/killed-samples.py %seamscope ./a | FileCheck %s
// REQUIRES: llvm-22, samples
// CHECK: the first thread is blocked, the second runs
#include "Inputs/cpu-time.h"
#include "Inputs/kernel.h"
#include <csignal>
#include <thread>

int main() {
  kernel();
  std::thread Runs([] {
    compute(1000);
    raise(SIGKILL);
  });
  Runs.join();
}
