// With `keep=auto`, kernels that only a loop of `main` calls are kept and timed.
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clang-22 -O2 -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clang-19 -O3 -S -emit-llvm -fpass-plugin=%plugin-19 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clang-22 -O2 -flto -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clang-22 -O2 -flto=thin -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s \
// RUN:   | FileCheck %s
// REQUIRES: llvm-22, llvm-19

// CHECK: define {{.*}}@sum_squares
// CHECK: define {{.*}}@main
// CHECK: call {{.*}}@axpy
// CHECK: call {{.*}}@sum_squares
static void axpy(float *y, const float *x, float a, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

float sum_squares(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

int main(int argc, char **argv) {
  static float x[1000], y[1000];
  float s = 0;
  for (int r = 0; r < argc; ++r) {
    axpy(y, x, 2, 500 + argc);
    s += sum_squares(y, 500 + argc);
  }
  return (int)s;
}
