// Programs built with a sanitizer record; what the sanitizer does for mapped memory is not done
// for the spool.
// REQUIRES: llvm-22, msan
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %if tysan %{ %clang-22 -O1 -fsanitize=type -fpass-plugin=%plugin-22 %s %link-runtime -o type %}
// RUN: %if tysan %{ env SEAMSCOPE=trace SEAMSCOPE_OUT=type.json timeout 60 ./type %}
// RUN: %if tysan %{ %python %S/Inputs/count.py type.json | FileCheck %s %}
// RUN: %clang-22 -O1 -fsanitize=thread -fpass-plugin=%plugin-22 %s %link-runtime -o thread
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=thread.json timeout 60 ./thread
// RUN: %python %S/Inputs/count.py thread.json | FileCheck %s
// CHECK: calls kernel: 2000
__attribute__((noinline)) void kernel(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] += 1;
}
int main(void) {
  float x[100] = {0};
  for (int i = 0; i < 2000; ++i)
    kernel(x, 100);
  return x[99] != 2000;
}
