// Kernels whose innermost loops call functions without hooks, which do something else each time.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))
#define HELPER __attribute__((noinline, annotate("seamscope.off"))) static

struct Moments {
  double Mean, Square;
  long Count;
};

// 5 FLOPs and a division; of each eighth value, a square root, too.
HELPER Moments with(const Moments &Of, double Value) {
  const long Count = Of.Count + 1;
  const double Delta = Value - Of.Mean, Mean = Of.Mean + Delta / static_cast<double>(Count);
  const double Square = Of.Square + Delta * (Value - Mean);
  if (Count % 8)
    return {Mean, Square, Count};
  return {Mean, std::sqrt(Square), Count};
}

// One product for each of N.
HELPER float power(float Of, int N) {
  float Result = 1;
  while (N-- > 0)
    Result *= Of;
  return Result;
}

// N products, if the compiler calls power() once, and N additions.
HELPER float polynomial(float Of, int N) {
  float Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += power(Of, N);
  return Sum;
}

HELPER float checked(float Of) {
  if (Of > 0.75f)
    throw std::runtime_error("large");
  return Of > 0.5f ? Of * Of : Of;
}

KERNEL double moments(const double *In, long N) {
  Moments Of = {0, 0, 0};
  for (long I = 0; I < N; ++I)
    Of = with(Of, In[I]);
  return Of.Square + static_cast<double>(Of.Count);
}

KERNEL void powers(const float *In, float *Out, int N) {
  for (int I = 0; I < N; ++I)
    Out[I] = power(In[I], I % 5) + polynomial(In[I], I % 3);
}

// Computes nothing itself.
KERNEL void calls(const float *In, float *Out, int N) {
  for (int I = 0; I < N; ++I)
    Out[I] = power(In[I], 2 * I);
}

KERNEL int caught(const float *In, float *Out, int N) {
  int Count = 0;
  for (int I = 0; I < N; ++I)
    try {
      Out[I] = checked(In[I]);
    } catch (const std::runtime_error &) {
      ++Count;
    }
  return Count;
}

// Of each column, a product and an addition, and a product of a rest.
HELPER void block(const float *In, float *Out, int Rows, int Columns) {
  for (int Row = 0; Row < Rows; ++Row) {
    int Column = 0;
    for (; Column < Columns / 4 * 4; Column += 4)
      for (int I = 0; I < 4; ++I)
        Out[Row + Column] = Out[Row + Column] * 0.5f + In[Column + I];
    if (Column < Columns)
      Out[Row] *= 0.5f;
  }
  std::memset(Out + 80, 0, static_cast<size_t>(Rows) * sizeof(float));
}

// The call says what block() does: 2 FLOPs of 3 * 4, and 3; then of 2 * 8.
KERNEL void blocks(const float *In, float *Out, int N) {
  for (int I = 0; I < N; ++I) {
    block(In, Out, 3, 5);
    block(In, Out, 2, 8);
  }
}

#define FOUR(X) X X X X
// 1024 calls have more words than there is room for.
KERNEL float many(float Of, int N) {
  float Sum = 0;
  for (int I = 0; I < N; ++I) {
    FOUR(FOUR(FOUR(FOUR(FOUR(Sum = power(Sum, I) * Of;)))))
  }
  return Sum;
}

int main() {
  static double Doubles[100];
  static float In[100], Out[100];
  for (int I = 0; I < 100; ++I) {
    Doubles[I] = I;
    In[I] = static_cast<float>(I) / 100;
  }
  std::printf("%g", moments(Doubles, 100));
  powers(In, Out, 100);
  std::printf(" %g", static_cast<double>(Out[99]));
  calls(In, Out, 50);
  std::printf(" %g", static_cast<double>(Out[1]));
  std::printf(" %d", caught(In, Out, 100));
  blocks(In, Out, 10);
  std::printf(" %g\n", static_cast<double>(many(0.5f, 3)));
}
