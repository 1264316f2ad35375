// Kernels of several loops each. Prints {"NAME": nanoseconds of the shortest of many calls}.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define KERNEL __attribute__((noinline))

KERNEL void three(float *A, float *B, float *C, int N) {
  for (int I = 0; I < N; ++I)
    A[I] = B[I] * 0.5f + 1;
  for (int I = 0; I < N; ++I)
    C[I] = A[I] * B[I];
  for (int I = 0; I < N; ++I)
    B[I] = C[I] / (A[I] + 2);
}

KERNEL void softmax(float *__restrict Y, const float *__restrict X, int Rows, int N) {
  for (int R = 0; R < Rows; ++R) {
    float Most = -1e30f, Sum = 0;
    for (int I = 0; I < N; ++I)
      Most = X[R * N + I] > Most ? X[R * N + I] : Most;
    for (int I = 0; I < N; ++I)
      Sum += Y[R * N + I] = std::exp(X[R * N + I] - Most);
    for (int I = 0; I < N; ++I)
      Y[R * N + I] /= Sum;
  }
}

// The factors add up to 1: smaller ones would lead to subnormal numbers, which are slow.
KERNEL void sweeps(float *A, float *B, int N, int Steps) {
  for (int T = 0; T < Steps; ++T) {
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < N - 1; ++J)
        B[I * N + J] = A[I * N + J - 1] * 0.5f + A[I * N + J + 1] * 0.5f;
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < N - 1; ++J)
        A[I * N + J] = B[(I - 1) * N + J] * 0.5f + B[(I + 1) * N + J] * 0.5f;
  }
}

KERNEL void matrix(float *__restrict C, const float *__restrict A, const float *__restrict B,
                   int N) {
  for (int I = 0; I < N * N; ++I)
    C[I] = 0;
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < N; ++K)
      for (int J = 0; J < N; ++J)
        C[I * N + J] += A[I * N + K] * B[K * N + J];
}

KERNEL int find(const int *A, int N, int What) {
  for (int I = 0; I < N; ++I)
    if (A[I] == What)
      return I;
  return -1;
}

template <typename Fn> double shortest(int Rounds, Fn Call) {
  using Clock = std::chrono::steady_clock;
  double Least = 1e30;
  for (int R = 0; R < Rounds; ++R) {
    const auto Begin = Clock::now();
    for (int I = 0; I < 10; ++I)
      Call();
    const std::chrono::duration<double, std::nano> Took = Clock::now() - Begin;
    Least = Took.count() / 10 < Least ? Took.count() / 10 : Least;
  }
  return Least;
}

int main() {
  constexpr int N = 100000;
  std::vector<float> A(N, 1), B(N, 2), C(N, 3);
  std::vector<int> K(N);
  std::printf("{\"three loops of 20,000\": %.1f",
              shortest(200, [&] { three(A.data(), B.data(), C.data(), 20000); }));
  std::printf(", \"softmax of 64 rows of 1,000\": %.1f",
              shortest(100, [&] { softmax(A.data(), B.data(), 64, 1000); }));
  std::printf(", \"4 steps of 2 sweeps over 200 x 200\": %.1f",
              shortest(100, [&] { sweeps(A.data(), B.data(), 200, 4); }));
  std::printf(", \"product of 100 x 100\": %.1f",
              shortest(100, [&] { matrix(C.data(), A.data(), B.data(), 100); }));
  std::printf(", \"search of 100,000\": %.1f}\n", shortest(200, [&] {
                if (find(K.data(), N, 7) >= 0)
                  std::abort();
              }));
}
