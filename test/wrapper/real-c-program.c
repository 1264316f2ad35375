// The C wrapper compiles and links in two steps, as build systems do.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t
// RUN: %seamscope-clang -O2 -c %s -o %t/program.o
// RUN: %seamscope-clang %t/program.o -o %t/program
// RUN: %t/program
// RUN: %llvm-readelf-22 -d %t/program | FileCheck %s
// CHECK: NEEDED{{.*}}libseamscope.so
__attribute__((annotate("seamscope.kernel"))) float sum(const float *data, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i)
    total += data[i];
  return total;
}

int main(void) {
  float data[512];
  for (int i = 0; i < 512; ++i)
    data[i] = 1;
  return sum(data, 512) == 512 ? 0 : 1;
}
