// With `keep=auto` a kernel is not kept if a call, even in `main`, passes a constant that makes its loop short, if it
// is recursive or declared inline, or if a loop is around a function that it is passed to.
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clang-22 -O2 -S -emit-llvm -fpass-plugin=%plugin-22 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clang-19 -O2 -S -emit-llvm -fpass-plugin=%plugin-19 -o - %s | FileCheck %s
// RUN: env SEAMSCOPE_PASS=keep=all timeout 60 %clang-22 -O2 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s --check-prefix=ALL
// REQUIRES: llvm-22, llvm-19

// CHECK-NOT: call {{.*}}@three
// CHECK-NOT: call {{.*}}@in_recursion
// CHECK-NOT: call {{.*}}@passed
// CHECK-NOT: call {{.*}}@declared
// ALL-DAG: call {{.*}}@three
// ALL-DAG: call {{.*}}@in_recursion
// ALL-DAG: call {{.*}}@passed
// ALL-DAG: call {{.*}}@declared
static float three(const float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * a[i];
  return s;
}

static void in_recursion(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}

static void passed(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 2;
}

static inline void declared(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 3;
}

int recursion(float *a, int n, int depth) {
  in_recursion(a, n);
  return depth ? 1 + recursion(a, n / 2, depth - 1) + recursion(a + n / 2, n / 2, depth - 1) : 0;
}

static void apply(void (*f)(float *, int), float *a, int n) {
  for (int i = 0; i < n; ++i)
    f(a + i, 2 * n);
}

void passing(float *a, int n) { apply(passed, a, n); }
void declaring(float *a, int n) { declared(a, n); }

int main(int argc, char **argv) {
  static float x[1000];
  for (int r = 0; r < argc; ++r)
    x[r] = three(x + r, 3);
  return (int)x[argc];
}
