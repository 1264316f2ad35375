// What each thread of a test says of itself: when it was measured, and its processor time then.
#pragma once
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

static inline uint64_t readClock(clockid_t Id) {
  timespec T;
  clock_gettime(Id, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 + static_cast<uint64_t>(T.tv_nsec);
}

class CpuTime {
public:
  explicit CpuTime(const char *Name) : Name(Name) {}
  ~CpuTime() {
    const uint64_t Cpu = readClock(CLOCK_THREAD_CPUTIME_ID) - CpuNs,
                   End = readClock(CLOCK_MONOTONIC);
    printf("%s %d %ld %llu %llu %llu\n", Name, getpid(), syscall(SYS_gettid),
           static_cast<unsigned long long>(BeginNs), static_cast<unsigned long long>(End),
           static_cast<unsigned long long>(Cpu));
    fflush(stdout);
  }

private:
  const char *Name;
  uint64_t BeginNs = readClock(CLOCK_MONOTONIC), CpuNs = readClock(CLOCK_THREAD_CPUTIME_ID);
};

/// Uses the processor for so long.
static inline void compute(double Ms) {
  const uint64_t End = readClock(CLOCK_THREAD_CPUTIME_ID) + static_cast<uint64_t>(Ms * 1e6);
  volatile double X = 1;
  while (readClock(CLOCK_THREAD_CPUTIME_ID) < End)
    for (int I = 0; I < 2000; ++I)
      X = X * 1.0000001;
}
