// A child created by _Fork or the system call, for which fork handlers do not run, still has its own
// spool and trace; frames of its parent belong to the parent.
// RUN: rm -rf %t && mkdir -p %t/out && cd %t
// RUN: env SEAMSCOPE_PASS=loops=off %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o a
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/out/t.json timeout 60 ./a
// RUN: %python %S/Inputs/count.py out/t.json | FileCheck %s --check-prefix=PARENT
// RUN: %python %S/Inputs/check-children.py out t 2 calls:kernel=500 lost=0
// REQUIRES: llvm-22
// PARENT: calls forks: 2
// PARENT: calls kernel: 1300
// PARENT: lost: 0
// PARENT: nesting: right
#include "Inputs/kernel.h"
#include <csignal>
#include <cstdlib>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(int Times) {
  for (int I = 0; I < Times; ++I)
    kernel();
}

/// It also returns in the child, where the frame belongs to the parent.
__attribute__((noinline, annotate("seamscope.name=forks"))) pid_t forks(bool Raw) {
  const pid_t Child = Raw ? static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) : _Fork();
  if (Child == 0)
    run(250);
  return Child;
}

int main() {
  run(1000);
  for (int Way = 0; Way < 2; ++Way) {
    const pid_t Child = forks(Way == 1);
    if (Child == 0) {
      run(250);
      exit(0);
    }
    run(150);
    int Status;
    if (waitpid(Child, &Status, 0) != Child || Status)
      return 1;
  }
}
