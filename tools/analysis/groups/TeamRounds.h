//===- TeamRounds.h - what each thread of a team did, call by call ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_TEAMROUNDS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_TEAMROUNDS_H

#include "analysis/core/Teams.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace seamscope::tools {

/// What the threads of a team did in one call of a region, or in one turn of a loop in it.
struct TeamRound {
  struct Share {
    TeamThread Thread;
    int64_t BusyNs = 0;
    int64_t WaitNs = 0; ///< waiting for others, to the end of the call
  };
  std::vector<Share> Threads; ///< at least two
};

/// Which thread of a team had the most work, and in how many rounds.
struct BusiestThread {
  TeamThread Thread;
  size_t Rounds = 0, Won = 0; ///< of its team
  int64_t LostNs = 0;         ///< sum over rounds of the time that the mean thread lost to it
  double Undisturbed = 1;     ///< its shortest rounds over the mean of all threads' shortest rounds

  /// Whether it is the same thread too often for chance: a sign test over the rounds.
  bool isSystematic(size_t TeamSize) const;
};

/// \p Disturbed: other programs ran on the machine, perhaps in place of the thread.
BusiestThread busiestOf(const std::vector<TeamRound> &Rounds, bool Disturbed);

/// Finds the rounds of regions. Nothing is known for sums (mode profile).
class TeamRounds {
public:
  explicit TeamRounds(const Trace &Input);

  /// One round for each call in which several threads took part. Empty if calls cannot be told
  /// apart (teams overlap, or only some parts were timed).
  std::vector<TeamRound> ofRegion(SiteId Region) const;
  /// One round for each turn if all threads of a call enter the loop equally often, else one for
  /// each call.
  std::vector<TeamRound> ofLoop(SiteId Region, SiteId Loop) const;

private:
  using Call = std::vector<uint32_t>; ///< the parts
  std::vector<Call> callsOf(SiteId Region) const;
  std::vector<Call> callsByStart(const std::vector<uint32_t> &Parts) const;

  const Trace &Input;
  const Teams Links;
  std::vector<int64_t> WaitOf;                       ///< by event, for threads' parts
  std::map<SiteId, std::vector<uint32_t>> PartsOf;   ///< by begin
  std::map<SiteId, std::vector<uint32_t>> EntriesOf; ///< for loops, by thread and begin
  std::vector<uint32_t> Waits;                       ///< by thread and begin
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAMROUNDS_H
