// STREAM's triad in memory, and multiply-adds that stay in registers: each should reach its roof.
// usage: roofs ELEMENTS CALLS
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel"))) void

KERNEL triad(double *restrict a, const double *restrict b, const double *restrict c, double s,
             long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    a[i] = b[i] + s * c[i];
}

#if defined __AVX512F__
#define WIDTH 64
#elif defined __AVX__
#define WIDTH 32
#else
#define WIDTH 16
#endif
typedef float Vector __attribute__((vector_size(WIDTH)));

// As many chains as hide the latency, and have a register each.
enum { Chains = 10 };

KERNEL multiply_add(float *out, float by, float plus, long n) {
#pragma omp parallel
  {
    Vector x[Chains];
    const Vector m = (Vector){0} + by, p = (Vector){0} + plus;
    for (int k = 0; k < Chains; ++k)
      x[k] = p + (float)k;
    for (long i = 0; i < n; ++i)
#pragma clang loop unroll(full)
      for (int k = 0; k < Chains; ++k)
        x[k] = x[k] * m + p;
    Vector sum = x[0];
    for (int k = 1; k < Chains; ++k)
      sum += x[k];
    if (sum[0] == 0.125f) // never: keeps the result alive
      *out = sum[1];
  }
}

int main(int count, char **arguments) {
  if (count != 3)
    return 2;
  const long n = atol(arguments[1]), calls = atol(arguments[2]);
  double *const a = malloc(n * sizeof *a), *const b = malloc(n * sizeof *b),
                *const c = malloc(n * sizeof *c);
  float out = 0;
  if (!a || !b || !c) {
    fputs("roofs: not enough memory\n", stderr);
    return 1;
  }
  // Each thread touches first what it will use.
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    a[i] = 0, b[i] = (double)i, c[i] = 1.0 / (double)(i + 1);
  for (long call = 0; call < calls; ++call)
    triad(a, b, c, 3, n);
  for (long call = 0; call < calls; ++call)
    multiply_add(&out, 0.999f, 0.001f, 4000000);
  printf("%g %g\n", a[n / 2], out);
  free(a), free(b), free(c);
  return 0;
}
