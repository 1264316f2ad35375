//===- fused.cpp - a fused loop and its eager form ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ((a0 + a1) + a2) * a3 + a4, the example of Inductor's tutorial for CPU profiling: a0 and a2 are
// 16384 x 512 floats, a1, a3 and a4 are 1 x 512 and broadcast over the rows. As one loop nest, or
// as an eager framework runs it: four operators, each through memory.
//
// usage: fused (fused | eager) [REPETITIONS]
//
//===----------------------------------------------------------------------===//
#include "seamscope/seamscope.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int Rows = 16384;
constexpr int Columns = 512;

__attribute__((annotate("seamscope.ops=add,add,mul,add"))) static void
fused(float *__restrict Out, const float *__restrict A0, const float *__restrict A1,
      const float *__restrict A2, const float *__restrict A3, const float *__restrict A4) {
#pragma omp parallel for
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J) {
      const long K = static_cast<long>(I) * Columns + J;
      Out[K] = ((A0[K] + A1[J]) + A2[K]) * A3[J] + A4[J];
    }
}

// An operator of eager mode, with its second operand of full size...
__attribute__((annotate("seamscope.ops=add"))) static void
add(float *__restrict Out, const float *__restrict A, const float *__restrict B) {
#pragma omp parallel for
  for (long K = 0; K < static_cast<long>(Rows) * Columns; ++K)
    Out[K] = A[K] + B[K];
}

// ... or broadcast over the rows.
__attribute__((annotate("seamscope.ops=add"))) static void
add_rows(float *__restrict Out, const float *__restrict A, const float *__restrict Row) {
#pragma omp parallel for
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Out[static_cast<long>(I) * Columns + J] = A[static_cast<long>(I) * Columns + J] + Row[J];
}

__attribute__((annotate("seamscope.ops=mul"))) static void
mul_rows(float *__restrict Out, const float *__restrict A, const float *__restrict Row) {
#pragma omp parallel for
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Out[static_cast<long>(I) * Columns + J] = A[static_cast<long>(I) * Columns + J] * Row[J];
}

int main(int Count, char **Arguments) {
  const bool Fused = Count > 1 && !strcmp(Arguments[1], "fused");
  const int Repetitions = Count > 2 ? atoi(Arguments[2]) : 20;
  if ((!Fused && (Count < 2 || strcmp(Arguments[1], "eager") != 0)) || Repetitions < 1) {
    fprintf(stderr, "usage: fused (fused | eager) [REPETITIONS]\n");
    return 2;
  }
  const size_t Size = static_cast<size_t>(Rows) * Columns;
  std::vector<float> A0(Size, 1), A2(Size, 2), A1(Columns, 3), A3(Columns, 4), A4(Columns, 5);
  std::vector<float> Out(Size), T0(Size), T1(Size), T2(Size);

  // Threads are started, pages touched and caches warmed outside the trace.
  const SeamscopeMode Asked = seamscope_mode();
  constexpr int WarmUp = 3;
  seamscope_set_mode(SEAMSCOPE_OFF);
  for (int I = -WarmUp; I < Repetitions; ++I) {
    if (I == 0)
      seamscope_set_mode(Asked);
    if (Fused) {
      fused(Out.data(), A0.data(), A1.data(), A2.data(), A3.data(), A4.data());
    } else {
      add_rows(T0.data(), A0.data(), A1.data());
      add(T1.data(), T0.data(), A2.data());
      mul_rows(T2.data(), T1.data(), A3.data());
      add_rows(Out.data(), T2.data(), A4.data());
    }
  }
  for (const float Value : Out)
    if (Value != 29) {
      fprintf(stderr, "wrong result\n");
      return 1;
    }
  return 0;
}
