// With recording off a kernel's hooks do not use callee-saved registers: nothing is pushed for them.
// RUN: %clang-22 -O2 -S -fpass-plugin=%plugin-22 -o - %s --target=x86_64-linux-gnu | FileCheck %s
// RUN: %clang-19 -O2 -S -fpass-plugin=%plugin-19 -o - %s --target=x86_64-linux-gnu | FileCheck %s
// RUN: %clang-22 -O2 -S -fpass-plugin=%plugin-22 -o - %s --target=aarch64-linux-gnu | FileCheck %s --check-prefix=ARM
// RUN: %clang-19 -O2 -S -fpass-plugin=%plugin-19 -o - %s --target=aarch64-linux-gnu | FileCheck %s --check-prefix=ARM
// On other targets the hooks are called directly:
// RUN: %clang-22 -O2 -S -fpass-plugin=%plugin-22 -o - %s --target=riscv64-linux-gnu | FileCheck %s --check-prefix=PLAIN
// REQUIRES: llvm-22, llvm-19

// CHECK-LABEL: kernel:
// CHECK-NOT: push
// CHECK: __seamscope_gate_v3
// CHECK-DAG: callq {{"?}}seamscope.counted
// CHECK-DAG: callq {{"?}}seamscope.exit
// Nor with recording on: the common case does not make calls.
// CHECK-LABEL: seamscope.counted.v3.{{[0-9]+}}:
// CHECK: __seamscope_thread_v3@GOTTPOFF
// CHECK: rdtscp
// CHECK-NOT: call
// CHECK: ret
// CHECK: callq {{"?}}seamscope.enter.slow
// CHECK-LABEL: seamscope.enter.slow.v3.{{[0-9]+}}:
// CHECK: callq *__seamscope_enter_v3@GOTPCREL(%rip)

// ARM-LABEL: kernel:
// ARM-NOT: x19
// ARM-DAG: bl seamscope.counted
// ARM-DAG: bl seamscope.exit
// ARM: .size kernel
// ARM-LABEL: seamscope.counted.v3.{{[0-9]+}}:
// ARM: __seamscope_enter_v3

// PLAIN-LABEL: kernel:
// PLAIN: __seamscope_enter_v3
// PLAIN-NOT: seamscope.enter:
__attribute__((annotate("seamscope.kernel"))) long kernel(long *a, long *b, long n, long m) {
  long sum = m;
  for (long i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}
