// A forked child that runs kernels writes its own trace next to its parent's; a child that runs none
// leaves no files; a frame that the parent opened belongs to the parent.
// RUN: rm -rf %t && mkdir %t
// RUN: env SEAMSCOPE_PASS=loops=off %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a
// RUN: cd %t && ./a > plain && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a > traced && diff plain traced
// RUN: ls %t/*.json | wc -l | FileCheck %s --check-prefix=FILES
// RUN: %python %S/Inputs/count.py %t/t.json | FileCheck %s --check-prefix=PARENT
// RUN: %python %S/Inputs/count.py %t/t.*.json | FileCheck %s --check-prefix=CHILD
// REQUIRES: llvm-22
// FILES: 2
// PARENT: calls forks: 2
// PARENT: calls kernel: 1100
// PARENT: lost: 0
// PARENT: nesting: right
// CHILD-NOT: forks
// CHILD: calls kernel: 500
// CHILD: nesting: right
#include "Inputs/kernel.h"
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, annotate("seamscope.name=forks"))) void forks(bool Records) {
  const pid_t Child = fork();
  if (Child == 0) {
    for (int I = 0; Records && I < 500; ++I)
      kernel();
    if (Records)
      return;
    exit(7);
  }
  int Status;
  waitpid(Child, &Status, 0);
  printf("child ended with %d\n", WEXITSTATUS(Status));
  fflush(stdout);
}

int main() {
  const pid_t Parent = getpid();
  for (int I = 0; I < 1000; ++I)
    kernel();
  forks(false);
  forks(true);
  if (getpid() != Parent)
    exit(5);
  for (int I = 0; I < 100; ++I)
    kernel();
}
