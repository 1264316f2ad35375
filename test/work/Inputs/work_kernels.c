// Kernels of many shapes, each called with several sizes. Prints what the source of some of them says:
// FLOPs, bytes that it loads and bytes that it stores, as `expect NAME FLOP READ WRITE`.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel"))) void
#define HELPER __attribute__((noinline)) static

// Arrays at the same distances in each build: checks for overlap at run time decide the same.
static _Alignas(4096) char arena[1 << 22];
static size_t used;
static void *room(size_t bytes) {
  void *at = arena + used;
  used += (bytes + 319) & ~(size_t)63;
  return at;
}

// libgcc has them from 13 on.
__attribute__((weak)) __bf16 __truncsfbf2(float value) {
  uint32_t bits;
  uint16_t upper;
  __bf16 result;
  memcpy(&bits, &value, 4);
  upper = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  memcpy(&result, &upper, 2);
  return result;
}

__attribute__((weak)) float __extendbfsf2(__bf16 value) {
  uint32_t bits = 0;
  float result;
  memcpy((char *)&bits + 2, &value, 2);
  memcpy(&result, &bits, 4);
  return result;
}

static struct { const char *name; long flop, read, write; } expected[64];
static void expect(const char *name, long flop, long read, long write) {
  int i = 0;
  while (expected[i].name && strcmp(expected[i].name, name))
    ++i;
  expected[i].name = name;
  expected[i].flop += flop;
  expected[i].read += read;
  expected[i].write += write;
}

