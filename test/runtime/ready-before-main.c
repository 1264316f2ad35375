// If the environment switches recording on, the main thread is set up before main begins, and its
// first call does not include the time for that.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/spool && cd %t
// RUN: %clang-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o program
// RUN: env SEAMSCOPE=trace SEAMSCOPE_SPOOL_DIR=%t/spool not --crash timeout 60 ./program
// RUN: %python %S/Inputs/spool-blocks.py spool | FileCheck %s
// CHECK: events: 1, threads: 1, live: 1
#include <signal.h>
__attribute__((noinline, annotate("seamscope.kernel"))) static void kernel(void) {
  __asm__ volatile("" ::: "memory");
}
int main(void) {
  raise(SIGKILL);
  kernel();
}
