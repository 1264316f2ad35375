// Where the environment switches recording on, what the main thread needs for its first call is there
// before main begins, and is no part of what the program measures.
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
