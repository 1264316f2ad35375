//===- OperatorInputs.cpp - steps whose operators were recorded with inputs ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run may record the inputs of operators in some steps only (SEAMSCOPE_TORCH_INPUTS). What needs
// shapes is then unknown of the other steps.
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Steps.h"
#include "report/sections/Sections.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// Steps with operators that have inputs in some calls, in the order of time. Empty if they have
/// them in all.
struct StepInputs {
  size_t Steps = 0, Recorded = 0;
  std::vector<std::string> Numbers; ///< of the recorded ones among all steps: "1-3", "8"
};

StepInputs stepInputs(const Trace &Source) {
  // Others never have any: regions of compiled code, kernels.
  std::unordered_set<StringId> WithInputs;
  for (const Site &What : Source.Sites)
    if (What.Kind == SiteKind::Operator && What.InputDims)
      WithInputs.insert(What.Name);
  const auto MayHaveInputs = [&](const Site &What) {
    return What.Kind == SiteKind::Operator && WithInputs.contains(What.Name);
  };
  // Most traces need no look at the events.
  if (std::ranges::none_of(
          Source.Sites, [&](const Site &What) { return !What.InputDims && MayHaveInputs(What); }))
    return {};
  const std::vector<Step> Steps =
      stepsOf(Source, marksSteps(Source) ? StepsBy::Mark : StepsBy::Call);
  std::vector<bool> HasOperators(Steps.size()), HasInputs(Steps.size());
  const EventColumns &Events = Source.Events;
  for (size_t I = 0; !Steps.empty() && I < Events.size(); ++I) {
    const Site &What = Source.Sites[Events.Site[I]];
    // A step's backward pass and optimizer come after the call of the compiled function.
    const auto After = std::ranges::upper_bound(Steps, Events.BeginNs[I], {}, &Step::BeginNs);
    if (!MayHaveInputs(What) || After == Steps.begin())
      continue;
    const auto At = static_cast<size_t>(After - Steps.begin()) - 1;
    HasOperators[At] = true;
    if (What.InputDims)
      HasInputs[At] = true;
  }
  StepInputs Found;
  size_t First = 0;
  for (size_t I = 0; I < Steps.size(); ++I) {
    Found.Steps += HasOperators[I];
    Found.Recorded += HasInputs[I];
    if (!HasInputs[I])
      continue;
    if (!I || !HasInputs[I - 1])
      First = I;
    if (I + 1 == Steps.size() || !HasInputs[I + 1])
      Found.Numbers.push_back(First == I ? fmt::format("{}", I + 1)
                                         : fmt::format("{}-{}", First + 1, I + 1));
  }
  return Found;
}

} // namespace

void addOperatorInputs(Section &To, const Context &In) {
  constexpr size_t MostShown = 12;
  const StepInputs Found = stepInputs(In->Source);
  const bool IsMixed = Found.Recorded && Found.Recorded < Found.Steps;
  if (!IsMixed && !In->Input.Everything)
    return;
  To.fact({"operator_inputs.steps", Unit::Count, "that have operators with inputs"}, Found.Steps);
  To.fact({"operator_inputs.recorded", Unit::Count, "of them, in which inputs were recorded"},
          Found.Recorded);
  To.fact({"operator_inputs.numbers", Unit::List, "of those, in the order of all steps"},
          listOf(Found.Numbers));
  const std::span Shown = std::span(Found.Numbers).first(std::min(Found.Numbers.size(), MostShown));
  To.sayApart(fmt::format("note: inputs of operators were recorded in {} of {} steps ({}{}): what "
                          "needs shapes, as FLOPs, is of these steps alone",
                          Found.Recorded, Found.Steps, fmt::join(Shown, ", "),
                          Shown.size() < Found.Numbers.size() ? ", ..." : ""));
}

} // namespace seamscope::tools
