//===- PairedSteps.h - times of steps of both modes, by kind and run ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All comparisons of steps of an attribution take their times from here, so
// that only this file knows which steps are of one kind and of one run.
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

/// The times that \p Get gives for both runs, of the steps that \p Counts.
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
    // Marked steps are of one kind whatever their number.
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

/// Times of all steps, and of the steps called \p Name.
inline PairedTimes pairedTimes(const Attribution &All) { return pairedOf(All, std::identity()); }
inline PairedTimes pairedTimes(const Attribution &All, std::string_view Name) {
  return pairedOf(All, std::identity(), [&](const StepTimes &Step) {
    return All.By == StepsBy::Mark || Step.Name == Name;
  });
}

/// A time of the compiled steps, summed over all steps as if a few very long ones had been normal.
inline int64_t usualNs(const Attribution &All, int64_t StepTimes::*Of) {
  return pairedOf(All, [Of](const StepTimes &Step) { return PassTimes{0, Step.*Of}; })
      .usualCompiledNs();
}

/// The same for all compiled steps.
inline int64_t usualNs(const Attribution &All) { return pairedTimes(All).usualCompiledNs(); }

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PAIREDSTEPS_H
