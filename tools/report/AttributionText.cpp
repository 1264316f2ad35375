//===- AttributionText.cpp - eager against compiled, for people ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Attribution.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;

/// Of a time of each step in both runs.
template <typename Fn> PairedTimes pairedOf(const Attribution &All, Fn TimesOf) {
  PairedTimes Times;
  for (const StepTimes &Step : All.Steps) {
    const auto [EagerNs, CompiledNs] = TimesOf(Step);
    Times.add(EagerNs, CompiledNs);
  }
  return Times;
}

/// Of kernels that ran on the host; a line, or empty where all ran on devices.
std::string toolsText(const ReportInput &Input) {
  const auto OnHost = [&](const auto &Kernel) {
    return Input.Source->Sites[Kernel.first].Device < 0;
  };
  const auto &Kernels = Input.Torch->Kernels;
  if (!Kernels.empty() && std::ranges::none_of(Kernels, OnHost))
    return {};
  const RunTools &Tools = Input.Compared->Tools;
  const auto Name = [](const std::string &Path, const char *Else) {
    return Path.empty() ? std::string(Else)
                        : escaped(std::filesystem::path(Path).filename().string());
  };
  return fmt::format("Kernels compiled by {}; OpenMP of both runs by {}\n",
                     Name(Tools.Compiler, "the compiler that torch or CXX chose"),
                     Name(Tools.OpenMP, "the libraries that the program loads"));
}

void stepRows(std::string &Text, const Attribution &All, bool Colours) {
  Table Rows({"Step", "Steps", "Eager", "Compiled", "Speedup", "95 %"});
  for (const std::string &Function : steppedFunctions(All)) {
    PassTimes Sum;
    size_t Count = 0;
    for (const StepTimes &Step : All.Steps)
      if (All.Marked || Step.Name == Function) {
        Sum.EagerNs += Step.EagerNs;
        Sum.CompiledNs += Step.CompiledNs;
        ++Count;
      }
    const PairedTimes Paired = pairedTimes(All, Function);
    const auto Ratio = Paired.ratio();
    Rows.add({Function.empty() ? "[step]" : fit(Function, NameWidth), std::to_string(Count),
              shownPerStep(Sum.EagerNs, Count), shownPerStep(Sum.CompiledNs, Count),
              shownRatio(Sum.EagerNs, Sum.CompiledNs, Paired),
              Ratio ? fmt::format("{:.2f}..{:.2f}", Ratio->Low, Ratio->High) : "-"});
  }
  Text += '\n' + Rows.text(Colours);
}

void partRows(std::string &Text, const Attribution &All, bool Colours) {
  const StepTimes Sum = sumOf(All.Steps);
  const int64_t Eager = Sum.EagerNs, Compiled = Sum.CompiledNs;
  const PassTimes &Backward = Sum.Backward;
  const size_t Steps = All.Steps.size();
  const PairedTimes Whole = pairedTimes(All);
  // Of next to nothing there are no shares.
  const bool Differs = !Whole.ratio() || Whole.ratio()->differs();
  Table Rows(
      {"Mean of a step", "Eager", "Compiled", "Ratio", "Saved", "Of saving %", "Ops", "Calls"});
  for (size_t I = 0; I < StepParts; ++I) {
    const PartTimes &Part = Sum.Of[I];
    if (!Part.Ops && !Part.Kernels && !Part.EagerNs && !Part.CompiledNs)
      continue;
    const StepPart Which = static_cast<StepPart>(I);
    const bool Work = Which != StepPart::Overhead && Which != StepPart::Idle;
    // What the operators took stands there beside whatever the compiled code did.
    const bool Comparable = Which != StepPart::Unknown;
    Rows.add(
        {std::string(All.OnDevice ? titleOnDevice(Which) : titleOf(Which)),
         shownPerStep(Part.EagerNs, Steps), shownPerStep(Part.CompiledNs, Steps),
         Comparable ? shownRatio(Part.EagerNs, Part.CompiledNs,
                                 pairedOf(All,
                                          [&](const StepTimes &S) {
                                            return std::pair(S.Of[I].EagerNs, S.Of[I].CompiledNs);
                                          }))
                    : "-",
         shownPerStep(Part.EagerNs - Part.CompiledNs, Steps),
         Eager == Compiled || !Differs
             ? "-"
             : fmt::format("{:.1f}", 100.0 * static_cast<double>(Part.EagerNs - Part.CompiledNs) /
                                         static_cast<double>(Eager - Compiled)),
         Work ? shownCount(Part.Ops, Steps) : "", Work ? shownCount(Part.Kernels, Steps) : ""});
    if (Which == StepPart::Overhead && Sum.GuardsNs)
      Rows.add({"  of which guards", "", shownPerStep(Sum.GuardsNs, Steps)}, Emphasis::Faint);
  }
  Rows.add({"[step]", shownPerStep(Eager, Steps), shownPerStep(Compiled, Steps),
            shownRatio(Eager, Compiled, Whole), shownPerStep(Eager - Compiled, Steps),
            Eager == Compiled || !Differs ? "-" : "100.0"},
           Emphasis::Faint);
  if (Backward.EagerNs || Backward.CompiledNs)
    Rows.add({"  of which backward", shownPerStep(Backward.EagerNs, Steps),
              shownPerStep(Backward.CompiledNs, Steps),
              shownRatio(Backward.EagerNs, Backward.CompiledNs,
                         pairedOf(All,
                                  [](const StepTimes &S) {
                                    return std::pair(S.Backward.EagerNs, S.Backward.CompiledNs);
                                  })),
              shownPerStep(Backward.EagerNs - Backward.CompiledNs, Steps)},
             Emphasis::Faint);
  Text += '\n' + Rows.text(Colours);
}