KERNEL k_axpy(float a, const float *restrict x, float *restrict y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
KERNEL k_axpy_alias(float a, const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
KERNEL k_triad(double *a, const double *b, const double *c, double s, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    a[i] = b[i] + s * c[i];
}
KERNEL k_dot(const float *x, const float *y, long n, float *out) {
  float s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i] * y[i];
  *out = s;
}
KERNEL k_gemm(const double *a, const double *b, double *restrict c, int n, int m, int p) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double s = 0;
      for (int k = 0; k < p; ++k)
        s += a[i * p + k] * b[k * m + j];
      c[i * m + j] = s;
    }
}
KERNEL k_gemm_ikj(const float *restrict a, const float *restrict b, float *restrict c, long n, long m, long p) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < p; ++k) {
      const float f = a[i * p + k];
      for (long j = 0; j < m; ++j)
        c[i * m + j] += f * b[k * m + j];
    }
}
KERNEL k_gemm_tiled(const float *restrict a, const float *restrict b, float *restrict c, int n) {
  for (int ii = 0; ii < n; ii += 8)
    for (int kk = 0; kk < n; kk += 8)
      for (int i = ii; i < (ii + 8 < n ? ii + 8 : n); ++i)
        for (int k = kk; k < (kk + 8 < n ? kk + 8 : n); ++k)
          for (int j = 0; j < n; ++j)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
}
KERNEL k_stencil(const double *restrict x, double *restrict y, int h, int w) {
  for (int i = 1; i < h - 1; ++i)
    for (int j = 1; j < w - 1; ++j)
      y[i * w + j] = 0.2 * (x[i * w + j] + x[i * w + j - 1] + x[i * w + j + 1] + x[(i - 1) * w + j] + x[(i + 1) * w + j]);
}
KERNEL k_trisolve(const double *restrict l, double *restrict x, int n) {
  for (int i = 0; i < n; ++i) {
    double s = x[i];
    for (int j = 0; j < i; ++j)
      s -= l[i * n + j] * x[j];
    x[i] = s / l[i * n + i];
  }
}
KERNEL k_triangle(const float *a, float *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      b[i * n + j] = a[j * n + i] * 2;
}
KERNEL k_tetra(const float *a, float *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < j; ++k)
        b[k] += a[i + j + k];
}
KERNEL k_conv(const float *x, const float *w, float *restrict y, int n, int r) {
  for (int i = 0; i + r <= n; ++i) {
    float s = 0;
    for (int k = 0; k < r; ++k)
      s += x[i + k] * w[k];
    y[i] = s;
  }
}
KERNEL k_conv3(const float *x, const float *w, float *restrict y, int h, int v) {
  for (int i = 1; i < h - 1; ++i)
    for (int j = 1; j < v - 1; ++j) {
      float s = 0;
      for (int p = -1; p <= 1; ++p)
        for (int q = -1; q <= 1; ++q)
          s += x[(i + p) * v + j + q] * w[(p + 1) * 3 + q + 1];
      y[i * v + j] = s;
    }
}
KERNEL k_softmax(const float *x, float *restrict y, int rows, int n) {
  for (int r = 0; r < rows; ++r) {
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < n; ++i)
      most = x[r * n + i] > most ? x[r * n + i] : most;
    for (int i = 0; i < n; ++i)
      sum += y[r * n + i] = expf(x[r * n + i] - most);
    for (int i = 0; i < n; ++i)
      y[r * n + i] /= sum;
  }
}
KERNEL k_layer_norm(const float *x, const float *g, const float *b, float *restrict y, int rows, int n) {
  for (int r = 0; r < rows; ++r) {
    float mean = 0, var = 0;
    for (int i = 0; i < n; ++i)
      mean += x[r * n + i];
    mean /= n;
    for (int i = 0; i < n; ++i)
      var += (x[r * n + i] - mean) * (x[r * n + i] - mean);
    const float scale = 1 / sqrtf(var / n + 1e-5f);
    for (int i = 0; i < n; ++i)
      y[r * n + i] = (x[r * n + i] - mean) * scale * g[i] + b[i];
  }
}
KERNEL k_horner(const double *x, double *restrict y, const double *c, int degree, int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = degree; k >= 0; --k)
      s = s * x[i] + c[k];
    y[i] = s;
  }
}
KERNEL k_horner5(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = ((((x[i] + 2) * x[i] + 3) * x[i] + 4) * x[i] + 5) * x[i] + 6;
}
struct point { float x, y, z; };
KERNEL k_structs(const struct point *p, float *restrict out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}
KERNEL k_struct_copy(const struct point *p, struct point *q, int n) {
  for (int i = 0; i < n; ++i)
    q[n - 1 - i] = p[i];
}
KERNEL k_half(const _Float16 *x, _Float16 *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] + (_Float16)1;
}
KERNEL k_bfloat(const __bf16 *x, __bf16 *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] + x[i];
}
KERNEL k_bytes(const int8_t *x, const int8_t *y, int n, int *out) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  *out = s;
}
KERNEL k_words(const uint32_t *x, uint32_t *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = ((x[i] * 2654435761u) >> 3 ^ x[i]) + (x[i] < 77 ? x[i] / 7 : 5);
}
KERNEL k_chain(float *restrict out, const float *a0, const float *a1, const float *a2, const float *a3, const float *a4,
               int rows, int n) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j)
      out[i * n + j] = ((a0[i * n + j] + a1[j]) + a2[i * n + j]) * a3[j] + a4[j];
}
KERNEL k_attention(float *restrict out, float *restrict w, const float *q, const float *k, const float *v, int n, int d) {
  for (int r = 0; r < n; ++r)
    for (int c = 0; c <= r; ++c) {
      float s = 0;
      for (int i = 0; i < d; ++i)
        s += q[r * d + i] * k[c * d + i];
      w[r * n + c] = s / 8;
    }
  for (int r = 0; r < n; ++r) {
    float *row = w + r * n, most = row[0], sum = 0;
    for (int c = 1; c <= r; ++c)
      most = fmaxf(most, row[c]);
    for (int c = 0; c <= r; ++c)
      sum += row[c] = expf(row[c] - most);
    for (int c = 0; c <= r; ++c)
      row[c] /= sum;
  }
  for (int r = 0; r < n; ++r) {
    memset(out + r * d, 0, d * sizeof *out);
    for (int c = 0; c <= r; ++c)
      for (int i = 0; i < d; ++i)
        out[r * d + i] += w[r * n + c] * v[c * d + i];
  }
}
KERNEL k_find(const float *x, float v, long n, long *out) {
  long i = 0;
  while (i < n && x[i] != v)
    ++i;
  *out = i;
}
KERNEL k_find_each(const float *x, const float *v, int n, int m, int *out) {
  for (int k = 0; k < m; ++k) {
    out[k] = -1;
    for (int i = 0; i < n; ++i)
      if (x[i] == v[k]) {
        out[k] = i;
        break;
      }
  }
}
KERNEL k_until(const float *x, float *y, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * 0.5f;
    if (s > 40)
      break;
    y[i] = s / 3;
  }
}
// Vectors, and nobody knows before how often.
KERNEL k_until_lanes(float *out, float most) {
  typedef float lanes __attribute__((vector_size(16)));
  lanes sum = {1, 2, 3, 4};
  do
    sum = sum * 1.5f + 0.25f;
  while (sum[0] < most);
  memcpy(out, &sum, sizeof sum);
}
KERNEL k_newton(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    double g = x[i] + 1;
    do
      g = 0.5 * (g + x[i] / g);
    while (g * g - x[i] > 1e-6);
    y[i] = g;
  }
}
KERNEL k_collatz(const int *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    unsigned v = x[i];
    double steps = 0;
    while (v > 1) {
      v = v & 1 ? 3 * v + 1 : v / 2;
      steps += 1.5;
    }
    y[i] = steps;
  }
}
KERNEL k_condition(const float *x, float *restrict y, long n) {
  for (long i = 0; i < n; ++i)
    if (x[i] > 0.5f)
      y[i] = x[i] * x[i] + y[i];
}
KERNEL k_condition_call(const float *x, float *restrict y, long n) {
  for (long i = 0; i < n; ++i)
    if (x[i] > 0.5f)
      y[i] = expf(x[i]);
    else if (x[i] < 0.1f)
      y[i] = logf(x[i] + 1) + 1;
}
KERNEL k_condition_outer(const float *x, float *restrict y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0.3f)
      continue;
    for (int j = 0; j < m; ++j)
      y[j] += x[i];
    if (x[i] > 0.8f)
      y[0] = y[1] / 2;
  }
}
KERNEL k_switch(const int *what, const double *x, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    switch (what[i] & 7) {
    case 0: y[i] = x[i] + 1; break;
    case 1: y[i] = x[i] * 2 - y[i]; break;
    case 2: y[i] = x[i] / 3; break;
    case 5: y[i] = sqrt(x[i]);
    case 6: y[i] += 4; break;
    case 7: return;
    }
}
HELPER float helper_cube(float x) { return x * x * x; }
HELPER float helper_square(float x) { return x * x + 1; }
HELPER void helper_row(float *y, float f, int n) {
  for (int i = 0; i < n; ++i)
    y[i] *= f;
}
HELPER float helper_branch(float x, float *at) {
  if (x > 0.5f)
    *at = x / 2;
  return x + 1;
}
KERNEL k_calls(const float *x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = helper_cube(x[i]);
}
KERNEL k_calls_loop(float *y, int n, int m) {
  for (int i = 0; i < n; ++i)
    helper_row(y + i * m, i + 0.5f, m);
}
KERNEL k_calls_branch(const float *x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = helper_branch(x[i], y + i);
}
KERNEL k_calls_some(const float *x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] > 0.4f)
      y[i] = helper_square(x[i]);
}
KERNEL k_recursive(double *x, long n) {
  if (n < 8) {
    for (long i = 0; i < n; ++i)
      x[i] += 1.25;
    return;
  }
  k_recursive(x, n / 3);
  for (long i = 0; i < n; ++i)
    x[i] = x[i] * 0.5 + 1;
  k_recursive(x + n / 3, n - n / 3);
}
KERNEL k_down(float *x, int n) {
  for (int i = n - 1; i > 0; --i)
    x[i] += x[i - 1];
}
KERNEL k_down_unsigned(float *restrict x, const float *y, unsigned n) {
  for (unsigned i = n; i-- > 0;)
    x[i] = y[i] - 1;
}
KERNEL k_step(double *restrict x, const double *y, long n, long step) {
  for (long i = 0; i < n; i += 3)
    x[i] = y[i] * 3;
  for (long i = 0; i < n; i += step)
    x[i] = y[i] / 3;
}
KERNEL k_byte_counter(float *x, uint8_t from, uint8_t to) {
  for (uint8_t i = from; i != to; ++i)
    x[i] += 1;
}
KERNEL k_int_counter(float *restrict x, const float *y, unsigned from, unsigned n) {
  for (unsigned i = from; i < n + 2; i += 2)
    x[i] = y[i + 1] * 2;
}
KERNEL k_strided(const float *x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[2 * i] + x[2 * i + 1];
}
KERNEL k_gather(const float *x, const int *at, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]] * 2;
}
KERNEL k_histogram(const int *at, double *sums, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    sums[at[i] & 31] += x[i];
}
KERNEL k_prefix(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = s += x[i];
}
KERNEL k_bubble(float *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j + 1 < n - i; ++j)
      if (x[j] > x[j + 1]) {
        const float t = x[j] + 0.0f;
        x[j] = x[j + 1];
        x[j + 1] = t;
      }
}
KERNEL k_copies(char *restrict to, const char *restrict from, const int *sizes, int n) {
  for (int i = 0; i < n; ++i) {
    memcpy(to, from, sizes[i]);
    memset(to + 512, i, sizes[i] * 2);
    memmove(to + 3, to + 1, sizes[n - 1 - i]);
    memcpy(to + 600, from + 600, 48);
  }
}
KERNEL k_local(const float *x, float *restrict y, int n) {
  float tile[64];
  for (int i = 0; i + 64 <= n; i += 64) {
    for (int j = 0; j < 64; ++j)
      tile[(j * 7) & 63] = x[i + j] * 2;
    for (int j = 0; j < 64; ++j)
      y[i + j] = tile[j] + 1;
  }
}
KERNEL k_trig(const float *x, float *restrict y, float *restrict z, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = sinf(x[i]);
    z[i] = cosf(x[i]) + tanhf(x[i]) * powf(x[i] + 1, 1.5f);
  }
}
KERNEL k_double_math(const double *x, double *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = exp(x[i]) + log(x[i] + 1) * erf(x[i]) - cbrt(x[i]) + fmod(x[i], 0.3) + atan2(x[i], 2);
}
// With -ffast-math the compiler has vectors of both results.
typedef double pair __attribute__((vector_size(16)));
// The last addition is one of vectors, of which one lane is read.
KERNEL k_pairs(const double *x, double *restrict y, long n) {
  for (long i = 0; i < n; ++i) {
    pair v;
    memcpy(&v, x + 2 * i, sizeof v);
    v *= v;
    y[i] = v[0] + v[1];
  }
}
KERNEL k_two_results(const float *x, float *restrict y, float *restrict z, float *restrict w, int n) {
  for (int i = 0; i < n; ++i)
    sincosf(x[i], y + i, z + i);
  for (int i = 0; i < n; ++i)
    w[i] = modff(x[i] * 9, y + i);
}
KERNEL k_minmax(const float *x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = fmaxf(fminf(x[i], 0.7f), 0.2f) + fabsf(x[i]);
}
KERNEL k_round(const double *x, double *restrict y, int *restrict z, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = floor(x[i] * 10) - ceil(x[i]) + rint(x[i] * 3) + trunc(x[i] * 5);
    z[i] = x[i] * 100;
  }
}
KERNEL k_convert(const int *x, const float *f, double *restrict y, float *restrict g, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = x[i];
    g[i] = (float)(y[i] * 0.5) + (float)(double)f[i];
  }
}
KERNEL k_negate(const float *x, float *restrict y, float *restrict z, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = -x[i];
    z[i] = -(x[i] * y[i]) + z[i] - -x[i] * 3;
  }
}
KERNEL k_remainder(const float *x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = fmodf(x[i], 0.25f);
}
KERNEL k_long(const long double *x, long double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] + 1;
}
// Clang makes a * b - c * d of a product, a negation and a fused multiply-add.
KERNEL k_complex(const float *restrict a, const float *restrict b, float *restrict c, int n) {
  for (int i = 0; i < n; ++i) {
    c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  }
}
KERNEL k_no_loop(const float *x, float *y) { y[0] = x[0] * x[1] + x[2] / x[3]; }
KERNEL k_outside(const float *x, float *y, int n, int m) {
  y[0] = x[0] + 1;
  if (n > 5)
    y[1] = x[1] / 2;
  for (int i = 0; i < n; ++i)
    y[i] += x[i];
  if (m > 5)
    for (int i = 0; i < m; ++i)
      y[i] *= x[i];
  else
    y[2] = x[2] * 3 - 1;
}
KERNEL k_returns(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (x[i * n + j] > 0.95f)
        return;
      y[j] += x[i * n + j];
    }
    if (y[i] > 30)
      return;
  }
  y[0] = 1 / y[0];
}
KERNEL k_goto(const float *x, float *y, int n) {
  int i = 0, again = 0;
next:
  if (i >= n)
    goto done;
  y[i] = x[i] * 2;
  ++i;
  if (i == 11 && again++ < 3)
    i = 4;
  goto next;
done:
  y[0] = 3 / (y[0] + 1);
}
// Two entries into a cycle, which is no loop to the optimiser.
KERNEL k_two_entries(const float *x, float *y, int n) {
  int i = 0;
  if (n & 1)
    goto middle;
first:
  y[i] = x[i] + 1;
  ++i;
middle:
  y[i] = x[i] * 3;
  ++i;
  if (i + 2 < n)
    goto first;
  y[0] = y[0] / 2;
}
KERNEL k_duff(const float *x, float *y, int n) {
  int rounds = (n + 3) / 4;
  switch (n & 3) {
  case 0:
    do {
      *y++ = *x++ * 2;
  case 3:
      *y++ = *x++ * 3;
  case 2:
      *y++ = *x++ * 4;
  case 1:
      *y++ = *x++ * 5;
    } while (--rounds > 0);
  }
}
// The loop is left only behind a condition: what follows that runs in some iterations.
KERNEL k_around(const double *x, double *restrict y, const float *f, long n) {
  for (size_t i = n; i-- > 0;) {
    if (i < 9 && x[i] < 0.5)
      y[0] += 1;
    else if (i < 9 && x[i + 3] < 0.5 && f[i] > 0.3f)
      break;
  }
}
KERNEL k_rows(float **rows, const int *sizes, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < sizes[i]; ++j)
      rows[i][j] = rows[i][j] * 2 + 1;
}
KERNEL k_volatile(volatile float *x, int n) {
  for (int i = 0; i < n; ++i)
    *x = *x + 1;
}

