//===- OptimizerAdvice.cpp - optimizers that run in eager mode ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/OptimizerAdvice.h"
#include "analysis/core/Median.h"
#include "analysis/torch/Steps.h"
#include "run/join/StepShare.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// torch marks each call: "Optimizer.step#AdamW.step".
constexpr std::string_view Prefix = "Optimizer.step#";

struct Scope {
  int64_t BeginNs = 0, EndNs = 0;
  TrackId Track = 0;
  std::string_view Name;

  bool holds(const Scope &Other) const {
    return Other.Track == Track && Other.BeginNs >= BeginNs && Other.BeginNs < EndNs;
  }
};

std::vector<Scope> scopesBy(const Trace &Source, std::string_view Start) {
  std::vector<Scope> Found;
  const EventColumns &Events = Source.Events;
  for (size_t I = 0; I < Events.size(); ++I)
    if (const std::string_view Name = Source.text(Source.Sites[Events.Site[I]].Name);
        Name.starts_with(Start))
      Found.push_back({Events.BeginNs[I], Events.endNs(I), Events.Track[I], Name});
  std::ranges::sort(Found, {}, &Scope::BeginNs);
  return Found;
}

} // namespace

std::optional<Advice> adviseOnOptimizer(const Trace &Source, const Attribution &All) {
  if (All.By == StepsBy::Call || All.Steps.empty())
    return std::nullopt;
  std::vector<Scope> Optimizers = scopesBy(Source, Prefix);
  for (const Scope &Region : scopesBy(Source, "Torch-Compiled Region"))
    std::erase_if(Optimizers, [&](const Scope &Each) { return Each.holds(Region); });
  if (Optimizers.empty())
    return std::nullopt;
  std::vector<Step> Steps = stepsOf(Source, All.By);
  std::erase_if(Steps, &Step::Compiles);
  // The first steps set up the optimizer's state.
  Steps.erase(Steps.begin(), Steps.begin() + static_cast<std::ptrdiff_t>(Steps.size() / 2));
  std::vector<int64_t> OfOptimizer, OfStep;
  for (const Step &Each : Steps) {
    int64_t OptimizerNs = 0;
    const Scope Whole = {Each.BeginNs, Each.EndNs, Each.Track, {}};
    for (const Scope &Optimizer : Optimizers)
      if (Whole.holds(Optimizer))
        OptimizerNs += Optimizer.EndNs - Optimizer.BeginNs;
    OfOptimizer.push_back(OptimizerNs);
    OfStep.push_back(Each.wallNs());
  }
  // Medians: steps that the machine delayed say nothing about the optimizer.
  if (OfStep.empty())
    return std::nullopt;
  const auto StepNs = static_cast<double>(upperMedian(OfOptimizer)),
             WholeNs = static_cast<double>(upperMedian(OfStep));
  const double Share = WholeNs > 0 ? StepNs / WholeNs : 0;
  if (Share < MuchOfSteps)
    return std::nullopt;
  return Advice{"eager-optimizer",
                fmt::format("{} runs in eager mode: {:.3f} ms a step, {:.1f} % of the compiled "
                            "steps",
                            Optimizers.back().Name.substr(Prefix.size()), StepNs / 1e6,
                            100 * Share),
                "fused=True, where the optimizer has it, or compile it, too: step = "
                "torch.compile(optimizer.step)",
                static_cast<int64_t>(StepNs * static_cast<double>(All.Steps.size()))};
}

} // namespace seamscope::tools
