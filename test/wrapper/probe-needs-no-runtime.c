// A program without instrumented code, such as a probe, does not depend on the runtime.
// REQUIRES: llvm-22
// RUN: %seamscope-clang -O2 -shared -fPIC %s -o %t.so
// RUN: %llvm-readelf-22 -d %t.so | FileCheck %s
// CHECK-NOT: libseamscope
void __avx2_chk_kernel(void) {}
