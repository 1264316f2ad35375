// What a thread that is blocked for long waits in: the system call, its arguments, and the stack,
// in which the return address into the program is found. No descriptor of the program's is used for
// it.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a -pthread
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=t.json ./a > lines
// RUN: %python %S/Inputs/check-waits.py %t/lines %t/t.json %t/a | FileCheck %s
// REQUIRES: llvm-22, samples
// CHECK: 5 threads wait in the right calls
#include "Inputs/kernel.h"
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

/// The reader of waits looks after 50 ms, and every 50 ms.
constexpr int LongMs = 400;

/// A call whose result is used is not a jump, and so has a return address.
static volatile int Result;

static void expect(const char *Name, long Call) {
  printf("%s %ld %ld\n", Name, syscall(SYS_gettid), Call);
  fflush(stdout);
}

__attribute__((noinline)) static void waitForTurn(std::condition_variable &Turn, std::mutex &Lock) {
  std::unique_lock<std::mutex> Guard(Lock);
  Turn.wait_for(Guard, std::chrono::milliseconds(LongMs), [] { return false; });
  asm volatile("");
}

int main() {
  kernel();
  int Pipe[2];
  if (pipe(Pipe))
    return 1;
  std::vector<std::thread> Threads;
  Threads.emplace_back([] {
    expect("condition", SYS_futex);
    std::mutex Lock;
    std::condition_variable Turn;
    waitForTurn(Turn, Lock);
  });
  Threads.emplace_back([] {
    expect("poll", SYS_poll);
    Result = poll(nullptr, 0, LongMs);
  });
  Threads.emplace_back([] {
    expect("sleep", SYS_clock_nanosleep);
    const timespec Long = {0, LongMs * 1000000};
    Result = clock_nanosleep(CLOCK_MONOTONIC, 0, &Long, nullptr);
  });
  Threads.emplace_back([&] {
    expect("read", SYS_read);
    char C;
    if (read(Pipe[0], &C, 1) != 1)
      abort();
  });
  Threads.emplace_back([] {
    expect("join", SYS_futex);
    std::thread([] { usleep(LongMs * 1000); }).join();
  });
  // Meanwhile, the lowest descriptor stays free.
  const int Lowest = dup(0);
  close(Lowest);
  for (int I = 0; I < LongMs * 1000; ++I) {
    const int Fd = dup(0);
    if (Fd != Lowest)
      return 2;
    close(Fd);
    if (I % 1000 == 0)
      usleep(1000);
  }
  if (write(Pipe[1], "x", 1) != 1)
    return 3;
  for (std::thread &Each : Threads)
    Each.join();
}
