// A kernel called from another kernel's loop may be inlined there: keeping it would change what the
// optimiser makes of that loop. `no-keep` leaves every inlining as it was.
// RUN: %clangxx-22 -O2 -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=no-keep %clangxx-22 -O2 -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s \
// RUN:   | FileCheck %s --check-prefix=NOKEEP
// REQUIRES: llvm-22

// CHECK-NOT: @_ZL3dotPKfS0_i
// CHECK: define {{.*}}@_ZL5scalePfi
// CHECK-NOT: @_ZL3dotPKfS0_i
// NOKEEP-NOT: @_ZL5scalePfi
static float dot(const float *a, const float *b, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}

static void scale(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}

void mv(const float *m, const float *v, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = dot(m + i * n, v, n);
}

void both(float *x, int n) { scale(x, n); }
