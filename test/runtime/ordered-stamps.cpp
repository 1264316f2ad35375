// Stamps wait for earlier loads.
//
// The end stamp: a memory-bound region of about 10 us gets its full time; 1,000 traced calls of a
// chase through memory are compared with one 1,000-fold chase timed from outside. A bare rdtsc does
// not wait for the region's loads and reads far too little. The program prints that value, to show
// a machine on which this test could not fail.
//
// The begin stamp: an empty region right after such an untraced chase takes almost no time. With a
// bare rdtsc at its begin it would get the chase's time.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o %t/program
// RUN: %python %S/Inputs/check-chase.py %t/k.json %t/program
#include "kernel-mark.h"
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>
#include <unistd.h>
#include <utility>
#include <vector>

// At most as many steps as a processor has loads in flight (72 in an older one): with more, even a
// bare rdtsc would have to wait.
constexpr unsigned Steps = 64, Repeats = 1000, Rounds = 31;
struct alignas(64) Node {
  Node *Next;
};

__attribute__((always_inline)) static inline const Node *walk(const Node *At, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    At = At->Next;
  return At;
}
KERNEL const Node *chase(const Node *At) { return walk(At, Steps); }
KERNEL void empty() { asm volatile("" ::: "memory"); }
__attribute__((noinline, annotate("seamscope.off"))) static const Node *chaseLong(const Node *At) {
  return walk(At, Steps * Repeats);
}
#if defined(__x86_64__)
/// The time by an unordered stamp.
__attribute__((noinline, annotate("seamscope.off"))) static const Node *
chaseUnordered(const Node *At, uint64_t &Ticks) {
  const uint64_t Begin = __builtin_ia32_rdtsc();
  At = walk(At, Steps);
  Ticks += __builtin_ia32_rdtsc() - Begin;
  return At;
}
#endif
__attribute__((noinline, annotate("seamscope.off"))) static const Node *
chaseThenEmpty(const Node *At) {
  At = walk(At, Steps / 4);
  empty();
  return At;
}

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec * 1e9 + T.tv_nsec;
}

/// 256 MB, or more if the last cache is large: the cached part of the cycle must not matter.
static size_t nodes() {
  size_t Bytes = size_t{256} << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
  const long Cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  while (Cache > 0 && Bytes < 6 * static_cast<size_t>(Cache) && Bytes < size_t{1} << 30)
    Bytes *= 2;
#endif
  return Bytes / sizeof(Node);
}

int main() {
  // One cycle in random order, which prefetchers cannot predict.
  std::vector<Node> Nodes(nodes());
  std::vector<uint32_t> Order(Nodes.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::mt19937 Random(1);
  for (size_t I = Order.size() - 1; I > 0; --I)
    std::swap(Order[I], Order[Random() % (I + 1)]);
  for (size_t I = 0; I < Order.size(); ++I)
    Nodes[Order[I]].Next = &Nodes[Order[(I + 1) % Order.size()]];

  const Node *At = chaseLong(&Nodes[0]);
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    for (unsigned I = 0; I < Repeats; ++I)
      At = chase(At);
    const double Begin = now();
    At = chaseLong(At);
    std::printf("long %.0f\n", (now() - Begin) / Repeats);
    for (unsigned I = 0; I < Repeats; ++I)
      At = chaseThenEmpty(At);
#if defined(__x86_64__)
    uint64_t Ticks = 0;
    const double Outside = now();
    const uint64_t First = __builtin_ia32_rdtsc();
    for (unsigned I = 0; I < Repeats; ++I)
      At = chaseUnordered(At, Ticks);
    const double Tick = (now() - Outside) / static_cast<double>(__builtin_ia32_rdtsc() - First);
    std::printf("unordered %.0f\n", static_cast<double>(Ticks) * Tick / Repeats);
#endif
  }
  return At == nullptr;
}
