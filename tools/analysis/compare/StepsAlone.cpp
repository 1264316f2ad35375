//===- StepsAlone.cpp - where the time of compiled steps went -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepsAlone.h"
#include "analysis/compare/CompiledSide.h"

#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

/// How many of the first of \p Steps are warm-up, of one function.
size_t warmUp(const std::vector<const Step *> &Steps) {
  std::vector<std::pair<int64_t, int64_t>> Ns;
  for (const Step *Each : Steps)
    Ns.emplace_back(Each->wallNs(), 0);
  return warmUpSteps(Ns);
}

} // namespace

StepsAlone stepsAlone(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs) {
  StepsAlone All;
  const TimeOf Whose = timeToCount(Compiled);
  const CompiledSide Side(Compiled, Graphs, Whose);
  All.By = stepsBy(Compiled, Side.work());
  All.OnDevice = Whose == TimeOf::Device;
  const std::vector<Step> Steps = stepsOf(Compiled, All.By);
  std::map<StringId, std::vector<const Step *>> ByFunction;
  for (const Step &Each : Steps)
    if (Each.Compiles)
      ++All.Compiling;
    else // steps that the program numbers are of one kind
      ByFunction[All.By == StepsBy::Mark ? StringId() : Each.Name].push_back(&Each);
  // For all functions at once: else a mean over them would have one more often than the program
  // calls it.
  int64_t WarmNs = INT64_MIN;
  for (const auto &[Name, Of] : ByFunction)
    if (const size_t Count = warmUp(Of))
      WarmNs = std::max(WarmNs, Of[Count - 1]->BeginNs);
  for (const Step &Each : Steps) {
    if (Each.Compiles)
      continue;
    if (Each.BeginNs <= WarmNs) {
      ++All.WarmUp;
      continue;
    }
    CompiledStep Of = Side.step(Each);
    if (All.By != StepsBy::Mark || !Of.isEmpty()) // behind the last step that did anything
      All.Steps.push_back(std::move(Of.Times));
  }
  return All;
}

} // namespace seamscope::tools
