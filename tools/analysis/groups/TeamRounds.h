//===- TeamRounds.h - what each thread of a team did, call by call ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_TEAMROUNDS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_TEAMROUNDS_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace seamscope::tools {

/// What the threads of a team did in one call of a region, or at one turn in a loop of it.
struct TeamRound {
  struct Share {
    int32_t Thread = 0; ///< OpenMP thread number
    int64_t BusyNs = 0;
    int64_t WaitNs = 0; ///< for others, to the end of the call
  };
  std::vector<Share> Threads; ///< at least two
};

/// Which thread of a team had most to do, and in how many rounds.
struct BusiestThread {
  int32_t Thread = 0;
  size_t Rounds = 0, Won = 0;
  int64_t LostNs = 0;     ///< sum over rounds of what the mean thread lost to it
  double Undisturbed = 1; ///< its shortest rounds over the mean of all threads'

  /// Whether it is the same thread too often to be chance: a sign test over the rounds.
  bool isSystematic(size_t TeamSize) const;
};

/// \p Disturbed: other programs ran on the machine, and may have run in place of the thread.
BusiestThread busiestOf(const std::vector<TeamRound> &Rounds, bool Disturbed);

/// Finds the rounds of regions. Of sums (mode profile) nothing is known.
class TeamRounds {
public:
  explicit TeamRounds(const Trace &Input);

  /// One a call in which several threads had a part. Empty where calls cannot be told from each
  /// other (teams overlap, or only some parts were timed).
  std::vector<TeamRound> ofRegion(SiteId Region) const;
  /// One a turn where all threads of a call enter the loop equally often, else one a call.
  std::vector<TeamRound> ofLoop(SiteId Region, SiteId Loop) const;

private:
  using Call = std::vector<uint32_t>; ///< the parts
  std::vector<Call> callsOf(SiteId Region) const;

  const Trace &Input;
  std::vector<int64_t> WaitOf;                       ///< by event, of parts
  std::map<SiteId, std::vector<uint32_t>> PartsOf;   ///< by begin
  std::map<SiteId, std::vector<uint32_t>> EntriesOf; ///< of loops, by thread and begin
  std::vector<uint32_t> Waits;                       ///< by thread and begin
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAMROUNDS_H
