// Calls left by longjmp are counted as abandoned and do not disturb later calls.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json %t
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// RUN: env SEAMSCOPE=profile SEAMSCOPE_OUT=%t.profile.json %t
// RUN: FileCheck %s --check-prefix=PROFILE --input-file=%t.profile.json
// REQUIRES: llvm-22
// CHECK: calls jumps: 50
// CHECK: calls kernel: 100
// CHECK: abandoned jumps: 50
// CHECK: nesting: right
// PROFILE: "abandoned":[{{.*}}"name":"jumps",{{.*}}"calls":50}]
#include "Inputs/kernel.h"
#include <csetjmp>
static jmp_buf Back;
__attribute__((noinline, annotate("seamscope.kernel"))) void jumps(int I) {
  if (I % 2)
    longjmp(Back, 1);
  asm volatile("" ::: "memory");
}
int main() {
  for (volatile int I = 0; I < 100; I = I + 1) {
    if (!setjmp(Back))
      jumps(I);
    kernel();
  }
}
