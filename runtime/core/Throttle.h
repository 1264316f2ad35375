//===- Throttle.h - times only some calls of hot sites -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that takes some ns and is called millions of times a second would take several times
// as long if each call were timed. If recording takes more than 1/50 of a thread's time, the sites
// that cause most of it are throttled on that thread: all calls are counted, and one in many is
// timed.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_THROTTLE_H
#define SEAMSCOPE_CORE_THROTTLE_H

#include "core/ThreadState.h"

namespace seamscope {

/// The SeamscopeSite::throttle of a site. Only with Process::Lock held.
uint32_t throttleOf(uint32_t Site);

/// This thread's entry of the site whose SeamscopeSite::throttle is \p Offset. The thread must have
/// countdowns.
inline format::ThrottleEntry &throttleEntryAt(uint32_t Offset) {
  return *reinterpret_cast<format::ThrottleEntry *>(ThisThread.Throttles + Offset -
                                                    offsetof(format::ThrottleEntry, Countdown));
}

/// Begins the next countdown of \p Site. Does not change the count of calls, even if a signal
/// handler counts meanwhile.
void beginCountdown(format::ThrottleEntry &Entry, uint32_t Site);

/// Throttles the sites that fill most of this thread's block of records, which is full. Only under
/// SignalBlocker.
void throttleByRecords();

/// In mode profile, a site is checked after each CallsPerCheck calls.
constexpr uint64_t CallsPerCheck = 1u << 14;

/// Throttles the site of \p Sums on this thread if its calls are many and short.
SEAMSCOPE_COLD void throttleBySums(const format::SiteProfile &Sums, uint64_t Now);

/// Ends throttling on all threads: from now on every call is timed, unless the user chose a number.
void timeAllCalls();

/// Ends throttling on this thread, since a mirror must be notified of all calls.
inline void endThrottles() { ThisThread.Throttles = nullptr; }

} // namespace seamscope
#endif // SEAMSCOPE_CORE_THROTTLE_H
