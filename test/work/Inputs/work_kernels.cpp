// Kernels of C++: templates, containers, virtual functions, and exceptions that leave loops.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#define KERNEL extern "C" __attribute__((noinline, annotate("seamscope.kernel"))) void

static float inputs[4096], small[4096], outputs[4096];
static volatile int zero;

KERNEL k_accumulate(const std::vector<double> &x, double *out) { *out = std::accumulate(x.begin(), x.end(), 0.0); }
KERNEL k_transform(const std::vector<float> &x, std::vector<float> &y) {
  std::transform(x.begin(), x.end(), y.begin(), [](float v) { return v * v + 1; });
}
KERNEL k_inner_product(const std::vector<float> &x, const std::vector<float> &y, float *out) {
  *out = std::inner_product(x.begin(), x.end(), y.begin(), 0.0f);
}
template <int N> static void fixed(const std::array<float, N> &x, std::array<float, N> &y, int times) {
  for (int t = 0; t < times; ++t)
    for (int i = 0; i < N; ++i)
      y[i] += x[i] * t;
}
KERNEL k_fixed(std::array<float, 11> &x, std::array<float, 11> &y, int times) { fixed<11>(x, y, times); }
KERNEL k_complex_numbers(const std::complex<float> *x, std::complex<float> *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] + std::conj(x[i]) * 2.0f;
}
KERNEL k_sort(std::vector<float> &x) {
  for (size_t i = 1; i < x.size(); ++i)
    for (size_t j = i; j > 0 && x[j - 1] > x[j]; --j)
      std::swap(x[j - 1], x[j]);
}
KERNEL k_fill(std::vector<float> &x, float value) { std::fill(x.begin(), x.end(), value); }
KERNEL k_copy(const std::vector<float> &x, float *y) { std::copy(x.begin(), x.end(), y); }
KERNEL k_grows(int n, double *out) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i)
    x.push_back(i * 0.5);
  for (double v : x)
    *out += v;
}

// Exceptions that kernels catch, and code for others, which are not thrown: calls that an exception leaves are
// not counted.
template <int> __attribute__((noinline)) static float checked(float v) {
  if (v > 0.9f)
    throw 1;
  return v * 2;
}
KERNEL k_throws(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = checked<1>(x[i]) + 1;
}
KERNEL k_catches(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    try {
      if (x[i] > 0.9f)
        throw 1;
      y[i] = x[i] * 2 + 1;
    } catch (int) {
      y[i] = x[i] / 2;
    }
}
KERNEL k_catches_outside(const float *x, float *y, int n, int m) {
  for (int k = 0; k < m; ++k)
    try {
      for (int i = 0; i < n; ++i) {
        if (x[k + i] > 0.9f)
          throw 1;
        y[i] = x[k + i] * 3;
      }
      y[k] += 1;
    } catch (int) {
      y[k] = x[k] / 2;
    }
}
KERNEL k_throws_itself(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0.9f)
      throw 2;
    y[i] = x[i] * 2;
  }
}
struct Cleans {
  float *at;
  ~Cleans() { *at = *at / 2 + 1; }
};
KERNEL k_cleans_up(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    Cleans last{y + i};
    y[i] = checked<4>(x[i]) + 1;
  }
}
KERNEL k_rethrows(const float *x, float *y, int n) {
  try {
    for (int i = 0; i < n; ++i)
      y[i] = checked<5>(x[i]) + 1;
  } catch (...) {
    y[0] = y[1] * 2;
    throw;
  }
}

int main() {
  for (int i = 0; i < 4096; ++i)
    inputs[i] = i * 7 % 16 / 16.0f, small[i] = inputs[i] / 2;
  for (int n : {0, 1, 2, 5, 13, 16, 33, 67, 130}) {
    n += zero;
    std::vector<double> d(n, 0.5);
    std::vector<float> x(inputs, inputs + n), y(n), z(inputs + 5, inputs + 5 + n);
    std::array<float, 11> a{}, b{};
    double sum = 0;
    k_accumulate(d, &sum);
    k_transform(x, y);
    k_inner_product(x, y, outputs);
    k_fixed(a, b, n);
    k_complex_numbers(reinterpret_cast<std::complex<float> *>(inputs), reinterpret_cast<std::complex<float> *>(outputs), n);
    k_sort(z);
    k_fill(y, 2);
    k_copy(x, outputs);
    k_grows(n, &sum);
    k_catches(inputs, outputs, n);
    for (auto *kernel : {&k_throws, &k_throws_itself, &k_cleans_up, &k_rethrows})
      (*kernel)(small, outputs, n);
    k_catches_outside(inputs, outputs, n, n / 3);
  }
  return 0;
}
