//===- SelfTime.cpp - deals the window out to the kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/SelfTime.h"

#include <algorithm>

namespace seamscope::tools {

SelfTimes selfTimes(std::vector<Interval> Calls, size_t Rows, int64_t WindowBeginNs,
                    int64_t WindowEndNs) {
  SelfTimes Result;
  Result.RowNs.resize(Rows);
  const auto IsBefore = [](const Interval &A, const Interval &B) {
    return A.BeginNs != B.BeginNs ? A.BeginNs < B.BeginNs : A.EndNs > B.EndNs;
  };
  if (!std::ranges::is_sorted(Calls, IsBefore))
    std::ranges::stable_sort(Calls, IsBefore);

  // A new call outranks all before it, so those that wait form a stack. One that ended while it
  // was covered is dropped when it comes up.
  std::vector<const Interval *> Waiting;
  int64_t Now = WindowBeginNs;
  const auto AdvanceTo = [&](int64_t Until) {
    while (Now < Until && !Waiting.empty()) {
      const Interval &Top = *Waiting.back();
      const int64_t Stop = std::min(Top.EndNs, Until);
      if (Stop > Now) {
        Result.RowNs[Top.Row] += Stop - Now;
        Now = Stop;
      }
      if (Top.EndNs <= Now)
        Waiting.pop_back();
    }
    Result.UnattributedNs += Until - Now;
    Now = Until;
  };
  for (const Interval &Call : Calls) {
    AdvanceTo(Call.BeginNs);
    Waiting.push_back(&Call);
  }
  AdvanceTo(WindowEndNs);
  return Result;
}

} // namespace seamscope::tools
