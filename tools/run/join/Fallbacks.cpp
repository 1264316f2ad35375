//===- Fallbacks.cpp - operators that Inductor generates no code for ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Fallbacks.h"
#include "analysis/compare/PairedSteps.h"
#include "run/join/AttributionPlan.h"
#include "run/join/StepShare.h"
#include "torch/LibraryCalls.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

bool isFallback(const CodeCall &Call, std::string_view Operator) {
  // Recurrent layers are one library call, with the library's own kernels for them.
  for (const std::string_view Layer : {"rnn", "lstm", "gru"})
    if (Operator.find(Layer) != Operator.npos)
      return false;
  return Call.fallsBack() && Operator.starts_with("aten::") && !isView(Operator) &&
         partOfOperator(Operator) == StepPart::Other;
}

} // namespace

std::vector<Fallback> fallbacksIn(const TorchRun &Torch, const Attribution &All) {
  std::vector<Fallback> Found;
  for (const KernelUse &Use : Torch.Graphs.uses()) {
    const CodeCall &Call = Torch.Graphs.callOf(Use);
    const std::string Operator = operatorOfExtern(Call.Kernel);
    const CallTimes *const Times = All.find(Use.Graph, Use.Call);
    if (!Times || !isFallback(Call, Operator))
      continue;
    auto Known = std::ranges::find(Found, Operator, &Fallback::Operator);
    if (Known == Found.end())
      Known = Found.insert(Known, {Operator});
    ++Known->Places;
    Known->Calls += Times->Calls;
    Known->Ns += Times->usualNs();
  }
  std::ranges::stable_sort(Found, std::ranges::greater(), &Fallback::Ns);
  return Found;
}

std::vector<Advice> adviseOnFallbacks(const TorchRun &Torch, const Attribution &All) {
  std::vector<Advice> Found;
  const auto Steps = static_cast<double>(All.Steps.size());
  const auto WholeNs = static_cast<double>(usualNs(All));
  for (const Fallback &Each : fallbacksIn(Torch, All)) {
    const auto Ns = static_cast<double>(Each.Ns);
    if (WholeNs <= 0 || Ns < LeastOfSteps * WholeNs)
      continue;
    Found.push_back(
        {"fallback",
         fmt::format("Inductor generates no code for {} and calls the eager operator in {} "
                     "place{}: {:.3f} ms a step, {:.1f} % of the compiled steps",
                     Each.Operator, Each.Places, Each.Places == 1 ? "" : "s", Ns / Steps / 1e6,
                     100 * Ns / WholeNs),
         "write it in operators that fuse with their neighbours where the program allows that, or "
         "move it out of the step",
         Each.Ns});
  }
  return Found;
}

} // namespace seamscope::tools
