// An object of another version of the hooks does not link with this runtime, and the linker names
// the missing symbol.
// RUN: not %clang-22 %s %link-runtime -o %t 2>&1 | FileCheck %s
// CHECK: undefined {{(symbol|reference)}}{{.*}}__seamscope_register_v1
// REQUIRES: llvm-22
void __seamscope_register_v1(void *);
int main(void) { __seamscope_register_v1(0); }
