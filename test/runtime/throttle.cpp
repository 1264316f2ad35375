// Calls of a site that is called very often are counted, and one in some is timed. The counts stay
// exact, on each thread, in both modes. Regions, and functions whose time is in a few of their calls,
// are never throttled; `off` records every call.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%include %s %link-runtime -o program -pthread
// RUN: timeout 200 %python %S/Inputs/throttle.py %seamscope ./program
// REQUIRES: llvm-22
#include <cstdio>
#include <cstdlib>
#include <thread>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

static KERNEL void tiny(int N) {
  for (int I = 0; I < N; ++I)
    asm volatile("" ::: "memory");
}

/// Called once; has only calls of tiny.
static KERNEL void many(int Calls) {
  for (int I = 0; I < Calls; ++I)
    tiny(20);
}

/// Half of its time is its own.
static KERNEL void half(int Calls) {
  for (int I = 0; I < Calls; ++I) {
    tiny(20);
    for (int J = 0; J < 20; ++J)
      asm volatile("" ::: "memory");
  }
}

static int RecursiveCalls;
static KERNEL void recursive(int Depth) {
  ++RecursiveCalls;
  for (int I = 0; I < 2 && Depth; ++I)
    recursive(Depth - 1);
  for (int I = 0; I < 100; ++I)
    asm volatile("" ::: "memory");
}

static KERNEL void recursing(int Times) {
  for (int I = 0; I < Times; ++I)
    recursive(9);
}

/// Most calls are as short as possible, a few have most of the time: even in an emulator, whose
/// stamps add 0.2 us to each call.
static KERNEL void uneven(int N) {
  for (int I = 0; I < N; ++I)
    asm volatile("" ::: "memory");
}

/// Called often, but not short.
static KERNEL void longer() {
  for (int I = 0; I < 40000; ++I)
    asm volatile("" ::: "memory");
}

int main(int Count, char **Arguments) {
  const int Calls = Count > 1 ? std::atoi(Arguments[1]) : 1000000;
  many(Calls);
  std::thread Other(half, Calls / 2);
  Other.join();
  recursing(200);
  for (int I = 0; I < 60000; ++I)
    uneven(I % 50 ? 20 : 16000);
  for (int I = 0; I < 2000; ++I)
    longer();
  std::printf("tiny=%d recursive=%d uneven=60000 longer=2000\n", Calls + Calls / 2, RecursiveCalls);
}
