//===- NestedTimes.h - what each call took itself, and what it is inside of -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_NESTEDTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_NESTEDTIMES_H

#include "analysis/core/HostNesting.h"

namespace seamscope::tools {

/// Calls of each track, inside each other where one contains the other. Each moment of a track
/// counts once, for the call that began last: the sum of OwnNs is what the tracks were busy, also
/// where calls overlap without one being inside the other.
struct NestedTimes {
  std::vector<uint32_t> Order;  ///< the events by track, outer ones before what is inside
  std::vector<uint32_t> Parent; ///< by event; NoEvent: none
  std::vector<int64_t> OwnNs;   ///< by event
};

/// \p Wanted: by site, whether its events count.
NestedTimes nestedTimes(const Trace &Input, const std::vector<bool> &Wanted);

/// By site, whether its events are calls. The one in which torch.profiler tells how long it
/// recorded is none.
std::vector<bool> sitesOfCalls(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_NESTEDTIMES_H
