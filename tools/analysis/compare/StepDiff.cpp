//===- StepDiff.cpp - the steps of two compiled runs, side by side --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepDiff.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace seamscope::tools {
namespace {

std::map<std::string, size_t> namesOf(const StepsAlone &Of) {
  std::map<std::string, size_t> Names;
  for (const StepTimes &Step : Of.Steps)
    ++Names[Step.Name];
  return Names;
}

/// Whether each function has the same share of the steps on both sides.
bool sameShares(const StepsAlone &First, const StepsAlone &Second) {
  const std::map<std::string, size_t> A = namesOf(First), B = namesOf(Second);
  return std::ranges::equal(A, B, [&](const auto &X, const auto &Y) {
    return X.first == Y.first && X.second * Second.Steps.size() == Y.second * First.Steps.size();
  });
}

template <typename GetFn> std::vector<int64_t> timesOf(const StepsAlone &Of, GetFn Get) {
  std::vector<int64_t> Ns;
  for (const StepTimes &Step : Of.Steps)
    Ns.push_back(Get(Step));
  return Ns;
}

template <typename GetFn>
StepDiffRow rowOf(const StepsAlone &First, const StepsAlone &Second, GetFn Get) {
  constexpr double Confidence = 0.95;
  const std::vector<int64_t> A = timesOf(First, Get), B = timesOf(Second, Get);
  StepDiffRow Row;
  Row.FirstNs = std::reduce(A.begin(), A.end());
  Row.SecondNs = std::reduce(B.begin(), B.end());
  Row.Change = changeOf(A, B, 0, Confidence);
  return Row;
}

std::string_view whyNot(const StepsAlone &First, const StepsAlone &Second) {
  if (First.Steps.empty() || Second.Steps.empty())
    return "A or B has no step without compilation";
  if (First.By != Second.By)
    return "the steps of A and B are of different kinds (calls, turns of a loop, or marked steps)";
  if (First.OnDevice != Second.OnDevice)
    return "the steps of one side are timed on a device, those of the other on the host";
  // Marked steps have numbers for names.
  if (First.By != StepsBy::Mark && !sameShares(First, Second))
    return "A and B call different compiled functions, or the same ones in different proportions";
  return "";
}

} // namespace

StepDiff compareSteps(const StepsAlone &First, const StepsAlone &Second) {
  StepDiff Result;
  Result.FirstSteps = First.Steps.size();
  Result.SecondSteps = Second.Steps.size();
  Result.By = First.By;
  Result.OnDevice = First.OnDevice;
  Result.NotCompared = whyNot(First, Second);
  if (!Result.NotCompared.empty())
    return Result;
  for (size_t I = 0; I < StepParts; ++I) {
    StepDiffRow Row =
        rowOf(First, Second, [&](const StepTimes &Step) { return Step.Of[I].CompiledNs; });
    Row.Part = static_cast<StepPart>(I);
    for (const StepTimes &Step : First.Steps)
      Row.FirstCalls += Step.Of[I].Kernels;
    for (const StepTimes &Step : Second.Steps)
      Row.SecondCalls += Step.Of[I].Kernels;
    if (Row.FirstNs || Row.SecondNs || Row.FirstCalls || Row.SecondCalls)
      Result.Rows.push_back(Row);
  }
  Result.Rows.push_back(
      rowOf(First, Second, [](const StepTimes &Step) { return Step.CompiledNs; }));
  return Result;
}

} // namespace seamscope::tools