#ifdef _OPENMP
KERNEL k_omp_static(const float *x, float *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * 2 + 1;
}
KERNEL k_omp_chunks(const float *x, float *y, int n) {
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] / 2 + 1;
}
KERNEL k_omp_dynamic(const float *x, float *restrict y, long n) {
#pragma omp parallel for schedule(dynamic, 10)
  for (long i = 0; i < n; ++i)
    y[i] = sqrtf(x[i]) / 3.0f + x[i];
}
KERNEL k_omp_guided(const double *x, double *y, int n, int m) {
#pragma omp parallel for schedule(guided) num_threads(1) // several race for the sizes of chunks
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i % m; ++j)
      y[i] += x[j] * x[i];
}
KERNEL k_omp_reduction(const double *x, int n, double *out) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  *out = s;
}
KERNEL k_omp_collapse(const float *x, float *y, int n, int m) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[i * m + j] = x[j * n + i] + 1;
}
KERNEL k_omp_two(const float *x, float *y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = x[i] + 1;
#pragma omp for nowait schedule(dynamic, 3)
    for (int i = 0; i < n; ++i)
      y[i] = y[i] * x[i];
#pragma omp single
    y[0] = y[0] / 3;
  }
}
KERNEL k_omp_outer(const float *x, float *restrict y, int n, int m) {
  for (int k = 0; k < m; ++k) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        y[i] += x[j] * k;
    y[0] = 1;
  }
}
KERNEL k_omp_atomic(const float *x, float *sum, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    *sum += x[i];
  }
}
KERNEL k_omp_simd(const float *x, float *y, int n) {
#pragma omp simd
  for (int i = 0; i < n; ++i)
    y[i] = x[i] > 0.5f ? x[i] / 3 : x[i] * x[i];
}
#endif

