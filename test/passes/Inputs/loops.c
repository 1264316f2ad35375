// Loops of several kinds. The test refers to lines: the loop of `scale` is in line 6.
#include <stddef.h>


static void scale(float *A, float By, int N) {
  for (int I = 0; I < N; I++)
    A[I] *= By;
}

void three(float *A, float *B, float *C, int N) {
  for (int I = 0; I < N; I++)
    A[I] = B[I] + 1;
  for (int I = 0; I < N; I++)
    C[I] = A[I] * B[I];
  scale(C, 3, N);
}

void sweeps(float *A, float *B, int N, int Steps) {
  for (int T = 0; T < Steps; T++) {
    for (int I = 1; I < N - 1; I++)
      for (int J = 1; J < N - 1; J++)
        B[I * N + J] = A[I * N + J - 1] + A[I * N + J + 1];
    for (int I = 1; I < N - 1; I++)
      for (int J = 1; J < N - 1; J++)
        A[I * N + J] = B[(I - 1) * N + J] + B[(I + 1) * N + J];
  }
}

void matrix(float *A, const float *B, int N) {
  for (int I = 0; I < N; I++)
    for (int J = 0; J < N; J++)
      for (int K = 0; K < N; K++)
        A[I * N + J] += B[I * N + K] * B[K * N + J];
}

float small(const float *A, float *B, int N) {
  float Sum = 0;
#pragma clang loop unroll(disable)
  for (int I = 0; I < 4; I++)
    Sum = Sum * A[I] + 1;
  for (int I = 0; I < N; I++)
    B[I] = A[I] + Sum;
  return Sum;
}

void jumps(const unsigned char *Code, float *A, int N) {
  static const void *const Targets[] = {&&add, &&twice, &&end};
next:
  goto *Targets[*Code++ % 3];
add:
  A[N % 7] += 1;
  goto next;
twice:
  A[N % 5] *= 2;
  goto next;
end:
  return;
}
