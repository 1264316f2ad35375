//===- region.cpp - what one traced region costs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: region THREADS | region parallel
//
// Prints, in ns a call and net of an uninstrumented call: the floor (two ordered time stamps and a
// 16-byte store to a warm ring) and an instrumented empty function, on each of THREADS threads at
// once; or an empty OpenMP region. Medians of rounds that alternate. The same file is built for
// Seamscope, for XRay (-DXRAY_MODE="xray-fdr") and for uftrace (-pg): what is instrumented is the
// function `region` alone.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

#ifdef XRAY_MODE
#include <xray/xray_interface.h>
#include <xray/xray_log_interface.h>
#endif

#define OFF                                                                                        \
  __attribute__((noinline, no_instrument_function, annotate("seamscope.off"),                      \
                 xray_never_instrument))

__attribute__((noinline, annotate("seamscope.kernel"), xray_always_instrument)) static void
region() {
  asm volatile("" ::: "memory");
}
OFF static void plain() { asm volatile("" ::: "memory"); }

struct Record {
  uint64_t Begin;
  uint32_t Duration, Site;
};
alignas(64) static thread_local Record Ring[4096];

OFF static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
}

__attribute__((always_inline)) static inline uint64_t stamp() {
  uint32_t Low, High, Processor;
  asm volatile("rdtscp" : "=a"(Low), "=d"(High), "=c"(Processor)::"memory");
  return static_cast<uint64_t>(High) << 32 | Low;
}

OFF static void floorOf(Record &R) {
  const uint64_t Begin = stamp();
  asm volatile("" ::: "memory");
  const uint64_t End = stamp();
  R.Duration = static_cast<uint32_t>(End - Begin);
  R.Site = 1;
  __atomic_store_n(&R.Begin, Begin, __ATOMIC_RELEASE);
}

OFF static double nsOfPlain(unsigned Calls) {
  const double Begin = now();
  for (unsigned I = 0; I < Calls; ++I)
    plain();
  return (now() - Begin) / Calls;
}

OFF static double nsOfFloor(unsigned Calls) {
  Record *const Warm = Ring;
  const double Begin = now();
  for (unsigned I = 0; I < Calls; ++I)
    floorOf(Warm[I % 4096]);
  return (now() - Begin) / Calls;
}

OFF static double nsOfRegion(unsigned Calls) {
  const double Begin = now();
  for (unsigned I = 0; I < Calls; ++I)
    region();
  return (now() - Begin) / Calls;
}

OFF static double nsOfParallel(unsigned Calls) {
  const double Begin = now();
  for (unsigned I = 0; I < Calls; ++I) {
#ifdef _OPENMP
#pragma omp parallel
    {
      asm volatile("" ::: "memory");
    }
#endif
  }
  return (now() - Begin) / Calls;
}

OFF static double median(std::vector<double> &Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

struct Figures {
  double Floor, Region;
};
constexpr unsigned Rounds = 9;
static std::atomic<int> Arrived;

/// All threads begin each round together, so that none measures while another one rests.
OFF static void measure(int Threads, Figures *Result) {
  std::vector<double> Plain, Floor, Region;
#if defined(XRAY_MODE) || defined(FEW_CALLS)
  constexpr unsigned Calls = 200000; // what their buffers hold
#else
  constexpr unsigned Calls = 1000000;
#endif
  for (unsigned I = 0; I < Rounds; ++I) {
    Arrived.fetch_add(1);
    while (Arrived.load() < Threads * static_cast<int>(I + 1))
      ;
    Plain.push_back(nsOfPlain(Calls));
    Floor.push_back(nsOfFloor(Calls));
    Region.push_back(nsOfRegion(Calls));
  }
  const double Base = median(Plain);
  *Result = {median(Floor) - Base, median(Region) - Base};
}

OFF int main(int Count, char **Arguments) {
  if (Count > 1 && !std::strcmp(Arguments[1], "parallel")) {
    std::vector<double> Parallel;
    for (unsigned I = 0; I < Rounds; ++I)
      Parallel.push_back(nsOfParallel(100000));
    std::printf("{\"parallel\": %.2f}\n", median(Parallel));
    return 0;
  }
#ifdef XRAY_MODE
  // The mode alone, from the environment, installs a handler that keeps nothing.
  if (__xray_log_select_mode(XRAY_MODE) != XRAY_REGISTRATION_OK)
    return 1;
  if (__xray_log_init_mode(XRAY_MODE,
                           !std::strcmp(XRAY_MODE, "xray-fdr")
                               ? "buffer_size=1048576:buffer_max=128:func_duration_threshold_us=0"
                               : "func_duration_threshold_us=0:max_stack_depth=64") !=
      XRAY_LOG_INITIALIZED)
    return 1;
  __xray_patch();
#endif
  const int Threads = Count > 1 ? std::max(1, std::atoi(Arguments[1])) : 1;
  std::vector<Figures> All(Threads);
  std::vector<std::thread> Others;
  for (int I = 1; I < Threads; ++I)
    Others.emplace_back(measure, Threads, &All[I]);
  measure(Threads, &All[0]);
  for (std::thread &T : Others)
    T.join();
#ifdef XRAY_MODE
  __xray_unpatch();
  if (__xray_log_finalize() != XRAY_LOG_FINALIZED || __xray_log_flushLog() != XRAY_LOG_FLUSHED)
    return 1;
#endif
  Figures Mean = {};
  for (const Figures &F : All) {
    Mean.Floor += F.Floor / Threads;
    Mean.Region += F.Region / Threads;
  }
  std::printf("{\"floor\": %.2f, \"region\": %.2f}\n", Mean.Floor, Mean.Region);
}
