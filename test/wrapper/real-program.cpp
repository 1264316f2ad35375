// One command makes an instrumented program that runs and traces; its name and its run path are
// right without any setting of the user's.
// REQUIRES: llvm-22, openmp
// RUN: rm -rf %t && mkdir %t
// RUN: %seamscope-clang++ -O2 -fopenmp %s -o %t/program
// RUN: %t/program | FileCheck %s --check-prefix=OUTPUT
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/trace.json %t/program
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t/trace.json
// OUTPUT: 4095
// TRACE-DAG: "name":{{ ?}}"scale"
// TRACE-DAG: real-program.cpp
#include <cstdio>
#include <vector>

__attribute__((annotate("seamscope.kernel"))) void scale(std::vector<float> &Data, float Factor) {
#pragma omp parallel for
  for (size_t I = 0; I < Data.size(); ++I)
    Data[I] = static_cast<float>(I) * Factor;
}

int main() {
  std::vector<float> Data(4096);
  scale(Data, 1);
  printf("%g\n", Data.back());
}
