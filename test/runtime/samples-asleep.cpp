// Threads of a pool sleep while one thread works: the report says how many, where, and what ran. A
// thread that only waits for the end is not one of them.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -g -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a
// RUN: %seamscope report --json %t/t.json > %t/report.json
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); print(*(a['kind'] + ': ' + a['evidence'] + '. ' + a['remedy'] for a in r['advice']), sep='\n')" %t/report.json > %t/advice
// RUN: FileCheck %s < %t/advice
// RUN: FileCheck %s --check-prefix=HELPER < %t/advice
// REQUIRES: llvm-22, samples, several-processors
#include <condition_variable>
#include <mutex>
#include <thread>
#include <time.h>
#include <vector>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

static std::mutex Lock;
static std::condition_variable Changed;
static int Round = 0, Working = 0;
static bool End = false;
static volatile double Sum = 0;

static void work(double Seconds) {
  timespec Begin, Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Begin);
  do {
    for (int I = 0; I < 100000; ++I)
      Sum = Sum + I;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  } while (static_cast<double>(Now.tv_sec - Begin.tv_sec) +
               static_cast<double>(Now.tv_nsec - Begin.tv_nsec) * 1e-9 <
           Seconds);
}

KERNEL void serial() { work(0.2); }
KERNEL void part() { work(0.02); }

// CHECK: threads-asleep: 2 threads{{.*}} slept {{[0-9]+}} % of the window in nextRound (samples-asleep.cpp:[[# @LINE + 4]], {{.*}}) while serial ran on main ({{[0-9]+}} % of that time). Give these threads a part of serial
// HELPER-NOT: helper
static bool __attribute__((noinline)) nextRound(int Seen) {
  std::unique_lock<std::mutex> Held(Lock);
  Changed.wait(Held, [=] { return End || Round != Seen; });
  return !End;
}

static void pool() {
  for (int Seen = 0; nextRound(Seen);) {
    ++Seen;
    part();
    const std::lock_guard<std::mutex> Held(Lock);
    --Working;
    Changed.notify_all();
  }
}

static void __attribute__((noinline)) helper() {
  std::unique_lock<std::mutex> Held(Lock);
  Changed.wait(Held, [] { return End; });
}

int main() {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 2; ++I) {
    Threads.emplace_back(pool);
    Threads.emplace_back(helper);
  }
  for (int I = 0; I < 4; ++I) {
    serial();
    std::unique_lock<std::mutex> Held(Lock);
    ++Round;
    Working = 2;
    Changed.notify_all();
    Changed.wait(Held, [] { return !Working; });
  }
  {
    const std::lock_guard<std::mutex> Held(Lock);
    End = true;
  }
  Changed.notify_all();
  for (std::thread &Each : Threads)
    Each.join();
}
