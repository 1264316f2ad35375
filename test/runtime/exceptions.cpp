// An exception that leaves kernels closes their calls.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: %t > %t.plain && env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json %t > %t.traced && diff %t.plain %t.traced
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// REQUIRES: llvm-22
// CHECK: calls outer: 100
// CHECK: calls thrower: 100
// CHECK-NOT: abandoned
// CHECK: nesting: right
#include <cstdio>
#include <stdexcept>
__attribute__((noinline, annotate("seamscope.kernel"))) void thrower(int I) {
  if (I % 2)
    throw std::runtime_error("odd");
}
__attribute__((noinline, annotate("seamscope.kernel"))) void outer(int I) {
  thrower(I);
  asm volatile("" ::: "memory");
}
int main() {
  int Caught = 0;
  for (int I = 0; I < 100; ++I)
    try {
      outer(I);
    } catch (const std::exception &) {
      ++Caught;
    }
  printf("%d caught\n", Caught);
}
