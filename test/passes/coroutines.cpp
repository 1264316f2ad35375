// Coroutines are not timed, and neither are the parts that they are split into.
// RUN: timeout 60 %clangxx-22 -std=c++20 -O0 -c -fpass-plugin=%plugin-22 -Rpass=seamscope \
// RUN:   -Rpass-missed=seamscope -o %t.o %s 2>&1 | FileCheck %s
// RUN: timeout 60 %clangxx-22 -std=c++20 -O2 -c -fpass-plugin=%plugin-22 -Rpass=seamscope \
// RUN:   -Rpass-missed=seamscope -o %t.o %s 2>&1 | FileCheck %s
// RUN: timeout 60 %clangxx-19 -std=c++20 -O2 -c -fpass-plugin=%plugin-19 -Rpass=seamscope \
// RUN:   -Rpass-missed=seamscope -o %t.o %s 2>&1 | FileCheck %s
// REQUIRES: llvm-22, llvm-19
#include <coroutine>

struct Task {
  struct promise_type {
    float Value;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
    std::suspend_always yield_value(float X) {
      Value = X;
      return {};
    }
  };
  std::coroutine_handle<promise_type> Handle;
};

// CHECK-NOT: timing kernel
// CHECK-DAG: '_Z7partialPfi' is not timed: a coroutine suspends and resumes where hooks cannot follow
// CHECK-DAG: '_Z7partialPfi.resume' is not timed: a coroutine suspends
// CHECK-DAG: '_Z7partialPfi.destroy' is not timed: a coroutine suspends
// CHECK-NOT: timing kernel
Task partial(float *X, int N) {
  float Sum = 0;
  for (int I = 0; I < N; ++I) {
    for (int J = 0; J < I; ++J)
      Sum += X[J] * 2;
    co_yield Sum;
  }
}
