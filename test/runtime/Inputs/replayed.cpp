// Kernels of several kinds. Each writes `Out`; the program says what that holds after the call that
// is captured.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// Not every clang that is tested has omp.h.
extern "C" {
struct omp_lock_t {
  void *Of;
};
void omp_init_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_get_thread_num();
}

namespace {

constexpr int N = 200000;
double *Out;
double Scale = 1; // the program changes it
const double Steps[] = {0.5, 0.25, 0.125, 1};

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double X) const = 0;
};
struct Square : Shape {
  double area(double X) const override { return X * X; }
};
struct Circle : Shape {
  double Factor = 3;
  double area(double X) const override { return Factor * X * X; }
};

struct Grid {
  std::vector<double> Cells;
  std::vector<int> Order;
  int Width;
};

} // namespace

extern "C" {

__attribute__((noinline)) void globals(const double *A, int Count) {
#pragma omp parallel for
  for (int I = 0; I < Count; ++I)
    Out[I] = A[I] * Scale + Steps[I & 3];
}

/// By value and on the stack, with an index.
void gather(Grid G, const double *Limits) {
  for (size_t I = 0; I < G.Cells.size(); ++I)
    Out[I] = std::min(Limits[1], G.Cells[static_cast<size_t>(G.Order[I])] + G.Width + Limits[0]);
}

double total(const double *A, int Count) {
  double Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += std::sqrt(A[I]);
  return Sum;
}

/// Calls through pointers.
void shapes(const std::unique_ptr<Shape> *Of, int Kinds, double (*Also)(double)) {
  for (int I = 0; I < N / 10; ++I)
    Out[I] = Of[I % Kinds]->area(I) + Also(I);
}

/// Allocates, and gives back what the program allocated.
void rebuilt(std::vector<double> *Of) {
  std::vector<double> Next(Of->size() * 2);
  for (size_t I = 0; I < Of->size(); ++I)
    Next[I] = (*Of)[I] + 1;
  *Of = std::move(Next);
  for (size_t I = 0; I < Of->size() && I < N; ++I)
    Out[I] = (*Of)[I];
}

/// What it computes depends on what is there before: each call of the replay begins with that.
void inPlace(int Count) {
#pragma omp parallel for
  for (int I = 0; I < Count; ++I)
    Out[I] = Out[I] * 2 + 1;
}

void guarded(const double *A, int Count) {
  double Largest = 0, Sum = 0;
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < Count; ++I) {
    Sum += std::floor(A[I] * 8);
    if (I % 1000 == 0)
#pragma omp critical
      Largest = std::max(Largest, A[I]);
  }
  Out[0] = Sum;
  Out[1] = Largest;
}

omp_lock_t Lock;
void locked(int Count) {
  for (int I = 0; I < Count; ++I) {
    omp_set_lock(&Lock);
    Out[I] += 1;
    omp_unset_lock(&Lock);
  }
}

thread_local double Own = 1;
void ownOfThread(int Count) {
  for (int I = 0; I < Count; ++I)
    Out[I] += Own;
}

void inTeam(double *To, int Count) {
  for (int I = 0; I < Count; ++I)
    To[I] = To[I] + 1;
}
}

static double twice(double X) { return 2 * X; }

/// What the first \p Count numbers of the result are.
static void report(const char *Kernel, int Call, int Count = N) {
  uint64_t Hash = 14695981039346656037u;
  for (int I = 0; I < Count; ++I) {
    uint64_t Bits;
    std::memcpy(&Bits, &Out[I], sizeof Bits);
    Hash = (Hash ^ Bits) * 1099511628211u;
  }
  std::printf("%s %d %llu %d %llu\n", Kernel, Call,
              static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(Out)), Count * 8,
              static_cast<unsigned long long>(Hash));
}

int main() {
  Out = static_cast<double *>(std::calloc(N, sizeof(double)));
  std::vector<double> A(N);
  for (int I = 0; I < N; ++I)
    A[static_cast<size_t>(I)] = (I * 7919L % 1000) / 64.0;
  Grid G{A, std::vector<int>(N), 3};
  for (int I = 0; I < N; ++I)
    G.Order[static_cast<size_t>(I)] = static_cast<int>(I * 7919L % N);
  std::vector<std::unique_ptr<Shape>> Shapes;
  Shapes.push_back(std::make_unique<Square>());
  Shapes.push_back(std::make_unique<Circle>());
  std::vector<double> Growing(N / 8, 0.5);
  const double Limits[] = {0.25, 12};
  omp_init_lock(&Lock);
  // As constants they would make LLVM 19 specialise the kernel.
  double (*volatile Also)(double) = twice;
  volatile int Kinds = 2;
  for (int Call = 1; Call <= 4; ++Call) {
    Scale += 0.5;
    globals(A.data(), N), report("globals", Call);
    gather(G, Limits), report("gather", Call);
    Out[0] = total(A.data(), N);
    shapes(Shapes.data(), Kinds, Also), report("shapes", Call, N / 10);
    const auto Old = static_cast<int>(Growing.size());
    rebuilt(&Growing), report("rebuilt", Call, std::min(2 * Old, N));
    inPlace(N), report("inPlace", Call);
    guarded(A.data(), N), report("guarded", Call, 2);
#pragma omp parallel for num_threads(2)
    for (int I = 0; I < N; ++I)
      Out[I] = Out[I] + Limits[0];
    report("main", Call);
    std::thread([&] { gather(G, Limits), report("gather", Call); }).join();
    locked(5000);
    ownOfThread(50000);
#pragma omp parallel num_threads(2)
    inTeam(Out + omp_get_thread_num() * (N / 2), N / 2);
  }
}
