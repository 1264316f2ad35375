// With `keep=auto` a kernel that no loop reaches is kept from being inlined; if a loop reaches it, through any
// number of helpers, inlining makes that loop fast. `keep=none`, the default, does not change inlining,
// `keep=all` keeps all kernels.
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clangxx-22 -O2 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=keep timeout 60 %clangxx-19 -O2 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-19 -o - %s | FileCheck %s
// RUN: timeout 60 %clangxx-22 -O2 -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: env SEAMSCOPE_PASS=no-keep timeout 60 %clangxx-22 -O2 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s --check-prefix=NONE
// RUN: env SEAMSCOPE_PASS=keep=none timeout 60 %clangxx-22 -O2 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s --check-prefix=NONE
// RUN: env SEAMSCOPE_PASS=keep=all timeout 60 %clangxx-22 -O2 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s --check-prefix=ALL
// REQUIRES: llvm-22, llvm-19

// CHECK-NOT: define {{.*}}@_ZL3dotPKfS0_i
// CHECK: define {{.*}}@_ZL5scalePfi
// CHECK-NOT: define {{.*}}@_ZL3dotPKfS0_i
// NONE-NOT: define {{.*}}@_ZL5scalePfi
// ALL-DAG: define {{.*}}@_ZL3dotPKfS0_i
// ALL-DAG: define {{.*}}@_ZL5scalePfi
static float dot(const float *a, const float *b, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}

static float row(const float *m, const float *v, int i, int n) { return dot(m + i * n, v, n); }

static void scale(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}

void mv(const float *m, const float *v, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = row(m, v, i, n);
}

void both(float *x, int n) { scale(x, n); }
