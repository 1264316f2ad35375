// A forked child has samples of its own, with its own threads, and its parent's trace does not have
// them. A program that another replaces leaves nothing behind.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.%%p.json ./a > lines
// RUN: cd %t && %python %S/Inputs/check-cpu-time.py lines t.*.json | FileCheck %s
// REQUIRES: llvm-22, samples
// CHECK: 6 threads ran for as long as they used the processor
#include "Inputs/cpu-time.h"
#include "Inputs/kernel.h"
#include <sys/wait.h>
#include <thread>

static void work(const char *Name) {
  kernel();
  const CpuTime Own(Name);
  std::thread Other([=] {
    const CpuTime Own(Name);
    compute(30);
  });
  compute(10);
  Other.join();
}

int main(int Count, char **Arguments) {
  if (Count > 1) {
    work("replaced");
    return 0;
  }
  kernel();
  for (int I = 0; I < 2; ++I) {
    const pid_t Child = fork();
    if (Child == 0) {
      if (I == 0) {
        work("child");
        return 0;
      }
      kernel();
      execl("/proc/self/exe", Arguments[0], "replaced", nullptr);
      return 1;
    }
    int Status;
    waitpid(Child, &Status, 0);
    if (Status)
      return 1;
  }
  work("parent");
}
