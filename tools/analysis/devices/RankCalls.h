//===- RankCalls.h - collectives of ranks, matched by order ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needs no clock that ranks have in common: all ranks of a group call its collectives in one
// order, as NCCL and MPI require.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_RANKCALLS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_RANKCALLS_H

#include "analysis/devices/Collectives.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// Whether no rank can have the whole result before all ranks have begun.
bool needsAll(CollectiveKind Kind);

/// A collective on one rank.
struct RankCall {
  int64_t BeginNs = 0, EndNs = 0;
  int64_t InBytes = -1; ///< negative: not known
  /// Of the array that has one size on all ranks; negative: not known, or the kind has none.
  int64_t CommonBytes = -1;
  uint32_t Event = NoEvent;
};

/// What a collective is, to be compared across ranks.
struct CollectiveKey {
  CollectiveKind Kind = CollectiveKind::Other;
  bool OfHost = false;
  StringId Group = 0; ///< 0: the only group of the run
  StringId Ranks = 0; ///< "[0, 1]"; 0: not known
  auto operator<=>(const CollectiveKey &) const = default;
};

/// Collectives of one kind in one group.
struct GroupCalls {
  CollectiveKey Of;
  std::vector<size_t> Members; ///< inputs, in order
  /// By member, as many of each; the calls with one index are one collective.
  std::vector<std::vector<RankCall>> Calls;
  /// Whether no member can end one before all have begun: not so where ranks may have nothing to
  /// send.
  bool NeedsAll = false;

  size_t count() const { return Calls[0].size(); }
};

/// Collectives of all ranks, by order.
class RankCalls {
public:
  explicit RankCalls(size_t Inputs) : OfUnknown(Inputs) {}

  /// \p Group, \p Ranks: those of \p Of, numbered in the same way for all inputs.
  void add(size_t Input, const Collective &Of, StringId Group, StringId Ranks, int64_t BeginNs,
           int64_t EndNs);
  /// Matches what was added. \p HasOneGroup: the run has one group, which all collectives without
  /// a group are of.
  void match(bool HasOneGroup);
  /// Also matches calls without a group as those of one, which all ranks are in, if they called the
  /// same ones in one order. Only for one clock: with that, all ranks must have been in each at
  /// once. After match().
  void matchUnknown();

  std::vector<GroupCalls> Rows;
  /// Calls without a group that are in Rows.
  uint64_t ByOrder = 0;
  // Calls that are in no row, each counted under one of these reasons:
  uint64_t UnknownGroup = 0; ///< the trace does not say which ranks took part
  uint64_t MissingRanks = 0; ///< ranks of the group are not among the inputs
  uint64_t OtherCounts = 0;  ///< inputs have different numbers of them
  uint64_t OtherSizes = 0;   ///< inputs have as many, of different sizes
  uint64_t BetweenTwo = 0;   ///< the number of a send or receive does not identify the other side

private:
  struct Grouped {
    std::map<size_t, std::vector<RankCall>> Of; ///< by input
    std::optional<int64_t> GroupSize;
    bool EvenSplit = true;
  };
  struct KeyedCall {
    RankCall Call;
    CollectiveKey Of;
    std::optional<int64_t> GroupSize;
    bool EvenSplit;
  };

  void add(size_t Input, const KeyedCall &Each);
  void match(const CollectiveKey &Of, Grouped &All);
  bool isOneGroup() const;

  std::map<CollectiveKey, Grouped> Groups;
  std::vector<std::vector<KeyedCall>> OfUnknown; ///< by input
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RANKCALLS_H
