//===- AttributionText.cpp - eager against compiled, for people ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Attribution.h"
#include "report/Table.h"
#include "run/join/OwnCompiler.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;

bool isOf(const StepTimes &Step, const std::string &Function) {
  return Step.Name == Function || (Function.empty() && Step.Name.starts_with("ProfilerStep"));
}

template <typename TimeFn>
int64_t medianOf(const Attribution &All, const std::string &Function, TimeFn Time) {
  std::vector<int64_t> Times;
  for (const StepTimes &Step : All.Steps)
    if (isOf(Step, Function))
      Times.push_back(Time(Step));
  std::ranges::sort(Times);
  return Times[Times.size() / 2];
}

void stepRows(std::string &Text, const Attribution &All, bool Colours) {
  Table Rows({"Step", "Steps", "Eager", "Compiled", "Speedup", "min..max"});
  for (const std::string &Function : steppedFunctions(All)) {
    const auto Speedup = speedupOf(All, Function);
    if (!Speedup)
      continue;
    const auto Count =
        std::ranges::count_if(All.Steps, [&](const StepTimes &S) { return isOf(S, Function); });
    Rows.add({Function.empty() ? "[step]" : fit(Function, NameWidth), std::to_string(Count),
              shownTime(medianOf(All, Function, [](const StepTimes &S) { return S.EagerNs; })),
              shownTime(medianOf(All, Function, [](const StepTimes &S) { return S.CompiledNs; })),
              fmt::format("{:.2f}x", Speedup->Median),
              fmt::format("{:.2f}..{:.2f}", Speedup->Min, Speedup->Max)});
  }
  Text += '\n' + Rows.text(Colours);
}

void partRows(std::string &Text, const Attribution &All, bool Colours) {
  const StepTimes Sum = sumOf(All.Steps);
  const int64_t Eager = Sum.EagerNs, Compiled = Sum.CompiledNs;
  const PassTimes &Backward = Sum.Backward;
  const size_t Steps = All.Steps.size();
  Table Rows(
      {"Mean of a step", "Eager", "Compiled", "Ratio", "Saved", "Of saving %", "Ops", "Calls"});
  for (size_t I = 0; I < StepParts; ++I) {
    const PartTimes &Part = Sum.Of[I];
    if (!Part.Ops && !Part.Kernels && !Part.EagerNs && !Part.CompiledNs)
      continue;
    const StepPart Which = static_cast<StepPart>(I);
    const bool Work = Which != StepPart::Overhead && Which != StepPart::Idle;
    Rows.add(
        {std::string(titleOf(Which)), shownPerStep(Part.EagerNs, Steps),
         shownPerStep(Part.CompiledNs, Steps), shownRatio(Part.EagerNs, Part.CompiledNs),
         shownPerStep(Part.EagerNs - Part.CompiledNs, Steps),
         Eager == Compiled
             ? "-"
             : fmt::format("{:.1f}", 100.0 * static_cast<double>(Part.EagerNs - Part.CompiledNs) /
                                         static_cast<double>(Eager - Compiled)),
         Work ? shownCount(Part.Ops, Steps) : "", Work ? shownCount(Part.Kernels, Steps) : ""});
    if (Which == StepPart::Overhead && Sum.GuardsNs)
      Rows.add({"  of which guards", "", shownPerStep(Sum.GuardsNs, Steps)}, Emphasis::Faint);
  }
  Rows.add({"[step]", shownPerStep(Eager, Steps), shownPerStep(Compiled, Steps),
            shownRatio(Eager, Compiled), shownPerStep(Eager - Compiled, Steps), "100.0"},
           Emphasis::Faint);
  if (Backward.EagerNs || Backward.CompiledNs)
    Rows.add({"  of which backward", shownPerStep(Backward.EagerNs, Steps),
              shownPerStep(Backward.CompiledNs, Steps),
              shownRatio(Backward.EagerNs, Backward.CompiledNs),
              shownPerStep(Backward.EagerNs - Backward.CompiledNs, Steps)},
             Emphasis::Faint);
  Text += '\n' + Rows.text(Colours);
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

std::string shownRatio(int64_t Eager, int64_t Compiled) {
  return Eager > 0 && Compiled > 0
             ? fmt::format("{:.2f}x", static_cast<double>(Eager) / static_cast<double>(Compiled))
             : "-";
}

std::string shownCount(uint64_t Count, size_t Steps) {
  return fmt::format("{:.4g}", static_cast<double>(Count) / static_cast<double>(Steps));
}

std::string shownPerStep(int64_t Ns, size_t Steps) {
  const int64_t Mean = Ns / static_cast<int64_t>(Steps);
  return Mean < 0 ? "-" + shownTime(-Mean) : shownTime(Mean);
}

std::string attributionText(const ReportInput &Input, bool Colours) {
  std::string Own = Input.Own ? "\n" + Input.Own->text() + "\n" : std::string();
  if (!Input.Compared || !Input.Torch)
    return Own;
  const ComparedRuns &Runs = *Input.Compared;
  const Attribution &All = Runs.All;
  std::string Text =
      Own + fmt::format("\nEager against compiled: {} steps of {} run{} each; left out: {} with "
                        "compilation ({}), {} "
                        "of warm-up\n",
                        All.Steps.size(), Runs.Pairs, Runs.Pairs == 1 ? "" : "s",
                        All.Compiling.Steps, shownTime(All.CompilingNs), All.WarmUp.Steps);
  if (All.Steps.empty()) {
    Text +=
        "note: nothing to compare: no step ran without compilation in it, in both runs; let the "
        "program run more of them\n";
  } else {
    stepRows(Text, All, Colours);
    partRows(Text, All, Colours);
    Text += replacedText(Input, Colours);
    unplaced(Text, All);
  }
  for (const std::string &Note : Runs.Notes)
    Text += "note: " + escaped(Note) + '\n';
  return Text;
}

} // namespace seamscope::tools
