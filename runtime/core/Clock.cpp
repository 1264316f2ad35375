//===- Clock.cpp - ordered time stamps -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Clock.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#if SEAMSCOPE_HAS_TSC
#include <cpuid.h>
#endif

namespace seamscope::clock {

bool UseMonotonic = false;

uint64_t readClock(clockid_t Id) {
  timespec T;
  clock_gettime(Id, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000u + static_cast<uint64_t>(T.tv_nsec);
}

bool hasInvariantTsc() {
#if SEAMSCOPE_HAS_TSC
  unsigned A, B, C, D;
  if (!__get_cpuid(0x80000001, &A, &B, &C, &D) || !(D & 1u << 27)) // rdtscp
    return false;
  return __get_cpuid(0x80000007, &A, &B, &C, &D) && (D & 1u << 8); // invariant TSC
#else
  return false;
#endif
}

TscVerdict kernelVerdict() {
  char Sources[512];
  const int Fd = open("/sys/devices/system/clocksource/clocksource0/available_clocksource",
                      O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return TscVerdict::Unknown;
  const ssize_t Size = read(Fd, Sources, sizeof(Sources) - 1);
  close(Fd);
  if (Size <= 0)
    return TscVerdict::Unknown;
  Sources[Size] = 0;
  char *Rest = nullptr;
  for (const char *Name = strtok_r(Sources, " \n", &Rest); Name;
       Name = strtok_r(nullptr, " \n", &Rest))
    if (!strcmp(Name, "tsc"))
      return TscVerdict::Usable;
  return TscVerdict::Unstable;
}

format::ClockPair readPair(unsigned Tries) {
  format::ClockPair Best{};
  Best.WidthTicks = UINT64_MAX;
  for (unsigned I = 0; I < Tries; ++I) {
    const uint64_t Before = now();
    const uint64_t Monotonic = readClock(CLOCK_MONOTONIC);
    const uint64_t Realtime = readClock(CLOCK_REALTIME);
    const uint64_t After = now();
    if (After - Before < Best.WidthTicks)
      Best = {Before + (After - Before) / 2, Monotonic, Realtime, After - Before};
  }
  return Best;
}

uint64_t measureBias() {
  constexpr unsigned Count = 256;
  uint64_t Samples[Count];
  for (unsigned I = 0; I < Count; ++I) {
    const uint64_t Begin = now();
    const uint64_t Sample = now() - Begin;
    unsigned At = I;
    for (; At > 0 && Samples[At - 1] > Sample; --At)
      Samples[At] = Samples[At - 1];
    Samples[At] = Sample;
  }
  // Some counters advance in steps that are as long as this: the mean of the middle half.
  uint64_t Sum = 0;
  for (unsigned I = Count / 4; I < Count - Count / 4; ++I)
    Sum += Samples[I];
  return (Sum + Count / 4) / (Count / 2);
}

} // namespace seamscope::clock