static void fill(float *f, double *d, int *w, int8_t *b, long n) {
  for (long i = 0; i < n; ++i) {
    f[i] = (i * 7 % 64) / 64.0f;
    d[i] = (i * 5 % 32) / 32.0;
    w[i] = i * 11 % 97;
    b[i] = i * 3 % 19 - 9;
  }
}

int main(void) {
  enum { N = 16384 };
  float *f = room(4 * N), *g = room(4 * N), *h = room(4 * N), *p = room(4 * N), *q = room(4 * N), *r = room(4 * N);
  double *d = room(8 * N), *e = room(8 * N), *o = room(8 * N);
  int *w = room(4 * N), *v = room(4 * N);
  int8_t *b = room(N), *c = room(N);
  _Float16 *half = room(2 * N), *half2 = room(2 * N);
  __bf16 *bf = room(2 * N), *bf2 = room(2 * N);
  long double *ld = room(16 * N), *ld2 = room(16 * N);
  char *bytes = room(4096), *bytes2 = room(4096);
  fill(f, d, w, b, N);
#define AGAIN fill(g, e, v, c, N)
  static const int sizes[] = {0, 1, 2, 3, 5, 8, 13, 31, 64, 67, 129};
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    const int n = sizes[s], m = n > 40 ? 40 : n, t = n > 20 ? 20 : n, big = n * 9;
    AGAIN;
    k_axpy(2, f, g, big), expect("k_axpy", 2l * big, 8l * big, 4l * big);
    k_axpy_alias(2, f, g, big), k_axpy_alias(2, g, g, big), k_axpy_alias(2, g, g + 1, n), k_axpy_alias(2, g + 3, g, n);
    expect("k_axpy_alias", 4l * big + 4l * n, 16l * big + 16l * n, 8l * big + 8l * n);
    k_triad(e, d, d + 4, 3, big), expect("k_triad", 2l * big, 16l * big, 8l * big);
    k_dot(f, g, big, h), expect("k_dot", 2l * big, 8l * big, 4);
    k_gemm(d, e, o, m, t, n), expect("k_gemm", 2l * m * t * n, 16l * m * t * n, 8l * m * t);
    k_gemm_ikj(f, g, h, m, n, t), expect("k_gemm_ikj", 2l * m * n * t, 4l * m * t + 8l * m * n * t, 4l * m * n * t);
    k_gemm_tiled(f, g, h, m);
    k_stencil(d, e, n, t);
    if (n > 2 && t > 2)
      expect("k_stencil", 5l * (n - 2) * (t - 2), 40l * (n - 2) * (t - 2), 8l * (n - 2) * (t - 2));
    AGAIN;
    for (int i = 0; i < m; ++i)
      e[i * m + i] = 1;
    k_trisolve(e, o, m), expect("k_trisolve", (long)m * (m - 1) + m, 8l * m * (m - 1) + 16l * m, 8l * m);
    k_triangle(f, g, m), expect("k_triangle", m * (m + 1) / 2, 2l * m * (m + 1), 2l * m * (m + 1));
    k_tetra(f, g, t);
    const long tetra = (long)(t - 1) * t * (t + 1) / 6;
    expect("k_tetra", tetra, 8 * tetra, 4 * tetra);
    k_conv(f, g, h, n, 5), k_conv(f, g, h, n, m);
    k_conv3(f, g, h, n, t);
    AGAIN;
    k_softmax(f, g, t, n);
    k_layer_norm(f, f + 64, f + 256, g, t, n);
    k_horner(d, e, d + 3, t, big), expect("k_horner", 2l * (t + 1) * big, 8l * (t + 2) * big, 8l * big);
    k_horner5(f, g, big), expect("k_horner5", 9l * big, 4l * big, 4l * big);
    k_structs((struct point *)f, h, big), expect("k_structs", 5l * big, 12l * big, 4l * big);
    k_struct_copy((struct point *)f, (struct point *)h, big), expect("k_struct_copy", 0, 12l * big, 12l * big);
    k_half(half, half2, big), expect("k_half", 2l * big, 2l * big, 2l * big);
    k_bfloat(bf, bf2, big), expect("k_bfloat", 2l * big, 2l * big, 2l * big);
    k_bytes(b, c, big, v), expect("k_bytes", 0, 2l * big, 4);
    k_words((uint32_t *)w, (uint32_t *)v, big), expect("k_words", 0, 4l * big, 4l * big);
    k_chain(h, f, g, f, f + 100, f + 200, m, n), expect("k_chain", 4l * m * n, 20l * m * n, 4l * m * n);
    if (n)
      k_attention(p, q, f, g, g + 40, m, t);
    AGAIN;
    long at;
    int place[64];
    k_find(f, 0.25f, big, &at), k_find(f, 77, big, &at);
    k_find_each(f, g + 17, n, t, place);
    k_until_lanes(g, (float)n * n);
    k_until(f, h, big), k_until(f, h, n);
    k_newton(d, e, n);
    k_collatz(w, e, n);
    AGAIN;
    k_condition(f, g, big);
    k_condition_call(f, g, big);
    k_condition_outer(f, g, m, n);
    k_switch(w + s, d, e, n);
    k_calls(f, g, big), expect("k_calls", 2l * big, 4l * big, 4l * big);
    k_calls_loop(g, t, n), expect("k_calls_loop", (long)t * (n + 1), 4l * t * n, 4l * t * n);
    k_calls_branch(f, g, n);
    k_calls_some(f, g, n);
    k_recursive(e, n);
    k_down(g, big);
    k_down_unsigned(g, f, big), expect("k_down_unsigned", big, 4l * big, 4l * big);
    k_step(e, d, big, 1 + s), expect("k_step", (big + 2) / 3 + (big + s) / (1 + s),
                                     8l * ((big + 2) / 3 + (big + s) / (1 + s)), 8l * ((big + 2) / 3 + (big + s) / (1 + s)));
    k_byte_counter(g, 250, n), expect("k_byte_counter", (uint8_t)(n - 250), 4l * (uint8_t)(n - 250), 4l * (uint8_t)(n - 250));
    k_int_counter(g, f, s, n);
    k_strided(f, g, big), expect("k_strided", big, 8l * big, 4l * big);
    k_gather(f, w, g, big), expect("k_gather", big, 8l * big, 4l * big);
    k_histogram(w, e, d, big), expect("k_histogram", big, 20l * big, 8l * big);
    k_prefix(d, e, big), expect("k_prefix", big, 8l * big, 8l * big);
    AGAIN;
    k_bubble(g, n);
    for (int i = 0; i < n; ++i)
      v[i] = i % 17;
    k_copies(bytes, bytes2, v, n);
    k_local(f, g, big);
    k_trig(f, g, h, n);
    k_double_math(d, e, n);
    k_pairs(d, o, n), expect("k_pairs", 3l * n, 16l * n, 8l * n);
    k_two_results(f, g, h, p, big);
    k_minmax(f, g, big);
    k_round(d, e, v, big);
    k_convert(w, f, e, h, big);
    k_negate(f, g, h, big);
    k_remainder(f, g, n);
    k_long(ld, ld2, big), expect("k_long", 2l * big, 10l * big, 10l * big);
    k_complex(f, f + 9, g, big), expect("k_complex", 7l * big, 16l * big, 8l * big);
    k_no_loop(f, g), expect("k_no_loop", 3, 16, 4);
    AGAIN;
    k_outside(f, g, n, m), k_outside(f, g, m, 3);
    for (int i = 0; i < 128; ++i)
      g[i] = i % 9 == 8;
    k_returns(f, h, t), k_returns(g, h, t), k_returns(g + 9, h, 4);
    if (n) {
      k_goto(f, g, n);
      k_two_entries(f, g, n);
      k_duff(f, g, n), expect("k_duff", n, 4l * n, 4l * n);
    }
    float *rows[] = {g, h, p, q};
    const int lengths[] = {n, 0, big, 3};
    k_rows(rows, lengths, 4);
    k_around(d, e, f, big);
    k_volatile(g, n), expect("k_volatile", n, 4l * n, 4l * n);
#ifdef _OPENMP
    AGAIN;
    k_omp_static(f, g, big);
    k_omp_chunks(f, g, big);
    k_omp_dynamic(f, g, big);
    k_omp_guided(d, e, n, 9);
    k_omp_reduction(d, big, o);
    k_omp_collapse(f, g, n, t);
    k_omp_two(f, g, big);
    k_omp_outer(f, g, n, 3);
    k_omp_atomic(f, g, n);
    k_omp_simd(f, g, big);
#endif
  }
  for (int i = 0; expected[i].name; ++i)
    printf("expect %s %ld %ld %ld\n", expected[i].name, expected[i].flop, expected[i].read, expected[i].write);
  return r == NULL;
}
