// Kernels whose work anybody can compute. Each is called twice, with 1000 elements and with none.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))
double unknown(double);
KERNEL void chain(const float *x, const float *bias, float *restrict y, int n) {
  for (int i = 0; i < n; ++i) {
    const float a = x[i] * 2;  // line 9
    const float b = a + bias[i];
    y[i] = b > 0 ? b * b : 0;
  }
}
KERNEL double reduce(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += exp(x[i]) / 3;
  return sum;
}
KERNEL double outside(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = unknown(x[i]) * 2;
  return x[0];
}
KERNEL void threads(const float *x, float *restrict y, int n) {
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < n; ++i)
    y[i] += x[i] * 0.5f;
}
int main(int argc, char **argv) {
  enum { N = 1000 };
  float *x = calloc(N, 4), *b = calloc(N, 4), *y = calloc(N, 4);
  double *d = calloc(N, 8);
  for (int n = N; n >= 0; n -= N) {
    chain(x, b, y, n);
    d[0] = reduce(d, n);
    threads(x, y, n);
    outside(d, n);
  }
  printf("%g\n", y[0] + d[1]);
  fflush(stdout);
  if (argc > 1)
    abort();
}
