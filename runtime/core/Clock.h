//===- Clock.h - ordered time stamps ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ticks are the invariant TSC read by rdtscp, which waits for all older instructions: a bare rdtsc
// at the end of a memory-bound region reads while the region's loads are still in flight.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_CLOCK_H
#define SEAMSCOPE_CORE_CLOCK_H

#include "core/Platform.h"
#include "format/Spool.h"

#include <ctime>

#if defined(__x86_64__)
#define SEAMSCOPE_HAS_TSC 1
#else
#define SEAMSCOPE_HAS_TSC 0
#endif

namespace seamscope::clock {

/// Whether ticks are nanoseconds of CLOCK_MONOTONIC because there is no usable TSC, or because
/// SEAMSCOPE_CLOCK says so. Set once, before the first stamp.
extern bool UseMonotonic;

/// Reads a system clock, in ns. Not inline, so that callers reserve no stack for it.
uint64_t readClock(clockid_t Id);

/// The TSC now, after all older instructions; without a TSC, CLOCK_MONOTONIC.
inline uint64_t readTsc() {
#if SEAMSCOPE_HAS_TSC
  uint32_t Low, High, Processor;
  // "memory": the region's accesses must stay on their side of the stamp.
  asm volatile("rdtscp" : "=a"(Low), "=d"(High), "=c"(Processor)::"memory");
  return static_cast<uint64_t>(High) << 32 | Low;
#else
  return readClock(CLOCK_MONOTONIC);
#endif
}

/// The tick counter now, after all older instructions.
inline uint64_t now() {
  return SEAMSCOPE_LIKELY(!UseMonotonic) ? readTsc() : readClock(CLOCK_MONOTONIC);
}

/// Whether the processor has rdtscp and a TSC with the same rate in every state.
bool hasInvariantTsc();

/// The kernel's judgement of the TSC, which it compares with other clocks all the time.
enum class TscVerdict {
  Unknown, ///< there is no sysfs
  Usable,  ///< the kernel offers the TSC as a clock source
  Unstable ///< it does not: it drifted from other clocks or processors, or was ruled out at boot
};
TscVerdict kernelVerdict();

/// Ticks and both clocks at one moment: the narrowest of \p Tries bracketed readings.
format::ClockPair readPair(unsigned Tries);

/// The median of the ticks between the stamps of an empty region: the cost of the stamps.
uint64_t measureBias();

} // namespace seamscope::clock
#endif // SEAMSCOPE_CORE_CLOCK_H
