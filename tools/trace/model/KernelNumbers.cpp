//===- KernelNumbers.cpp - which numbers of a launch are possible ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/model/KernelNumbers.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

constexpr int64_t MostCount = int64_t{1} << 40;
/// A clock of some GHz counts this far in a year.
constexpr int64_t MostClocks = int64_t{1} << 56;

bool isWithin(int64_t Number, int64_t Most) { return Number >= 0 && Number <= Most; }

} // namespace

bool isPossible(const KernelInside &Inside) {
  const auto IsCount = [](int64_t Number) { return isWithin(Number, MostCount); };
  const auto IsRatio = [](const std::optional<double> &Ratio) {
    return !Ratio || (*Ratio >= 0 && *Ratio < 1e12);
  };
  return Inside.Sms > 0 &&
         std::ranges::all_of(std::array{Inside.Sms, Inside.Blocks, Inside.Warps, Inside.OpenWarps,
                                        Inside.LostWarps, Inside.ResidentBlocks},
                             IsCount) &&
         std::ranges::all_of(std::array{Inside.Share, Inside.Waves, Inside.TailPercent,
                                        Inside.SmImbalance, Inside.WarpImbalance},
                             IsRatio);
}

bool isPossible(std::span<const KernelLoop> Loops) {
  if (Loops.empty())
    return true;
  std::vector<int64_t> Left = {Loops[0].KernelClocks}; // of the kernel and its loops
  for (const KernelLoop &Loop : Loops) {
    if (!isWithin(Loop.KernelClocks, MostClocks) || !isWithin(Loop.Threads, MostCount) ||
        !isWithin(Loop.Entries, MostClocks) || Loop.Parent >= Left.size() ||
        !isWithin(Loop.Clocks, Left[Loop.Parent]))
      return false;
    Left[Loop.Parent] -= Loop.Clocks;
    Left.push_back(Loop.Clocks);
  }
  return true;
}

} // namespace seamscope::tools
