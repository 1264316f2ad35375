// A loop around two others is unrolled, and each copy of these has a remainder: a copy and its
// remainder are one entry of the loop.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t
// RUN: env SEAMSCOPE_PASS=loops=auto timeout 120 %clangxx-22 -O2 -g -fpass-plugin=%plugin-22 %s %link-runtime -o %t/a
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json timeout 60 ./a
// RUN: %seamscope report t.json | FileCheck %s
// CHECK: Kernel, region, loop
// CHECK: {{^}}sweep {{ *}}10
// CHECK: [loop loops-in-unrolled.cpp:[[#@LINE+7]]] {{ *}}30
// CHECK: [loop loops-in-unrolled.cpp:[[#@LINE+8]]] {{ *}}30
#include <vector>

__attribute__((noinline, annotate("seamscope.kernel"))) static void sweep(float *x, long n) {
#pragma clang loop unroll(full)
  for (int k = 0; k < 3; ++k) {
    for (long i = 0; i < n; ++i)
      x[i] = x[i] * 0.5f;
    for (long i = 1; i < n; ++i)
      x[i] += x[i - 1];
  }
}

int main() {
  std::vector<float> Values(100003, 1); // divides by no width
  for (int Call = 0; Call < 10; ++Call)
    sweep(Values.data(), static_cast<long>(Values.size()));
  return Values[5] > 1e9f;
}