/// Names the libraries' calls whose time nobody knows.
void withoutEvent(std::string &Text, const Attribution &All) {
  if (All.WithoutEvent.empty())
    return;
  std::string Names;
  uint64_t Calls = 0;
  for (const auto &[Name, Count] : All.WithoutEvent) {
    Names += fmt::format("{}{}", Names.empty() ? "" : ", ", fit(Name, NameWidth));
    Calls += Count;
  }
  Text += fmt::format("note: {} call{} of libraries left no event ({}): {} time, with what the "
                      "compiled code did around, is in [unknown], and so are the eager operators\n",
                      Calls, Calls == 1 ? "" : "s", Names, Calls == 1 ? "its" : "their");
}

/// Names the operators that have no counterpart, the longest ones.
void unplaced(std::string &Text, const Attribution &All) {
  if (All.Unplaced.empty())
    return;
  std::map<std::string_view, OpTimes> ByName;
  for (const auto &[Op, Known] : All.Unplaced) {
    ByName[Op.first].Calls += Known.Calls;
    ByName[Op.first].Ns += Known.Ns;
  }
  std::vector<std::pair<std::string_view, OpTimes>> Rows(ByName.begin(), ByName.end());
  std::ranges::stable_sort(Rows, std::ranges::greater(), [](const auto &R) { return R.second.Ns; });
  constexpr size_t Named = 4;
  std::string Names;
  for (size_t I = 0; I < std::min(Named, Rows.size()); ++I)
    Names += fmt::format("{}{} {}", I ? ", " : "", fit(Rows[I].first, NameWidth),
                         shownTime(Rows[I].second.Ns));
  const OpTimes Sum = sumOf(All.Unplaced);
  Text +=
      fmt::format("note: {} calls of eager operators ({}) have no certain counterpart and are in "
                  "[unattributed]: {}{}\n",
                  Sum.Calls, shownTime(Sum.Ns), Names, Rows.size() > Named ? ", ..." : "");
}

} // namespace

std::string shownRatio(int64_t Eager, int64_t Compiled, const PairedTimes &Paired) {
  if (Eager <= 0 || Compiled <= 0)
    return "-";
  const std::optional<RatioEstimate> Ratio = Paired.ratio();
  return Ratio && !Ratio->differs()
             ? "no difference"
             : fmt::format("{:.2f}x", static_cast<double>(Eager) / static_cast<double>(Compiled));
}

std::string shownCount(uint64_t Count, size_t Steps) {
  return Count % Steps ? fmt::format("{} in {}", Count, Steps) : std::to_string(Count / Steps);
}

std::string shownPerStep(int64_t Ns, size_t Steps) {
  const int64_t Mean = Ns / static_cast<int64_t>(Steps);
  return Mean < 0 ? "-" + shownTime(-Mean) : shownTime(Mean);
}

std::string attributionText(const ReportInput &Input, bool Colours) {
  std::string Text = unrecordedText(Input);
  if (!Input.Compared || !Input.Torch)
    return Text;
  const ComparedRuns &Runs = *Input.Compared;
  const Attribution &All = Runs.All;
  Text += fmt::format("\nEager against compiled: {} steps of {} run{} each; left out: {} with "
                      "compilation ({}), {} "
                      "of warm-up\n{}",
                      All.Steps.size(), Runs.Pairs, Runs.Pairs == 1 ? "" : "s", All.Compiling.Steps,
                      shownTime(All.CompilingNs), All.WarmUp.Steps, toolsText(Input));
  if (All.OnDevice)
    Text += "Times are those of the GPU's work. A step begins on the host, or when the GPU is done "
            "with the one before, and ends when both are done\n";
  if (All.Steps.empty() && !All.Compiling.Steps && !All.WarmUp.Steps && !All.Unpaired) {
    Text +=
        "note: nothing to compare: no call of a compiled function was seen, and the program marks "
        "no steps. One that runs a package compiled ahead of time has the same code in both runs\n";
  } else if (All.Steps.empty()) {
    Text +=
        "note: nothing to compare: no step ran without compilation in it, in both runs; let the "
        "program run more of them\n";
  } else {
    stepRows(Text, All, Colours);
    partRows(Text, All, Colours);
    Text += replacedText(Input, Colours);
    withoutEvent(Text, All);
    unplaced(Text, All);
  }
  for (const std::string &Note : Runs.Notes)
    Text += "note: " + escaped(Note) + '\n';
  return Text;
}

} // namespace seamscope::tools
