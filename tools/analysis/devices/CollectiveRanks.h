//===- CollectiveRanks.h - the same collective on all ranks ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVERANKS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVERANKS_H

#include "analysis/core/Ranks.h"
#include "analysis/devices/RankCalls.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// What one rank did in matched collectives. WaitNs and TransferNs add up to the durations.
struct CollectiveShare {
  uint64_t Calls = 0;
  /// Time until the last rank of the collective had begun, or until its own end.
  int64_t WaitNs = 0;
  int64_t TransferNs = 0; ///< the rest
  /// Collectives that this rank began last, so that the others waited for it.
  uint64_t TimesLast = 0;
  int64_t CausedNs = 0; ///< sum of the other ranks' waits in these
  /// How far WaitNs and CausedNs may be off since clocks are known only so well. Nothing: not
  /// known.
  std::optional<int64_t> WaitErrorNs = 0, CausedErrorNs = 0;

  void add(const CollectiveShare &Other);
};

/// Collectives of one kind in one group.
struct MatchedCollectives {
  CollectiveKey Of;
  uint64_t Count = 0;
  std::vector<CollectiveShare> Shares; ///< by input; without calls: the input is not in the group
  // From the first rank's begin to the last's:
  int64_t SkewNs = 0;       ///< sum
  int64_t MedianSkewNs = 0; ///< nearest rank
  int64_t MaxSkewNs = 0;
  std::optional<int64_t> SkewErrorNs; ///< of each, by the errors of clocks; nothing: not known
};

struct CollectiveMatch {
  std::string NotAligned; ///< why times of no two inputs can be compared; then Rows is empty
  std::vector<MatchedCollectives> Rows; ///< most waiting first
  std::vector<CollectiveShare> Shares;  ///< by input, over all Rows
  /// The calls of all Rows, as events, and how long each waited for the last rank; ns.
  std::vector<std::pair<uint32_t, int64_t>> Waits;
  /// Calls without a group that are in Rows, since all ranks called the same ones in one order.
  uint64_t ByOrder = 0;
  // Calls that are in no row, each counted under one of these reasons:
  uint64_t UnknownGroup = 0; ///< the trace does not say which ranks took part
  uint64_t MissingRanks = 0; ///< ranks of the group are not among the inputs
  uint64_t OtherCounts =
      0; ///< the inputs have different numbers of them: not all were recorded equally
  uint64_t OtherSizes = 0;  ///< the inputs have as many, of different sizes
  uint64_t OtherClocks = 0; ///< the clocks of their ranks are not known to compare
  /// Ended on one rank before all had begun, which is impossible for its kind: the calls do not
  /// belong together, or the clocks differ.
  uint64_t Contradicted = 0;
  uint64_t BetweenTwo = 0; ///< the number of a send or receive does not identify the other side
};

/// Matches the k-th collective of a kind in a group on all ranks, and compares their times where
/// their clocks do. \p Ranks: of the common trace \p Whole, its Inputs, Clocks and NotAligned. \p
/// Found: findCollectives() of that trace.
CollectiveMatch matchCollectives(const Trace &Whole, const RankReport &Ranks,
                                 const std::vector<Collective> &Found);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVERANKS_H
