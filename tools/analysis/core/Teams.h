//===- Teams.h - which call started the team of a region's thread -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_TEAMS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_TEAMS_H

#include "analysis/core/HostNesting.h"
#include "trace/model/Trace.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// Whether events of the site are calls that start a team. Such a call is a wait: it returns when
/// all threads of the team are done.
bool startsTeam(const Trace &Input, const Site &What);

/// A thread of a region. Teams that run at the same time have the same thread numbers.
struct TeamThread {
  static constexpr int32_t OneTeam = -1, Unknown = -2;

  int32_t Team = OneTeam; ///< number among the region's teams
  int32_t Number = -1;    ///< OpenMP's thread number; -1: not recorded

  auto operator<=>(const TeamThread &) const = default;
};

/// Joins the threads' parts of regions with the calls that started their teams. A worker's part
/// belongs to the call of its region that was under way, which has one part with that number. If
/// that leaves several, it belongs to the thread for which the worker always works otherwise.
///
/// A region has several teams if threads that it belongs to run at the same time: those of a
/// league (`teams`), of a region around it, or threads that the program made. Teams are numbered
/// by the threads that started them. Threads of the program that ended before others began share
/// a number.
class Teams {
public:
  explicit Teams(const Trace &Input);

  /// The call that started the team of a part; NoEvent: it is not in the trace, or isAmbiguous().
  uint32_t startOf(uint32_t Part) const { return at(Starts, Part); }
  /// Whether several calls may have started the team of a part.
  bool isAmbiguous(uint32_t Part) const { return std::ranges::binary_search(Ambiguous, Part); }

  /// The thread that ran a part.
  TeamThread thread(uint32_t Part) const;

  /// The part whose team \p Event, a task, kernel or loop, worked for after the part: it ran on the
  /// part's thread between the end of the part and the end of the team, inside nothing else.
  /// NoEvent: there is none.
  uint32_t endedPart(uint32_t Event) const { return at(Ended, Event); }

private:
  friend class TeamFinder;

  const EventColumns &Events;

  static uint32_t at(const std::vector<uint32_t> &Column, uint32_t Event) {
    return Column.empty() ? NoEvent : Column[Event];
  }

  std::vector<uint32_t> Starts;    ///< by event; empty: no call that starts a team
  std::vector<uint32_t> Ended;     ///< the same
  std::vector<uint32_t> Ambiguous; ///< parts, sorted
  std::vector<int32_t> TeamOf;     ///< by event, for parts; empty: each region has one team
  std::vector<bool> IsLeague;      ///< by site, for regions whose threads are teams
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAMS_H
