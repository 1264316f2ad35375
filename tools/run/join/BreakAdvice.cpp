//===- BreakAdvice.cpp - graph breaks that steps pay for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/BreakAdvice.h"
#include "run/join/Fallbacks.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr double LeastOfSteps = 0.1;

std::string placeOf(const SourceLine &Where) {
  return fmt::format("{}:{}", std::filesystem::path(Where.File).filename().string(), Where.Line);
}

/// Without a place it repeats another break, and those that torch put into its own code, as into
/// the steps of its optimizers, are meant to be there.
bool isOfProgram(const GraphBreak &Break) {
  const bool IsTorchs = Break.Where.File.find("/torch/") != std::string::npos;
  return !Break.Where.File.empty() &&
         !(IsTorchs && Break.Explanation.starts_with("User-inserted graph break"));
}

std::string_view withoutStop(std::string_view Sentence) {
  return Sentence.ends_with('.') ? Sentence.substr(0, Sentence.size() - 1) : Sentence;
}

} // namespace

std::optional<Advice> adviseOnBreaks(const TorchRun &Torch, const Attribution &All) {
  std::vector<const GraphBreak *> Breaks;
  for (const GraphBreak &Each : Torch.Graphs.log().Breaks)
    if (isOfProgram(Each))
      Breaks.push_back(&Each);
  if (Breaks.empty())
    return std::nullopt;
  const StepTimes Whole = sumOf(All.Steps);
  const auto Part = [&](StepPart Of) { return Whole.Of[static_cast<size_t>(Of)].CompiledNs; };
  int64_t EagerNs = Part(StepPart::Other);
  for (const Fallback &Each : fallbacksIn(Torch, All))
    EagerNs -= Each.Ns;
  EagerNs = std::max<int64_t>(0, EagerNs);
  // One graph would be entered, too: of several graphs all but one could be spared.
  const auto Graphs = static_cast<int64_t>(std::ranges::count_if(All.Calls, [](const auto &Calls) {
    return std::ranges::any_of(Calls, [](const CallTimes &Call) { return Call.Calls > 0; });
  }));
  const int64_t OverheadNs = Part(StepPart::Overhead);
  const int64_t OutsideNs = EagerNs + (Graphs > 1 ? OverheadNs - OverheadNs / Graphs : OverheadNs);
  const auto WholeNs = static_cast<double>(Whole.CompiledNs);
  if (WholeNs <= 0 || static_cast<double>(OutsideNs) < LeastOfSteps * WholeNs)
    return std::nullopt;
  const auto First =
      std::ranges::find_if(Breaks, [](const GraphBreak *Each) { return !Each->action().empty(); });
  const GraphBreak &Shown = First == Breaks.end() ? *Breaks.front() : **First;
  return Advice{
      "graph-breaks",
      fmt::format("{} graph break{}, at {}: {}{}{}; eager operators take {:.1f} % of the compiled "
                  "steps and the framework {:.1f} %",
                  Breaks.size(), Breaks.size() == 1 ? "" : "s", placeOf(Shown.Where), Shown.Reason,
                  Shown.Explanation.empty() ? "" : ": ", withoutStop(Shown.Explanation),
                  100 * static_cast<double>(EagerNs) / WholeNs,
                  100 * static_cast<double>(OverheadNs) / WholeNs),
      Shown.action().empty() ? "move what breaks the graph out of the compiled function; "
                               "torch.compile(fullgraph=True) fails at each break"
                             : std::string(withoutStop(Shown.action())),
      OutsideNs};
}

} // namespace seamscope::tools
