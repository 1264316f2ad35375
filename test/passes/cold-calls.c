// With recording off a kernel's hooks cost it no callee-saved register: nothing is pushed for them.
// RUN: %clang-22 -O2 -S -fpass-plugin=%plugin-22 -o - %s --target=x86_64-linux-gnu | FileCheck %s
// RUN: %clang-19 -O2 -S -fpass-plugin=%plugin-19 -o - %s --target=x86_64-linux-gnu | FileCheck %s
// RUN: %clang-22 -O2 -S -fpass-plugin=%plugin-22 -o - %s --target=aarch64-linux-gnu | FileCheck %s --check-prefix=ARM
// RUN: %clang-19 -O2 -S -fpass-plugin=%plugin-19 -o - %s --target=aarch64-linux-gnu | FileCheck %s --check-prefix=ARM
// Elsewhere the hooks are called as such:
// RUN: %clang-22 -O2 -S -fpass-plugin=%plugin-22 -o - %s --target=riscv64-linux-gnu | FileCheck %s --check-prefix=PLAIN
// REQUIRES: llvm-22, llvm-19

// CHECK-LABEL: kernel:
// CHECK-NOT: push
// CHECK: __seamscope_gate_v1
// CHECK: callq {{"?}}seamscope.enter
// CHECK: callq {{"?}}seamscope.exit
// CHECK-LABEL: seamscope.enter:
// CHECK: callq *__seamscope_enter_v1@GOTPCREL(%rip)

// ARM-LABEL: kernel:
// ARM-NOT: x19
// ARM: bl seamscope.enter
// ARM-NOT: x19
// ARM: bl seamscope.exit
// ARM-LABEL: seamscope.enter:
// ARM: __seamscope_enter_v1

// PLAIN-LABEL: kernel:
// PLAIN: __seamscope_enter_v1
// PLAIN-NOT: seamscope.enter:
__attribute__((annotate("seamscope.kernel"))) long kernel(long *a, long *b, long n, long m) {
  long sum = m;
  for (long i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}
