//===- PairedSteps.h - times of steps of both modes, by kind and run ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever compares steps of an attribution takes their times from here: what is of one kind and of
// one run is known in one place.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PAIREDSTEPS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PAIREDSTEPS_H

#include "analysis/compare/Attribution.h"
#include "analysis/compare/PairedTimes.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Of the times that \p Get gives of each step in both runs, of the steps that \p Counts.
template <typename Fn, typename Filter>
PairedTimes pairedOf(const Attribution &All, Fn Get, Filter Counts) {
  std::vector<PairedTimes> ByRun;
  std::map<std::string_view, uint32_t> Kinds;
  for (const StepTimes &Step : All.Steps) {
    if (!Counts(Step))
      continue;
    if (Step.Run >= ByRun.size())
      ByRun.resize(Step.Run + 1);
    const auto &Of = std::invoke(Get, Step);
    const auto Kind = static_cast<uint32_t>(Kinds.size());
    // Marked steps are of one kind whatever number they bear.
    ByRun[Step.Run].add(Of.EagerNs, Of.CompiledNs,
                        All.By == StepsBy::Mark ? 0
                                                : Kinds.try_emplace(Step.Name, Kind).first->second);
  }
  PairedTimes Times;
  for (const PairedTimes &Run : ByRun)
    Times.addSteps(Run);
  if (All.OneRun)
    Times.ofOneRun();
  return Times;
}

template <typename Fn> PairedTimes pairedOf(const Attribution &All, Fn Get) {
  return pairedOf(All, Get, [](const StepTimes &) { return true; });
}

/// Times of all steps, and of those of \p Name.
inline PairedTimes pairedTimes(const Attribution &All) { return pairedOf(All, std::identity()); }
inline PairedTimes pairedTimes(const Attribution &All, std::string_view Name) {
  return pairedOf(All, std::identity(), [&](const StepTimes &Step) {
    return All.By == StepsBy::Mark || Step.Name == Name;
  });
}

/// Of a time of the compiled steps, that of all steps together as it would be without a few in
/// which it was very long.
inline int64_t usualNs(const Attribution &All, int64_t StepTimes::*Of) {
  return pairedOf(All, [Of](const StepTimes &Step) { return PassTimes{0, Step.*Of}; })
      .usualCompiledNs();
}

/// Of all compiled steps.
inline int64_t usualNs(const Attribution &All) { return pairedTimes(All).usualCompiledNs(); }

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PAIREDSTEPS_H
