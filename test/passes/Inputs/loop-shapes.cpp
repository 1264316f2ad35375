// Loop shapes for vectorisation.test: each function is one shape.
#include <cmath>
#include <cstdint>
#define R __restrict
using f = float;
using d = double;
using i = int;
using u8 = uint8_t;

void copy(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] = x[k]; }
void fill(f *y, f a, i n) { for (i k = 0; k < n; ++k) y[k] = a; }
void scale(f *y, f a, i n) { for (i k = 0; k < n; ++k) y[k] *= a; }
void axpy(f *R y, const f *R x, f a, i n) { for (i k = 0; k < n; ++k) y[k] += a * x[k]; }
void axpy_alias(f *y, const f *x, f a, i n) { for (i k = 0; k < n; ++k) y[k] += a * x[k]; }
void daxpy(d *R y, const d *R x, d a, i n) { for (i k = 0; k < n; ++k) y[k] += a * x[k]; }
f dot(const f *x, const f *y, i n) { f s = 0; for (i k = 0; k < n; ++k) s += x[k] * y[k]; return s; }
d ddot(const d *x, const d *y, i n) { d s = 0; for (i k = 0; k < n; ++k) s += x[k] * y[k]; return s; }
i isum(const i *x, i n) { i s = 0; for (i k = 0; k < n; ++k) s += x[k]; return s; }
long lsum(const i *x, i n) { long s = 0; for (i k = 0; k < n; ++k) s += x[k]; return s; }
i imax(const i *x, i n) { i s = x[0]; for (i k = 1; k < n; ++k) s = x[k] > s ? x[k] : s; return s; }
f fmax_(const f *x, i n) { f s = x[0]; for (i k = 1; k < n; ++k) s = x[k] > s ? x[k] : s; return s; }
void relu(f *y, i n) { for (i k = 0; k < n; ++k) y[k] = y[k] > 0 ? y[k] : 0; }
void select_(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) if (x[k] > 1) y[k] = x[k]; }
void stride2(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] = x[2 * k]; }
void reverse(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] = x[n - 1 - k]; }
void gather(f *R y, const f *R x, const i *R j, i n) { for (i k = 0; k < n; ++k) y[k] = x[j[k]]; }
void scatter(f *R y, const f *R x, const i *R j, i n) { for (i k = 0; k < n; ++k) y[j[k]] = x[k]; }
void widen(d *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] = x[k]; }
void narrow(f *R y, const d *R x, i n) { for (i k = 0; k < n; ++k) y[k] = static_cast<f>(x[k]); }
void bytes(u8 *R y, const u8 *R x, i n) { for (i k = 0; k < n; ++k) y[k] = static_cast<u8>(x[k] + 3); }
void shorts(int16_t *R y, const int16_t *R x, i n) { for (i k = 0; k < n; ++k) y[k] = static_cast<int16_t>(x[k] * 3); }
void root(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] = std::sqrt(x[k]); }
void absolute(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] = std::fabs(x[k]); }
void fused(f *R o, const f *R a0, const f *R a1, const f *R a2, const f *R a3, const f *R a4, i n) { for (i k = 0; k < n; ++k) o[k] = ((a0[k] + a1[k]) + a2[k]) * a3[k] + a4[k]; }
void stencil(f *R y, const f *R x, i n) { for (i k = 1; k < n - 1; ++k) y[k] = x[k - 1] + x[k] + x[k + 1]; }
void saxpy2d(f *R y, const f *R x, i n, i m) { for (i r = 0; r < n; ++r) for (i k = 0; k < m; ++k) y[r * m + k] += x[r * m + k]; }
void broadcast(f *R y, const f *R x, i n, i m) { for (i r = 0; r < n; ++r) for (i k = 0; k < m; ++k) y[r * m + k] += x[k]; }
void matmul(f *R c, const f *R a, const f *R b, i n) { for (i r = 0; r < n; ++r) for (i k = 0; k < n; ++k) for (i j = 0; j < n; ++j) c[r * n + j] += a[r * n + k] * b[k * n + j]; }
void rowsum(f *R y, const f *R x, i n, i m) { for (i r = 0; r < n; ++r) { f s = 0; for (i k = 0; k < m; ++k) s += x[r * m + k]; y[r] = s; } }
void fixed(f *R y, const f *R x) { for (i k = 0; k < 1024; ++k) y[k] += x[k]; }
void until(f *y, const f *x, const f *end) { while (x != end) *y++ = *x++ * 2; }
i find(const i *x, i n, i v) { for (i k = 0; k < n; ++k) if (x[k] == v) return k; return -1; }
void prefix(f *y, i n) { for (i k = 1; k < n; ++k) y[k] += y[k - 1]; }
void complex_mul(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) { f a = x[2 * k], b = x[2 * k + 1]; y[2 * k] = a * a - b * b; y[2 * k + 1] = 2 * a * b; } }
void unsigned_index(f *R y, const f *R x, unsigned n) { for (unsigned k = 0; k < n; ++k) y[k] = x[k] + 1; }
void halves(f *R y, const f *R x, const f *R w, i n) { y[0] = x[0] + x[2 * n]; for (i k = 1; k <= n / 2; ++k) { f a = x[2 * k] + x[2 * (n - k)], b = (x[2 * k + 1] - x[2 * (n - k) + 1]) * w[2 * k]; y[2 * k] = a + b; y[2 * (n - k)] = a - b; y[2 * k + 1] = w[2 * k - 1] * b; y[2 * (n - k) + 1] = a; } }
static void inlined(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] -= x[k]; }
void twice(f *R y, const f *R x, i n) { inlined(y, x, n); inlined(y, x, n); }
static f part(const f *x, i n) { f s = 0; for (i k = 0; k < n; ++k) s += x[k]; return s; }
void parts(f *R y, const f *R x, i n, i m) { for (i r = 0; r < n; ++r) y[r] = part(x + r * m, m); }
void parallel(f *R y, const f *R x, i n) {
#pragma omp parallel for
  for (i k = 0; k < n; ++k) y[k] += x[k];
}
f parallel_sum(const f *x, i n) {
  f s = 0;
#pragma omp parallel for reduction(+ : s)
  for (i k = 0; k < n; ++k) s += x[k];
  return s;
}
void may_throw();
void throws(f *R y, const f *R x, i n) { for (i k = 0; k < n; ++k) y[k] += x[k]; may_throw(); }
