// A memory-bound region of about 10 us is timed as long as it takes: 1,000 traced calls of a chase
// through memory against one 1,000-fold chase timed from outside. Stamps that do not wait for the
// region's loads (a bare rdtsc) read it far too short. The program tells what the latter says too,
// so that a machine on which this test could not fail is seen.
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
#include <utility>
#include <vector>

constexpr unsigned Steps = 100, Repeats = 1000, Rounds = 31;
struct alignas(64) Node {
  Node *Next;
};

__attribute__((always_inline)) static inline const Node *walk(const Node *At, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    At = At->Next;
  return At;
}
KERNEL const Node *chase(const Node *At) { return walk(At, Steps); }
__attribute__((noinline, annotate("seamscope.off"))) static const Node *chaseLong(const Node *At) {
  return walk(At, Steps * Repeats);
}
#if defined(__x86_64__)
/// What an unordered stamp would say.
__attribute__((noinline, annotate("seamscope.off"))) static const Node *
chaseUnordered(const Node *At, uint64_t &Ticks) {
  const uint64_t Begin = __builtin_ia32_rdtsc();
  At = walk(At, Steps);
  Ticks += __builtin_ia32_rdtsc() - Begin;
  return At;
}
#endif

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec * 1e9 + T.tv_nsec;
}

int main() {
  // One cycle through 256 MB in random order: no cache holds it, no prefetcher guesses it.
  std::vector<Node> Nodes(size_t{4} << 20);
  std::vector<uint32_t> Order(Nodes.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::mt19937 Random(1);
  for (size_t I = Order.size() - 1; I > 0; --I)
    std::swap(Order[I], Order[Random() % I]);
  for (size_t I = 0; I < Order.size(); ++I)
    Nodes[Order[I]].Next = &Nodes[Order[(I + 1) % Order.size()]];

  const Node *At = chaseLong(&Nodes[0]);
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    for (unsigned I = 0; I < Repeats; ++I)
      At = chase(At);
    const double Begin = now();
    At = chaseLong(At);
    std::printf("long %.0f\n", (now() - Begin) / Repeats);
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
