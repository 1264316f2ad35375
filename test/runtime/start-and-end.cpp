// Kernels in constructors and destructors of global objects are recorded.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json %t
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// REQUIRES: llvm-22
// CHECK: calls kernel: 6
#include "Inputs/kernel.h"
struct Early {
  Early() { kernel(); }
  ~Early() { kernel(); }
};
static Early Object;
__attribute__((constructor(101))) static void first() { kernel(); }
__attribute__((destructor(101))) static void last() { kernel(); }
static const int AtExit = (__builtin_printf(""), 0);
int main() {
  static Early Local;
  return AtExit;
}
