// With -flto=thin and lld the kernel is instrumented once, in the compile step or in the link.
// REQUIRES: llvm-22, lld-22
// RUN: rm -rf %t && mkdir %t
// RUN: env SEAMSCOPE_PASS=loops=off %seamscope-clang++ -O2 -flto=thin -c %s -o %t/program.o
// RUN: env SEAMSCOPE_PASS=loops=off %seamscope-clang++ -O2 -flto=thin -fuse-ld=lld %t/program.o -o %t/program
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/trace.json %t/program
// RUN: FileCheck %s --input-file=%t/trace.json

// RUN: env "SEAMSCOPE_PASS=lto=link;loops=off" %seamscope-clang++ -O2 -flto=thin -c %s -o %t/program.o
// RUN: env "SEAMSCOPE_PASS=lto=link;loops=off" %seamscope-clang++ -O2 -flto=thin -fuse-ld=lld %t/program.o -o %t/program
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/link.json %t/program
// RUN: FileCheck %s --input-file=%t/link.json

// CHECK-COUNT-1: "ph":{{ ?}}"X"
// CHECK-NOT:     "ph":{{ ?}}"X"
__attribute__((annotate("seamscope.kernel"), noinline)) float sum(const float *Data, int N) {
  float Total = 0;
  for (int I = 0; I < N; ++I)
    Total += Data[I];
  return Total;
}

int main(int Argc, char **) {
  float Data[512];
  for (float &Value : Data)
    Value = static_cast<float>(Argc);
  return sum(Data, 512) == 512 ? 0 : 1;
}
