// A signal handler calls kernels at any instruction of the hooks, on the same stack or on its own:
// no event is lost or torn.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json %t > %t.out
// RUN: %python %S/Inputs/count.py %t.json > %t.counts && cat %t.out %t.counts | FileCheck %s
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json %t stack > %t.out
// RUN: %python %S/Inputs/count.py %t.json > %t.counts && cat %t.out %t.counts | FileCheck %s
// REQUIRES: llvm-22
// CHECK: handled [[HANDLED:[0-9]+]]
// CHECK: calls handled: [[HANDLED]]
// CHECK-NEXT: calls kernel: 1000000
// CHECK-NOT: abandoned
// CHECK: lost: 0
// CHECK: nesting: right
#include "Inputs/kernel.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/time.h>

static volatile long Handled;
__attribute__((noinline, annotate("seamscope.kernel"))) static void handled() { Handled = Handled + 1; }

int main(int Count, char **) {
  struct sigaction Action = {};
  Action.sa_handler = [](int) { handled(); };
  if (Count > 1) {
    stack_t Stack = {};
    Stack.ss_size = 1 << 16;
    Stack.ss_sp = malloc(Stack.ss_size);
    sigaltstack(&Stack, nullptr);
    Action.sa_flags = SA_ONSTACK;
  }
  sigaction(SIGALRM, &Action, nullptr);
  const itimerval Often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &Often, nullptr);
  for (int I = 0; I < 1000000; ++I)
    kernel();
  const itimerval Never = {};
  setitimer(ITIMER_REAL, &Never, nullptr);
  printf("handled %ld\n", Handled);
}
