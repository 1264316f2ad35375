//===- TeamWaits.h - waits and tasks of a region's threads ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_TEAMWAITS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_TEAMWAITS_H

#include "analysis/core/Teams.h"
#include "analysis/core/Throttled.h"

#include <cstdint>
#include <map>
#include <vector>

namespace seamscope::tools {

/// What a thread did at one place.
struct TeamTime {
  uint64_t Calls = 0;   ///< timed calls
  int64_t Ns = 0;       ///< of these
  int64_t CallerNs = 0; ///< of Fork and Join, those of the threads that started the team
  UntimedCalls Untimed; ///< of a throttled wait: in the regions and threads that have timed ones
};

using TeamTimes = std::map<TeamThread, TeamTime>;

struct RegionTimes {
  std::map<SiteId, TeamTimes> Waits; ///< by place; without the tasks that ran meanwhile
  std::map<SiteId, TeamTimes> Tasks; ///< by body; without the waits and other tasks inside it
  /// From the begin of the call that starts the team to the begin of the thread's part of the
  /// region, and from the end of that part to the return of the call. Neither is part of the
  /// region's time.
  TeamTimes Fork, Join;
  /// Tasks, or other work, that threads ran between the end of their own part and the end of the
  /// team, with all that is inside them. Not part of Join.
  TeamTimes AtJoin;
  SiteId Start = 0;       ///< that call, if Fork has anything
  uint64_t Ambiguous = 0; ///< parts of threads that several such calls may have started
};

/// By region. What a thread does belongs to the innermost region that is open on it, whatever
/// function that is in. For calls recorded as sums (mode profile) the region is unknown: they are
/// left out. \p OfParts, if given, gets for each event that is a thread's part of a call its waits,
/// less the tasks that the thread ran for the region after the part.
std::map<SiteId, RegionTimes> teamWaits(const Trace &Input,
                                        std::vector<int64_t> *OfParts = nullptr);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAMWAITS_H
