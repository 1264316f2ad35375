// Loops of many shapes, each between two clock readings. Prints `LINE NANOSECONDS` of the shortest run of
// each loop. LINE is the line of the loop, for a worksharing loop that of its directive.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

constexpr int Lines = 1000;
std::atomic<int64_t> Shortest[Lines];

__attribute__((noinline)) int64_t now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  asm volatile("" ::: "memory");
  return T.tv_sec * INT64_C(1000000000) + T.tv_nsec;
}

void note(int Line, int64_t Ns) {
  int64_t Known = Shortest[Line];
  while ((!Known || Ns < Known) && !Shortest[Line].compare_exchange_weak(Known, Ns))
    ;
}

struct Clocked {
  int Line;
  int64_t Begin = now();
  ~Clocked() { note(Line, now() - Begin); }
};

} // namespace

/// Takes the time up to the end of the scope; its loop begins on the next line.
#define CLOCK const Clocked Around{__LINE__ + 1}

__attribute__((noinline)) void serial(double *A, int N) {
  CLOCK;
  for (int I = 1; I < N; ++I)
    A[I] = A[I - 1] * 0.5 + 1;
}

__attribute__((noinline)) void remainder_(float *__restrict A, const float *__restrict B, int N) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * 0.5f + B[I];
}

__attribute__((noinline)) void versioned(float *A, const float *B, int N) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    A[I] = B[I] + 1;
}

__attribute__((noinline)) unsigned unrolled(const unsigned *A, int N) {
  unsigned Hash = 1;
  {
    const Clocked Around{__LINE__ + 2};
#pragma clang loop unroll_count(4) vectorize(disable)
    for (int I = 0; I < N; ++I)
      Hash = Hash * 31 + A[I];
  }
  return Hash;
}

__attribute__((noinline)) void nested(float *A, const float *B, int N) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      for (int K = 0; K < N; ++K)
        A[I * N + J] += B[I * N + K] * B[K * N + J];
}

inline void third(float *A, int N) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    A[I] = 1 / (A[I] + 2);
}
inline void second(float *A, int N) { third(A, N); }
inline void first(float *A, int N) { second(A, N); }

__attribute__((noinline)) void inlined(float *A, int N) {
  {
    CLOCK;
    for (int I = 0; I < N; ++I)
      A[I] += 3;
  }
  first(A, N);
}

template <typename T> __attribute__((noinline)) void templated(T *A, int N) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * A[I] - 1;
}

__attribute__((noinline)) void lambda(float *A, int N) {
  const auto Each = [&](float By) {
    CLOCK;
    for (int I = 0; I < N; ++I)
      A[I] = A[I] * By + 0.25f;
  };
  Each(0.5f);
}

__attribute__((noinline)) int returns(const int *A, int N, int What) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    if (A[I] == What)
      return I;
  return -1;
}

__attribute__((noinline)) void check(int Value) {
  if (Value == 7)
    throw Value;
}

__attribute__((noinline)) void throws(const int *A, int N) {
  CLOCK;
  for (int I = 0; I < N; ++I)
    check(A[I]);
}

__attribute__((noinline)) int breaks(const int *A, int N) {
  int I = 0;
  {
    CLOCK;
    for (; I < N; ++I)
      if (A[I] > 6)
        break;
  }
  return I;
}

__attribute__((noinline)) void sweeps(float *A, float *B, int N, int Steps) {
  CLOCK;
  for (int T = 0; T < Steps; ++T) {
    {
      CLOCK;
      for (int I = 1; I < N - 1; ++I)
        for (int J = 1; J < N - 1; ++J)
          B[I * N + J] = A[I * N + J - 1] + A[I * N + J + 1];
    }
    {
      CLOCK;
      for (int I = 1; I < N - 1; ++I)
        for (int J = 1; J < N - 1; ++J)
          A[I * N + J] = B[(I - 1) * N + J] * 0.5f;
    }
  }
}

__attribute__((noinline)) int three(float *A, float *B, int N) {
  {
    CLOCK;
    for (int I = 0; I < N; ++I)
      A[I] = B[I] + 1;
  }
  {
    CLOCK;
    for (int I = 0; I < N; ++I)
      B[I] = A[I] * A[I];
  }
  int Count = 0;
  {
    CLOCK;
    while (Count < N && B[Count] > -1)
      ++Count;
  }
  return Count;
}

__attribute__((noinline)) void workshared(float *A, int N) {
#pragma omp parallel num_threads(2)
  {
    const int64_t Begin = now();
#pragma omp for nowait
    for (int I = 0; I < N; ++I) // long compared with libomp's work before it
      for (int Round = 0; Round < 16; ++Round)
        A[I] = A[I] * 0.5f + 1 / (A[I] + 3);
    note(__LINE__ - 4, now() - Begin);
  }
}

int main() {
  constexpr int N = 1000003;
  std::vector<float> A(N, 1), B(N, 2);
  std::vector<double> D(N, 1);
  std::vector<int> I(N, 1);
  std::vector<unsigned> U(N, 3);
  I[N - 2] = 7;
  unsigned Sum = 0;
  for (int Round = 0; Round < 20; ++Round) {
    serial(D.data(), N);
    remainder_(A.data(), B.data(), N);
    versioned(A.data(), B.data(), N);
    Sum += unrolled(U.data(), N);
    nested(A.data(), B.data(), 120);
    inlined(A.data(), N);
    templated(A.data(), N);
    templated(D.data(), N);
    lambda(A.data(), N);
    Sum += unsigned(returns(I.data(), N, 7));
    try {
      throws(I.data(), N);
    } catch (int Value) {
      Sum += unsigned(Value);
    }
    Sum += unsigned(breaks(I.data(), N));
    sweeps(A.data(), B.data(), 1000, 4);
    Sum += unsigned(three(A.data(), B.data(), N));
    workshared(A.data(), N);
  }
  for (int Line = 0; Line < Lines; ++Line)
    if (const int64_t Ns = Shortest[Line])
      std::printf("%d %lld\n", Line, static_cast<long long>(Ns));
  std::fprintf(stderr, "%u\n", Sum);
}
