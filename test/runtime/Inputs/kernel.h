// A kernel for the tests: some work that no optimiser removes.
#pragma once
__attribute__((noinline, annotate("seamscope.kernel"))) static void kernel() {
  asm volatile("" ::: "memory");
}
