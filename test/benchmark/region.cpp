//===- region.cpp - the cost of one traced region -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: region THREADS | region parallel | region tiny | region adjacent
//
// Prints, in ns a call and net of an uninstrumented call: the floor (two ordered time stamps and a
// 16-byte store to a warm ring) and an instrumented empty function, on each of THREADS threads at
// once, each on a processor of its own; or what tracing adds to an empty OpenMP region; or the time
// of a function of some 200 ns, plain and traced; or what tracing adds at each border between loops
// in a row (compiled with loops=1), and what a stamp there adds. The figures are medians of
// alternating rounds. Also prints the number of instrumented calls, which all must be recorded.
//
// The same file is built for Seamscope, for XRay (-DXRAY_MODE="xray-fdr") and for uftrace (-pg):
// only the function `region` is instrumented.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sched.h>
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

OFF static double median(std::vector<double> &Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

constexpr unsigned Rounds = 15;

template <typename FnT> OFF static double nsOf(unsigned Calls, FnT *Fn) {
  const double Begin = now();
  for (unsigned I = 0; I < Calls; ++I)
    Fn();
  return (now() - Begin) / Calls;
}

#define TINY                                                                                       \
  for (int I = 0; I < 250; ++I)                                                                    \
  asm volatile("" : "+r"(I)::"memory")
OFF static void tinyPlain() { TINY; }
__attribute__((noinline, annotate("seamscope.kernel"))) static void tinyTraced() { TINY; }

OFF static void measureTiny() {
  constexpr unsigned Calls = 200000;
  std::vector<double> Plain, Traced;
  for (unsigned I = 0; I < Rounds; ++I) {
    Plain.push_back(nsOf(Calls, tinyPlain));
    Traced.push_back(nsOf(Calls, tinyTraced));
  }
  std::printf("{\"plain\": %.2f, \"traced\": %.2f, \"calls\": %u}\n", median(Plain), median(Traced),
              Rounds * Calls);
}

// One loop, and nine in a row whose borders have nothing, a stamp, or what the pass inserts. The
// compiler does not know the number of iterations.
static volatile int Iterations = 4;
#define SHORT_LOOP(Border)                                                                         \
  for (int I = 0; I < N; ++I)                                                                      \
    asm volatile("" ::: "memory");                                                                 \
  Border
#define EIGHT(Border)                                                                              \
  SHORT_LOOP(Border)                                                                               \
  SHORT_LOOP(Border)                                                                               \
  SHORT_LOOP(Border)                                                                               \
  SHORT_LOOP(Border) SHORT_LOOP(Border) SHORT_LOOP(Border) SHORT_LOOP(Border) SHORT_LOOP(Border)
OFF static void onePlain() {
  const int N = Iterations;
  SHORT_LOOP()
}
OFF static void ninePlain() {
  const int N = Iterations;
  EIGHT() SHORT_LOOP()
}
OFF static void oneStamped() {
  const int N = Iterations;
  stamp();
  SHORT_LOOP(stamp();)
}
OFF static void nineStamped() {
  const int N = Iterations;
  stamp();
  EIGHT(stamp();) SHORT_LOOP(stamp();)
}
__attribute__((noinline, annotate("seamscope.kernel"))) static void oneTraced() {
  const int N = Iterations;
  SHORT_LOOP()
}
__attribute__((noinline, annotate("seamscope.kernel"))) static void nineTraced() {
  const int N = Iterations;
  EIGHT() SHORT_LOOP()
}

OFF static void measureAdjacent() {
  constexpr unsigned Calls = 20000;
  std::vector<double> Stamped, Traced;
  for (unsigned I = 0; I < Rounds; ++I) {
    const double Plain = nsOf(Calls, ninePlain) - nsOf(Calls, onePlain);
    Stamped.push_back((nsOf(Calls, nineStamped) - nsOf(Calls, oneStamped) - Plain) / 8);
    Traced.push_back((nsOf(Calls, nineTraced) - nsOf(Calls, oneTraced) - Plain) / 8);
  }
  std::printf("{\"stamp\": %.2f, \"traced\": %.2f, \"calls\": %u}\n", median(Stamped),
              median(Traced), Rounds * Calls);
}

#ifdef _OPENMP
// Two equal functions, of which the pass leaves one alone. They alternate in one process, since the
// time of a fork and join differs between processes by more than what tracing adds.
OFF static void parallelPlain() {
#pragma omp parallel
  {
    asm volatile("" ::: "memory");
  }
}
__attribute__((noinline)) static void parallelTraced() {
#pragma omp parallel
  {
    asm volatile("" ::: "memory");
  }
}

OFF static void measureParallel() {
  constexpr unsigned Calls = 20000;
  std::vector<double> Plain, Added;
  for (unsigned I = 0; I < Rounds; ++I) {
    const double First = nsOf(Calls, parallelPlain);
    const double Traced = nsOf(Calls, parallelTraced);
    const double Last = nsOf(Calls, parallelPlain);
    Plain.push_back((First + Last) / 2);
    Added.push_back(Traced - Plain.back());
  }
  std::printf("{\"plain\": %.2f, \"added\": %.2f, \"calls\": %u}\n", median(Plain), median(Added),
              Rounds * Calls);
}
#endif

struct Figures {
  double Floor, Region;
};
// As many calls as fit into XRay's buffers.
constexpr unsigned Calls = 200000;
static std::atomic<unsigned> Arrived;

/// Gives each thread a processor if there are enough, counted from the last: the first ones serve
/// more of the machine's interrupts.
OFF static void pin(unsigned Thread) {
  cpu_set_t Allowed, One;
  if (sched_getaffinity(0, sizeof Allowed, &Allowed) != 0)
    return;
  CPU_ZERO(&One);
  for (int I = CPU_SETSIZE; I-- > 0;)
    if (CPU_ISSET(I, &Allowed) && Thread-- == 0) {
      CPU_SET(I, &One);
      sched_setaffinity(0, sizeof One, &One);
      return;
    }
}

/// Waits for all threads, so that none measures while another one rests.
OFF static void rendezvous(unsigned Threads) {
  const unsigned Turn = Arrived.fetch_add(1) / Threads + 1;
  while (Arrived.load() < Turn * Threads)
    ;
}

OFF static void measure(unsigned Thread, unsigned Threads, Figures *Result) {
  std::vector<double> Plain, Floor, Region;
  pin(Thread);
  for (unsigned I = 0; I < Rounds; ++I) {
    rendezvous(Threads);
    Plain.push_back(nsOfPlain(Calls));
    rendezvous(Threads);
    Floor.push_back(nsOfFloor(Calls));
    rendezvous(Threads);
    Region.push_back(nsOfRegion(Calls));
  }
  const double Base = median(Plain);
  *Result = {median(Floor) - Base, median(Region) - Base};
}

OFF int main(int Count, char **Arguments) {
#ifdef _OPENMP
  if (Count > 1 && !std::strcmp(Arguments[1], "parallel")) {
    measureParallel();
    return 0;
  }
#endif
  if (Count > 1 && !std::strcmp(Arguments[1], "tiny")) {
    measureTiny();
    return 0;
  }
  if (Count > 1 && !std::strcmp(Arguments[1], "adjacent")) {
    measureAdjacent();
    return 0;
  }
  const int Threads = Count > 1 ? std::atoi(Arguments[1]) : 0;
  if (Threads < 1) {
    std::fprintf(stderr,
                 "usage: region THREADS | region parallel | region tiny | region adjacent\n");
    return 2;
  }
  std::vector<Figures> All(Threads);
  std::vector<std::thread> Others;
  // Started before this thread is pinned, since they inherit its processors.
  for (int I = 1; I < Threads; ++I)
    Others.emplace_back(measure, I, Threads, &All[I]);
#ifdef XRAY_MODE
  // With the environment alone, the mode would install a handler that keeps nothing.
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
  measure(0, Threads, &All[0]);
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
  std::printf("{\"floor\": %.2f, \"region\": %.2f, \"calls\": %u}\n", Mean.Floor, Mean.Region,
              Rounds * Calls * Threads);
}
