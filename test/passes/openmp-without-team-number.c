// An OpenMP runtime may lack the function for a thread's number in its team: a program that links
// without the plugin also links with it. Then the process-wide number is recorded; without that,
// no number is.
// REQUIRES: llvm-22
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang-22 -shared -fPIC %t/runtime.c -o %t/libstub.so
// RUN: %clang-22 -shared -fPIC -DGLOBAL_NUMBER %t/runtime.c -o %t/libnumber.so
// RUN: %clang-22 -O2 -fopenmp -I%t -fpass-plugin=%plugin-22 -c %t/k.c -o %t/k.o
// RUN: %clang-22 %t/k.o -L%t -lstub -Wl,-rpath,%t %link-runtime -o %t/stub
// RUN: %clang-22 %t/k.o -L%t -lnumber -Wl,-rpath,%t %link-runtime -o %t/number
// RUN: %clang-22 -no-pie %t/k.o %t/runtime.c %link-runtime -o %t/static
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/stub.json %t/stub | FileCheck %s --check-prefix=SAME
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/number.json %t/number | FileCheck %s --check-prefix=SAME
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/static.json %t/static | FileCheck %s --check-prefix=SAME
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/stub.json
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/static.json
// RUN: FileCheck %s --check-prefix=NUMBER --input-file=%t/number.json

// SAME: sum 1000
// NONE: scale [parallel #1]
// NONE-NOT: "thread":
// NUMBER: "ph":"X"{{.*}}"name":"scale [parallel #1]"
// NUMBER-SAME: "thread":7

//--- k.c
#include <stdio.h>
void scale(float *x, int n) {
#pragma omp parallel
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
}
int main(void) {
  float x[500];
  for (int i = 0; i < 500; ++i)
    x[i] = 1;
  scale(x, 500);
  float sum = 0;
  for (int i = 0; i < 500; ++i)
    sum += x[i];
  printf("sum %g\n", sum);
}
//--- runtime.c
#include <stdarg.h>
#include <stdint.h>
// A team of one.
void __kmpc_fork_call(void *where, int32_t count, void *body, ...) {
  int32_t global = 7, bound = 0;
  void *args[4];
  va_list list;
  va_start(list, body);
  for (int i = 0; i < count; ++i)
    args[i] = va_arg(list, void *);
  va_end(list);
  ((void (*)(int32_t *, int32_t *, void *, void *, void *, void *))body)(
      &global, &bound, args[0], args[1], args[2], args[3]);
}
#ifdef GLOBAL_NUMBER
int32_t __kmpc_global_thread_num(void *where) { return 7; }
#endif
