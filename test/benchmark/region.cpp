//===- region.cpp - what one traced region costs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints, in ns a call and net of an uninstrumented call: the floor (two ordered time stamps and a
// 16-byte store to a warm ring) and an instrumented empty function; or, with the argument
// `parallel`, an empty OpenMP region. Medians of rounds that alternate.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#define OFF __attribute__((noinline, annotate("seamscope.off")))

__attribute__((noinline, annotate("seamscope.kernel"))) static void region() {
  asm volatile("" ::: "memory");
}
OFF static void plain() { asm volatile("" ::: "memory"); }

struct Record {
  uint64_t Begin;
  uint32_t Duration, Site;
};
alignas(64) static Record Ring[4096];

static inline uint64_t stamp() {
  uint32_t Low, High, Processor;
  asm volatile("rdtscp" : "=a"(Low), "=d"(High), "=c"(Processor)::"memory");
  return static_cast<uint64_t>(High) << 32 | Low;
}

OFF static void floor(unsigned I) {
  const uint64_t Begin = stamp();
  asm volatile("" ::: "memory");
  const uint64_t End = stamp();
  Record &R = Ring[I % 4096];
  R.Duration = static_cast<uint32_t>(End - Begin);
  R.Site = 1;
  __atomic_store_n(&R.Begin, Begin, __ATOMIC_RELEASE);
}

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
}

template <typename FnT> OFF static double nsOf(unsigned Calls, FnT Call) {
  const double Begin = now();
  for (unsigned I = 0; I < Calls; ++I)
    Call(I);
  return (now() - Begin) / Calls;
}

static double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

int main(int Count, char **) {
  constexpr int Rounds = 9;
  if (Count > 1) {
    std::vector<double> Parallel;
    for (int I = 0; I < Rounds; ++I)
      Parallel.push_back(nsOf(100000, [](unsigned) {
#pragma omp parallel
        {
          asm volatile("" ::: "memory");
        }
      }));
    std::printf("{\"parallel\": %.2f}\n", median(Parallel));
    return 0;
  }
  std::vector<double> Plain, Floor, Region;
  for (int I = 0; I < Rounds; ++I) {
    constexpr unsigned Calls = 1000000;
    Plain.push_back(nsOf(Calls, [](unsigned) { plain(); }));
    Floor.push_back(nsOf(Calls, [](unsigned J) { floor(J); }));
    Region.push_back(nsOf(Calls, [](unsigned) { region(); }));
  }
  const double Base = median(Plain);
  std::printf("{\"floor\": %.2f, \"region\": %.2f}\n", median(Floor) - Base, median(Region) - Base);
}
