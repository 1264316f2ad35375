// Kernels that call nothing but each other's arithmetic. The argument says how often each runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define K __attribute__((noinline, annotate("seamscope.kernel")))
K void axpy(float a, const float *x, float *restrict y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
K float dot(const float *x, const float *y, long n) {
  float s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
K void gemm(const double *a, const double *b, double *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
K void ikj(const double *a, const double *b, double *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
K void stencil(const float *restrict x, float *restrict y, int n) {
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      y[i * n + j] =
          x[i * n + j] * 0.5f +
          (x[i * n + j - 1] + x[i * n + j + 1] + x[(i - 1) * n + j] + x[(i + 1) * n + j]) * 0.125f;
}
K void norm(const float *x, float *restrict y, int r, int n) {
  for (int i = 0; i < r; ++i) {
    float s = 0, q = 0;
    for (int j = 0; j < n; ++j) {
      s += x[i * n + j];
      q += x[i * n + j] * x[i * n + j];
    }
    float m = s / n, v = 1 / sqrtf(q / n - m * m + 1e-5f);
    for (int j = 0; j < n; ++j)
      y[i * n + j] = (x[i * n + j] - m) * v;
  }
}
int main(int c, char **v) {
  int R = atoi(v[1]);
  long n = 10007;
  float *x = malloc(n * 4), *y = malloc(n * 4);
  for (long i = 0; i < n; ++i)
    x[i] = i % 13 / 13.0f, y[i] = 1;
  int m = 61;
  double *a = calloc(m * m, 8), *b = calloc(m * m, 8), *d = calloc(m * m, 8);
  float t = 0;
  for (int r = 0; r < R; ++r) {
    axpy(2, x, y, n);
    t += dot(x, y, n);
    gemm(a, b, d, m);
    ikj(a, b, d, m);
    stencil(x, y, 100);
    norm(x, y, 50, 200);
  }
  printf("%g\n", t + d[0]);
}
