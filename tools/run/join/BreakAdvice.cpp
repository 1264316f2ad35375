//===- BreakAdvice.cpp - graph breaks that cost time ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/BreakAdvice.h"
#include "analysis/compare/PairedSteps.h"
#include "run/join/StepShare.h"
#include "torch/PythonText.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string placeOf(const SourceLine &Where) {
  return fmt::format("{}:{}", std::filesystem::path(Where.File).filename().string(), Where.Line);
}

/// A break without a place repeats another one. Breaks in torch's own code, such as optimizer
/// steps, are intended.
bool isOfProgram(const GraphBreak &Break) {
  return !Break.Where.File.empty() && !(isOfTorch(Break.Where.File) &&
                                        Break.Explanation.starts_with("User-inserted graph break"));
}

std::string_view withoutStop(std::string_view Sentence) {
  return Sentence.ends_with('.') ? Sentence.substr(0, Sentence.size() - 1) : Sentence;
}

/// The places of the other breaks: the saving is that of all.
std::string otherPlaces(const std::vector<const GraphBreak *> &All, const GraphBreak &Shown) {
  std::set<std::string> Places;
  for (const GraphBreak *Each : All)
    Places.insert(placeOf(Each->Where));
  Places.erase(placeOf(Shown.Where));
  return Places.empty() ? "" : fmt::format("; others at {}", fmt::join(Places, ", "));
}

std::string remedyOf(const GraphBreak &Break) {
  if (Break.action().find("`Optimizer.") != std::string_view::npos)
    return "call the optimizer outside of the compiled function";
  // During its calls the wrapper does things that cannot be captured, whatever the module does.
  if (Break.Where.File.ends_with("torch/nn/parallel/distributed.py"))
    return "compile the module in it: DistributedDataParallel(torch.compile(module))";
  const bool Decides = std::ranges::any_of(
      std::to_array<std::string_view>({"if ", "elif ", "while ", "assert "}),
      [&](std::string_view Word) { return Break.Where.Code.starts_with(Word); });
  if (Decides && Break.action().find("capture_scalar_outputs") != std::string_view::npos)
    return "torch.where or torch.cond instead of the branch: its condition is known only at run "
           "time, and capture_scalar_outputs does not avoid the break";
  return Break.action().empty() ? "move what breaks the graph out of the compiled function; "
                                  "torch.compile(fullgraph=True) fails at each break"
                                : std::string(withoutStop(Break.action()));
}

} // namespace

std::optional<Advice> adviseOnBreaks(const TorchRun &Torch, const Attribution &All) {
  std::vector<const GraphBreak *> Breaks;
  for (const GraphBreak &Each : Torch.Graphs.log().Breaks)
    if (isOfProgram(Each))
      Breaks.push_back(&Each);
  if (Breaks.empty())
    return std::nullopt;
  const int64_t EagerNs = usualNs(All, &StepTimes::BetweenGraphsNs);
  // One graph would still be entered: all but one of several could be saved.
  int64_t Graphs = 0;
  for (size_t I = 0; I < std::min(All.Calls.size(), Torch.Graphs.log().Graphs.size()); ++I)
    Graphs +=
        Torch.Graphs.log().Graphs[I].Code.Direction != GraphDirection::Backward &&
        std::ranges::any_of(All.Calls[I], [](const CallTimes &Call) { return Call.Calls > 0; });
  const int64_t OverheadNs = usualNs(All, &StepTimes::InCompiledNs);
  const int64_t OutsideNs = EagerNs + (Graphs > 1 ? OverheadNs - OverheadNs / Graphs : OverheadNs);
  const auto WholeNs = static_cast<double>(usualNs(All));
  if (WholeNs <= 0 || static_cast<double>(OutsideNs) < MuchOfSteps * WholeNs)
    return std::nullopt;
  const auto First =
      std::ranges::find_if(Breaks, [](const GraphBreak *Each) { return !Each->action().empty(); });
  const GraphBreak &Shown = First == Breaks.end() ? *Breaks.front() : **First;
  return Advice{
      "graph-breaks",
      fmt::format(
          "{} graph break{}, at {}: {}{}{}{}; between its graphs eager operators take {:.1f} % "
          "of the compiled steps, and in its calls the framework {:.1f} %",
          Breaks.size(), Breaks.size() == 1 ? "" : "s", placeOf(Shown.Where), Shown.Reason,
          Shown.Explanation.empty() ? "" : ": ", withoutStop(Shown.Explanation),
          otherPlaces(Breaks, Shown), 100 * static_cast<double>(EagerNs) / WholeNs,
          100 * static_cast<double>(OverheadNs) / WholeNs),
      remedyOf(Shown), OutsideNs};
}

} // namespace seamscope::tools
