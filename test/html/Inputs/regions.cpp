// A kernel with parallel regions and loops, and one without; threads that wait for each other.
#include <cstdio>
#include <vector>

__attribute__((noinline)) double triangle(std::vector<double> &Of, int Size) {
  double Sum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int Row = 0; Row < Size; ++Row)
      for (int Column = 0; Column < Row; ++Column)
        Of[static_cast<size_t>(Row)] += 1.0 / (1 + Row + Column);
#pragma omp for reduction(+ : Sum)
    for (int Row = 0; Row < Size; ++Row)
      Sum += Of[static_cast<size_t>(Row)];
  }
  return Sum;
}

__attribute__((annotate("seamscope.kernel"), noinline)) double last(const std::vector<double> &Of) {
  return Of.back();
}

int main() {
  std::vector<double> Values(400);
  double Sum = 0;
  for (int Call = 0; Call < 30; ++Call)
    Sum += triangle(Values, 400) + last(Values);
  std::printf("%d\n", Sum > 0);
}
