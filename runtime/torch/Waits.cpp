//===- Waits.cpp - times between operators in which a thread does not run --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Waits.h"

#include <algorithm>
#include <ctime>

namespace seamscope::bridge {
namespace {

int64_t nsOf(clockid_t Clock) {
  timespec Time{};
  clock_gettime(Clock, &Time);
  return int64_t{Time.tv_sec} * 1'000'000'000 + Time.tv_nsec;
}

uint32_t siteOfWaits() {
  static const uint32_t Site = [] {
    SeamscopeSpanSite Wait = {};
    Wait.kind = SEAMSCOPE_SITE_WAIT;
    Wait.name = "[thread not running]";
    return seamscope_span_site(&Wait);
  }();
  return Site;
}

} // namespace

Waits::Moment Waits::read(uint64_t Now) {
  return {Now, nsOf(CLOCK_MONOTONIC), nsOf(CLOCK_THREAD_CPUTIME_ID),
          Interruptions.load(std::memory_order_relaxed)};
}

/// For the clock's rate: the thread may lose the processor between two readings.
Waits::Moment Waits::readAtOnce() {
  for (unsigned Try = 0;; ++Try) {
    const int64_t BeginNs = nsOf(CLOCK_MONOTONIC);
    const Moment Here = read(seamscope_now());
    if (Try == 3 || nsOf(CLOCK_MONOTONIC) - BeginNs < LeastNs / 10)
      return Here;
  }
}

__attribute__((noinline, cold)) void Waits::look(uint64_t Now) {
  // Reading the processor time may let the kernel switch to another thread. Then the other clocks,
  // which were read before, are read again.
  const Moment Then = Last;
  Moment Here = LeastTicks ? read(Now) : readAtOnce();
  for (unsigned Try = 0; Try < 3 && LeastTicks; ++Try) {
    const uint64_t Late = seamscope_now();
    if (Late - Here.Ticks < LeastTicks)
      break;
    Here = read(Late);
  }
  Now = Here.Ticks;
  const int64_t WallNs = Here.WallNs - Then.WallNs;
  const bool Follows = Then.Ticks && Then.Interruption == Here.Interruption;
  if (Follows && WallNs < LeastNs)
    return; // too short to find the clock's rate
  Last = Here;
  if (!Follows)
    return;
  const double Rate = static_cast<double>(Here.Ticks - Then.Ticks) / static_cast<double>(WallNs);
  LeastTicks = static_cast<uint64_t>(static_cast<double>(LeastNs) * Rate);
  const uint64_t Recorded = seamscope_last_end();
  if (!Recorded || seamscope_in_kernel())
    return;
  // Kernels and marks may have been recorded since the last operator.
  const uint64_t From = std::max(Before, Recorded);
  const int64_t NotRunNs = WallNs - (Here.RunNs - Then.RunNs);
  // The time between the last look and the gap must be short, since the thread may have waited
  // there.
  if (Then.Ticks + LeastTicks < Before || From >= Now || Now - From < LeastTicks ||
      NotRunNs < LeastNs)
    return;
  const auto NotRun = static_cast<uint64_t>(static_cast<double>(NotRunNs) * Rate);
  SeamscopeSpan Wait = {};
  Wait.begin = From;
  Wait.end = std::min(Now, From + NotRun);
  Wait.site = siteOfWaits();
  Wait.sequence = -1;
  seamscope_span(&Wait);
}

} // namespace seamscope::bridge
