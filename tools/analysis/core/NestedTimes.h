//===- NestedTimes.h - self times of calls, and their nesting ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_NESTEDTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_NESTEDTIMES_H

#include "analysis/core/HostNesting.h"
#include "analysis/samples/ThreadTimes.h"

namespace seamscope::tools {

/// Calls of each track, nested where one contains the other. Each moment of a track counts once,
/// for the call that began last: the sum of OwnNs and Off is the time of the tracks in calls, even
/// if calls overlap without nesting.
struct NestedTimes {
  std::vector<uint32_t> Order;  ///< the events by track, outer ones before what is inside
  std::vector<uint32_t> Parent; ///< by event; NoEvent: none
  std::vector<int64_t> OwnNs;   ///< by event
  /// By event, the time in which its thread did not run, except in waits for a team, which are not
  /// work anyway; empty: not known of any thread.
  std::vector<OffTime> Off;
};

/// \p Wanted: by site, whether its events count.
NestedTimes nestedTimes(const Trace &Input, const std::vector<bool> &Wanted);

/// By site, whether its events are calls. The event in which torch.profiler says how long it
/// recorded is not.
std::vector<bool> sitesOfCalls(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_NESTEDTIMES_H
