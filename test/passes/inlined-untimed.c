// A kernel that was inlined into another one is named if its loop there is not worth a hook, and not named if
// the loop is timed.
// RUN: timeout 60 %clang-22 -O2 -gline-tables-only -fpass-plugin=%plugin-22 -Rpass=seamscope \
// RUN:   -Rpass-missed=seamscope -c -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not="'large' is not"
// REQUIRES: llvm-22
// CHECK-DAG: timing loop 'large [loop {{.*}}]'
// CHECK-DAG: 'small [loop {{.*}}]' is not timed: it is expected to run too few instructions
// CHECK-DAG: 'small' is not timed: the optimiser inlined it
static void small(float *a) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < 100; ++i)
    a[i] *= a[i];
}
static void large(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}
void both(float *a, float *b, int n) {
  small(a);
  large(b, n);
}
