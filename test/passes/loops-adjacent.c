// If one loop begins where another ends, they share a stamp: three loops in a row take four. Expensive code or
// a call between them separates them.
// RUN: %clang-22 -O2 -g -S -emit-llvm -fpass-plugin=%plugin-22 -o %t.ll %s
// RUN: FileCheck %s < %t.ll
// RUN: %clang-19 -O2 -g -S -emit-llvm -fpass-plugin=%plugin-19 -o %t.19.ll %s
// RUN: FileCheck %s < %t.19.ll
// On x86-64 without a call:
// RUN: %clang-22 -O2 -g -S -fpass-plugin=%plugin-22 -o - %s --target=x86_64-linux-gnu | FileCheck %s --check-prefix=ASM
// REQUIRES: llvm-22, llvm-19

// CHECK-LABEL: define {{.*}}@row(
// The frame of the loops is read before a loop has used it.
// CHECK: store i64 0, ptr
// CHECK-COUNT-2: call preserve_mostcc void @seamscope.next.v3.{{[0-9]+}}(
// CHECK-NOT: @seamscope.next.v3.{{[0-9]+}}(
// CHECK-LABEL: define {{.*}}@apart(
// CHECK-NOT: @seamscope.next.v3.{{[0-9]+}}(
// CHECK: ret void

// ASM-LABEL: {{^"?}}seamscope.next.v3.{{[0-9]+"?}}:
// ASM: rdtscp
// ASM-NOT: rdtscp
// ASM-NOT: call
// ASM: ret
void row(float *restrict a, float *restrict b, float *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = b[i] * 0.5f + 1;
  for (int i = 0; i < n; ++i)
    c[i] = a[i] * b[n - 1 - i];
  for (int i = 0; i < n; ++i)
    b[i] = c[i] / (a[n - 1 - i] + 2);
}

void called(void);
void apart(float *restrict a, float *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = b[i] * 0.5f + 1;
  called();
  for (int i = 0; i < n; ++i)
    b[i] = a[n - 1 - i];
}
