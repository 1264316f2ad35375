// The report of a program that waits: blocked time is not work, the wait has the name of the
// function that the program called and the line of the call, and the code that ran has its name.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -g -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a
// RUN: %seamscope report --json %t/t.json > %t/report.json
// RUN: %python %S/Inputs/check-report.py %t/report.json %s | FileCheck %s
// A profile has no times of single calls; how long threads ran and waited is as exact.
// RUN: cd %t && env SEAMSCOPE=profile SEAMSCOPE_OUT=p.json timeout 60 ./a
// RUN: %seamscope report --json %t/p.json > %t/profile.json
// RUN: %python %S/Inputs/check-threads.py %t/profile.json | FileCheck %s --check-prefix=THREADS
// REQUIRES: llvm-22, samples
// CHECK: blocked for as long as it waited, in the call of its line
// THREADS: each thread ran and waited as long as it did
#include <condition_variable>
#include <mutex>
#include <thread>
#include <time.h>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

static std::mutex Lock;
static std::condition_variable Ready;
static bool Go = false;
static volatile double Sum = 0;

KERNEL void waiter() {
  std::unique_lock<std::mutex> Held(Lock);
  while (!Go)
    Ready.wait(Held); // the call
  Sum = Sum + 1;
}

KERNEL void worker(double Seconds) {
  timespec Now;
  do {
    for (int I = 0; I < 100000; ++I)
      Sum = Sum + I;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  } while (static_cast<double>(Now.tv_sec) + static_cast<double>(Now.tv_nsec) * 1e-9 < Seconds);
}

int main() {
  std::thread Other([] {
    worker(0.4);
    {
      const std::lock_guard<std::mutex> Held(Lock);
      Go = true;
    }
    Ready.notify_all();
  });
  waiter();
  Other.join();
}
