//===- CollectiveRanks.h - the same collective on all ranks ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVERANKS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVERANKS_H

#include "analysis/core/Ranks.h"
#include "analysis/devices/Collectives.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// What one rank did in matched collectives. WaitNs and TransferNs add up to the durations.
struct CollectiveShare {
  uint64_t Calls = 0;
  int64_t WaitNs = 0;     ///< until the last rank of the collective had begun, or its own end
  int64_t TransferNs = 0; ///< the rest
  uint64_t TimesLast = 0; ///< collectives that this rank began last: the others waited for it
  int64_t CausedNs = 0;   ///< sum of the waits of all other ranks in these
};

/// Collectives of one kind in one group.
struct MatchedCollectives {
  CollectiveKind Kind = CollectiveKind::Other;
  bool OfHost = false;
  StringId Group = 0; ///< 0: the only group of the run
  StringId Ranks = 0; ///< "[0, 1]"; 0: not known
  uint64_t Count = 0;
  std::vector<CollectiveShare> Shares; ///< by input; without calls: not in the group
  // From the first rank's begin to the last's:
  int64_t SkewNs = 0;       ///< sum
  int64_t MedianSkewNs = 0; ///< nearest rank
  int64_t MaxSkewNs = 0;
};

struct CollectiveMatch {
  std::string NotAligned; ///< why times of different inputs do not compare; then Rows is empty
  std::vector<MatchedCollectives> Rows; ///< most waiting first
  std::vector<CollectiveShare> Shares;  ///< by input, of all Rows
  /// The calls of all Rows, as events, and how long each waited for the last rank; ns.
  std::vector<std::pair<uint32_t, int64_t>> Waits;
  // Calls that are in no row, each of one of these reasons:
  uint64_t UnknownGroup = 0; ///< the trace does not tell between whom it was
  uint64_t MissingRanks = 0; ///< ranks of the group are not among the inputs
  uint64_t OtherCounts =
      0; ///< the inputs have different numbers of them: not all recorded the same
  uint64_t Contradicted = 0; ///< ended on one rank before all had begun, where none can: they are
                             ///< not the same, or the clocks are not
  uint64_t BetweenTwo = 0;   ///< of send and receive the number says nothing of the other side
};

/// Matches the k-th collective of a kind in a group on each rank: all ranks of a group call its
/// collectives in one order, which NCCL and MPI demand. \p Inputs and \p NotAligned: as in the
/// RankReport of the common trace \p Whole. \p Found: findCollectives() of that.
CollectiveMatch matchCollectives(const Trace &Whole, const std::vector<RankInput> &Inputs,
                                 const std::string &NotAligned,
                                 const std::vector<Collective> &Found);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVERANKS_H
