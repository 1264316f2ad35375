// Waits too short to be looked at each: of some at random the call is seen, and the time of the
// others is shared out among these, with an interval.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -g -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a
// RUN: %seamscope report --json %t/t.json > %t/report.json
// RUN: %python %S/Inputs/check-short-waits.py %t/report.json %s | FileCheck %s
// REQUIRES: llvm-22, samples
// CHECK: short waits have names
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <poll.h>
#include <thread>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

static std::mutex Lock;
static std::condition_variable Never;
static volatile int Result;

KERNEL void waiter() {
  for (int I = 0; I < 150; ++I) {
    Result = poll(nullptr, 0, 4); // poll
    std::unique_lock<std::mutex> Held(Lock);
    Never.wait_for(Held, std::chrono::milliseconds(8)); // condition
    asm volatile("");
  }
}

int main() {
  std::thread Other(waiter);
  waiter();
  Other.join();
}
