//===- attention.cpp - three loops of one kernel, and a thread that waits ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of a causal model, written by hand: token R looks at the tokens up to R. Each thread
// gets as many rows as the others, and later rows are more work.
//
// usage: attention [REPETITIONS]
//
//===----------------------------------------------------------------------===//
#include "seamscope/seamscope.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Tokens = 1024;
constexpr int Width = 64;

static void attention(float *__restrict Out, float *__restrict Weights, const float *__restrict Q,
                      const float *__restrict K, const float *__restrict V) {
#pragma omp parallel
  {
#pragma omp for
    for (int R = 0; R < Tokens; ++R)
      for (int C = 0; C <= R; ++C) {
        float Sum = 0;
        for (int I = 0; I < Width; ++I)
          Sum += Q[R * Width + I] * K[C * Width + I];
        Weights[R * Tokens + C] = Sum / 8;
      }
#pragma omp for
    for (int R = 0; R < Tokens; ++R) {
      float *Row = Weights + R * Tokens;
      const float Most = *std::max_element(Row, Row + R + 1);
      float Sum = 0;
      for (int C = 0; C <= R; ++C)
        Sum += Row[C] = std::exp(Row[C] - Most);
      for (int C = 0; C <= R; ++C)
        Row[C] /= Sum;
    }
#pragma omp for
    for (int R = 0; R < Tokens; ++R) {
      std::fill_n(Out + R * Width, Width, 0.0f);
      for (int C = 0; C <= R; ++C)
        for (int I = 0; I < Width; ++I)
          Out[R * Width + I] += Weights[R * Tokens + C] * V[C * Width + I];
    }
  }
}

int main(int Count, char **Arguments) {
  const int Repetitions = Count > 1 ? atoi(Arguments[1]) : 20;
  if (Repetitions < 1) {
    fprintf(stderr, "usage: attention [REPETITIONS]\n");
    return 2;
  }
  std::vector<float> Q(Tokens * Width), K(Q.size()), V(Q.size()), Out(Q.size());
  std::vector<float> Weights(Tokens * Tokens);
  for (size_t I = 0; I < Q.size(); ++I) {
    Q[I] = static_cast<float>(I % 7) / 7;
    K[I] = static_cast<float>(I % 5) / 5;
    V[I] = 3;
  }
  // Threads are started and pages touched outside the trace.
  const SeamscopeMode Asked = seamscope_mode();
  seamscope_set_mode(SEAMSCOPE_OFF);
  for (int I = -2; I < Repetitions; ++I) {
    if (I == 0)
      seamscope_set_mode(Asked);
    attention(Out.data(), Weights.data(), Q.data(), K.data(), V.data());
  }
  // Weights of a row add up to 1.
  for (const float Value : Out)
    if (std::abs(Value - 3) > 1e-3) {
      fprintf(stderr, "wrong result\n");
      return 1;
    }
  return 0;
}
