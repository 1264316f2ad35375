// The automatic selection, and the reason for each rejection.
// RUN: %clangxx-22 -O2 -fopenmp -gline-tables-only -S -emit-llvm -fpass-plugin=%plugin-22 \
// RUN:   -Rpass=seamscope -Rpass-missed=seamscope -Rpass-analysis=seamscope -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s
// REQUIRES: llvm-22, openmp
#include <algorithm>
#include <cstddef>

// CHECK-DAG: timing kernel 'app::axpy<float>': starts an OpenMP parallel region
// CHECK-DAG: timing region 'app::axpy<float> [parallel select-reasons.cpp:[[@LINE+4]]]' on every thread
namespace app {
template <typename T> void axpy(std::size_t n, T a, const T *x, T *y) {
// clang-format off
#pragma omp parallel for
// clang-format on
  for (std::size_t i = 0; i < n; ++i)
    y[i] += a * x[i];
}
template void axpy<float>(std::size_t, float, const float *, float *);
} // namespace app

// CHECK-DAG: timing kernel 'sum': loops over memory or floating point
float sum(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

// A static function with one call is inlined into `main`, and timed there.
// CHECK-DAG: timing inlined kernel 'once'
static void once(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}

// CHECK-DAG: '_Z6noloopi' is not timed: it has no loop
int noloop(int x) { return x + 1; }

// CHECK-DAG: '_Z7collatzm' is not timed: its loops touch neither memory nor floating point
int collatz(unsigned long x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  return steps;
}

// CHECK-DAG: '_Z5smallPA4_f' is not timed: its loops are expected to run too few instructions to be worth a hook
void small(float (*x)[4]) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < 4; ++i)
    (*x)[i] += 1;
}

// CHECK-DAG: '__avx512_chk_kernel' is not timed: it is Inductor's probe of the instruction set
extern "C" void __avx512_chk_kernel(float *x, int n) { sum(x, n); }

// CHECK-DAG: 'main' is not timed: it is the program's entry
// CHECK-DAG: timing parallel region as kernel 'main'
// CHECK-DAG: timing region 'main [parallel select-reasons.cpp:[[@LINE+4]]]' on every thread
int main(int argc, char **) {
  static float x[1024];
  once(x, argc * 100);
#pragma omp parallel
  { x[argc] += 1; }
  return static_cast<int>(sum(x, 1024));
}

// CHECK-DAG: remark: module '{{.*}}': 5 kernels, 2 regions, {{[0-9]+}} functions not timed
