// Kernels whose calls, and whose threads, do different work.
#include <vector>

__attribute__((noinline)) void scaled(double *A, const double *B, int N) {
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * 2 + B[I];
}

// The n-th of the threads adds up more than the first.
__attribute__((noinline)) void triangle(double *A, const double *B, int N) {
#pragma omp parallel for schedule(static)
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < I; ++K)
      A[I] += B[K];
}

int main() {
  std::vector<double> A(1000, 1), B(1000, 2);
  for (const int N : {100, 100, 300, 100})
    scaled(A.data(), B.data(), N);
  for (const int N : {400, 400, 800})
    triangle(A.data(), B.data(), N);
  // Too often for one sum each.
  for (int I = 0; I < 3000; ++I)
    scaled(A.data() + 500, B.data(), I % 2);
}
