//===- Waits.cpp - stretches between operators in which a thread does not run =//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Waits.h"

#include "seamscope/spans.h"

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

/// Of the clock behind Now.Ticks; 0: too little time went by to tell.
double Waits::ticksPerNs(const Moment &Now) {
  static const Moment First = Now;
  constexpr int64_t EnoughNs = 10'000'000;
  const int64_t Ns = Now.WallNs - First.WallNs;
  return Ns < EnoughNs ? 0 : static_cast<double>(Now.Ticks - First.Ticks) / static_cast<double>(Ns);
}

__attribute__((noinline, cold)) void Waits::look(uint64_t Now) {
  const Moment Then = Last;
  Last = read(Now);
  const double Rate = ticksPerNs(Last);
  if (Rate <= 0)
    return;
  LeastTicks = static_cast<uint64_t>(static_cast<double>(LeastNs) * Rate);
  const uint64_t Recorded = seamscope_last_end();
  if (!Then.Ticks || Then.Interruption != Last.Interruption || !Recorded || seamscope_in_kernel())
    return;
  // Kernels and marks that others record lie between operators, too.
  const uint64_t From = std::max(Before, Recorded);
  const int64_t NotRunNs = Last.WallNs - Then.WallNs - (Last.RunNs - Then.RunNs);
  if (From >= Now || Now - From < LeastTicks || NotRunNs < LeastNs)
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
