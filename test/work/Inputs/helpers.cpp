// Kernels that call functions without hooks. The compiler does not inline cold or large functions;
// `seamscope.off` keeps hooks away from them.
#include <cstdio>
#include <stdexcept>
#include <vector>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))
#define HELPER __attribute__((cold, annotate("seamscope.off"))) static

struct Lanes {
  float Of[8];
};

HELPER float sumOf(const float *In, int N) {
  float Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += In[I];
  return Sum;
}

// Has a condition, and throws.
HELPER float quotient(float A, float B) {
  if (B == 0)
    throw std::runtime_error("division by zero");
  return B < 0 ? -A : A / B;
}

HELPER __attribute__((noinline)) float kept(const float *In, int N) {
  float Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += In[I];
  return Sum;
}

// rows x columns additions, and a division for each row.
KERNEL void means(const float *In, float *Out, int Rows, int Columns) {
  for (int R = 0; R < Rows; ++R) {
    Out[R] = quotient(sumOf(In + R * Columns, Columns), static_cast<float>(Columns));
    for (int C = 0; C < 3; ++C)
      asm volatile("" ::: "memory");
  }
}

// Writes 32 bytes for each of N values, and 4 for each of N + 1.
KERNEL float stacks(size_t N, float First) {
  std::vector<Lanes> Wide;
  std::vector<float> Narrow;
  Wide.assign(N, Lanes{{First}});
  Narrow.assign(N + 1, First);
  asm volatile("" ::"r"(Wide.data()), "r"(Narrow.data()) : "memory");
  return Wide[0].Of[0] + Narrow[N];
}

// Counts 1,000 additions of a noinline function, and its own.
KERNEL float asked(const float *In, int N) { return kept(In, N) + 1; }

int main() {
  static float In[1000], Out[10];
  for (int I = 0; I < 1000; ++I)
    In[I] = static_cast<float>(I % 7);
  means(In, Out, 10, 100);
  std::printf("%g %g %g\n", Out[9], stacks(5, 2), asked(In, 1000));
}
