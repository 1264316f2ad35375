// The time in which a thread ran, by its switches, is the time that it used the processor: in
// threads that wait for a condition, for another thread, for a descriptor or for time, that
// compute, and that are more than the processors.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a > lines
// RUN: %python %S/Inputs/check-cpu-time.py %t/lines %t/t.json | FileCheck %s
// RUN: %python %S/Inputs/check-samples.py %t/t.json %t/a | FileCheck %s --check-prefix=SAMPLES
// REQUIRES: llvm-22, samples
// CHECK: 17 threads ran for as long as they used the processor
// SAMPLES: samples in a: right
#include "Inputs/cpu-time.h"
#include "Inputs/kernel.h"
#include <condition_variable>
#include <mutex>
#include <poll.h>
#include <thread>
#include <vector>

static std::mutex Lock;
static std::condition_variable Turn;
static int Next;

/// Two threads wait for each other, often.
static void takeTurns(int Self) {
  const CpuTime Own("turns");
  for (int I = 0; I < 1000; ++I) {
    std::unique_lock<std::mutex> Guard(Lock);
    Turn.wait(Guard, [&] { return Next == Self; });
    Next = 1 - Self;
    Turn.notify_all();
  }
}

int main() {
  const CpuTime Own("main");
  kernel();
  std::vector<std::thread> Threads;
  for (int I = 0; I < 2; ++I)
    Threads.emplace_back(takeTurns, I);
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back([] {
      const CpuTime Own("computes");
      compute(40);
    });
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([=] {
      const CpuTime Own("sleeps");
      for (int J = 0; J < 20; ++J) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        compute(1);
      }
    });
  Threads.emplace_back([] {
    const CpuTime Own("polls");
    poll(nullptr, 0, 150);
  });
  Threads.emplace_back([] {
    const CpuTime Own("joins");
    std::thread([] { compute(20); }).join();
  });
  for (std::thread &Each : Threads)
    Each.join();
}
