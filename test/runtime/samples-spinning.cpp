// A thread that only gives its processor away waits, by samples: it is not the work of its kernel.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -g -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json SEAMSCOPE_SAMPLES=2000 ./a
// RUN: %seamscope report --json %t/t.json > %t/report.json
// RUN: %python %S/Inputs/check-spinning.py %t/report.json sched_yield | FileCheck %s
// RUN: %seamscope report %t/t.json | FileCheck %s --check-prefix=TEXT
// REQUIRES: llvm-22, samples
// CHECK: waiter spins
// TEXT: {{^}}[spinning]
// TEXT: {{^}}waiter{{ +}}[spinning] {{[_a-z]*}}sched_yield
#include <ctime>
#include <sched.h>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

static volatile double Sum;

static double used() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return static_cast<double>(Now.tv_sec) + static_cast<double>(Now.tv_nsec) * 1e-9;
}

KERNEL void waiter() {
  for (const double End = used() + 1; used() < End;)
    for (int I = 0; I < 1000; ++I)
      sched_yield();
}

KERNEL void worker() {
  for (const double End = used() + 0.3; used() < End;)
    for (int I = 0; I < 100000; ++I)
      Sum = Sum + I;
}

int main() {
  waiter();
  worker();
}
