//===- AttributionText.cpp - eager against compiled, for people ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Attribution.h"
#include "report/Table.h"
#include "trace/Escape.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;
constexpr size_t OpsWidth = 60;

std::string fit(std::string_view Text, size_t Width) { return shortened(escaped(Text), Width); }

std::string ratio(int64_t Eager, int64_t Compiled) {
  return Eager > 0 && Compiled > 0
             ? fmt::format("{:.2f}x", static_cast<double>(Eager) / static_cast<double>(Compiled))
             : "-";
}

/// A count per step.
std::string each(uint64_t Count, size_t Steps) {
  return fmt::format("{:.4g}", static_cast<double>(Count) / static_cast<double>(Steps));
}

/// A time per step; a saving may be negative.
std::string perStep(int64_t Ns, size_t Steps) {
  const int64_t Mean = Ns / static_cast<int64_t>(Steps);
  return Mean < 0 ? "-" + shownTime(-Mean) : shownTime(Mean);
}

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
  const Parts Sum = sumOf(All.Steps);
  const size_t Steps = All.Steps.size();
  int64_t Eager = 0, Compiled = 0, Guards = 0;
  PassTimes Backward;
  for (const StepTimes &Step : All.Steps) {
    Eager += Step.EagerNs;
    Compiled += Step.CompiledNs;
    Guards += Step.GuardsNs;
    Backward.EagerNs += Step.Backward.EagerNs;
    Backward.CompiledNs += Step.Backward.CompiledNs;
  }
  Table Rows(
      {"Mean of a step", "Eager", "Compiled", "Ratio", "Saved", "Of saving %", "Ops", "Calls"});
  for (size_t I = 0; I < StepParts; ++I) {
    const PartTimes &Part = Sum[I];
    if (!Part.Ops && !Part.Kernels && !Part.EagerNs && !Part.CompiledNs)
      continue;
    const bool Work = static_cast<StepPart>(I) != StepPart::Overhead;
    Rows.add(
        {std::string(titleOf(static_cast<StepPart>(I))), perStep(Part.EagerNs, Steps),
         perStep(Part.CompiledNs, Steps), ratio(Part.EagerNs, Part.CompiledNs),
         perStep(Part.EagerNs - Part.CompiledNs, Steps),
         Eager == Compiled
             ? "-"
             : fmt::format("{:.1f}", 100.0 * static_cast<double>(Part.EagerNs - Part.CompiledNs) /
                                         static_cast<double>(Eager - Compiled)),
         Work ? each(Part.Ops, Steps) : "", Work ? each(Part.Kernels, Steps) : ""});
    if (!Work && Guards)
      Rows.add({"  of which guards", "", perStep(Guards, Steps)}, Emphasis::Faint);
  }
  Rows.add({"[step]", perStep(Eager, Steps), perStep(Compiled, Steps), ratio(Eager, Compiled),
            perStep(Eager - Compiled, Steps), "100.0"},
           Emphasis::Faint);
  if (Backward.EagerNs || Backward.CompiledNs)
    Rows.add({"  of which backward", perStep(Backward.EagerNs, Steps),
              perStep(Backward.CompiledNs, Steps), ratio(Backward.EagerNs, Backward.CompiledNs),
              perStep(Backward.EagerNs - Backward.CompiledNs, Steps)},
             Emphasis::Faint);
  Text += '\n' + Rows.text(Colours);
}

/// A row of kernels, generated or a library's.
struct Row {
  std::string Name, Replaced;
  CallTimes Times;
};

/// "add x3, mul": calls in one step.
std::string operators(const CallTimes &Times, size_t Steps, bool Shapes) {
  std::map<std::string, uint64_t> Counts;
  for (const auto &[Op, Known] : Times.Ops) {
    if (isView(Op.first) && Times.Ops.size() > 1)
      continue; // beside what it is for
    std::string Name = Op.first.starts_with("aten::") ? Op.first.substr(6) : Op.first;
    if (Shapes)
      Name += " " + Op.second;
    Counts[Name] += Known.Calls;
  }
  std::string Text;
  for (const auto &[Name, Calls] : Counts) {
    Text += Text.empty() ? "" : ", ";
    const uint64_t InStep = Calls / Steps;
    Text += InStep > 1 ? fmt::format("{} x{}", Name, InStep) : Name;
  }
  return Text.empty() ? "[only part of operators]" : Text;
}

/// Slower than what they replaced first, by how much; then the others by time.
void sortRows(std::vector<Row> &Rows) {
  const auto Lost = [](const Row &R) {
    return R.Times.EagerNs ? R.Times.CompiledNs - R.Times.EagerNs : 0;
  };
  std::ranges::stable_sort(Rows, [&](const Row &A, const Row &B) {
    const int64_t LostA = std::max<int64_t>(0, Lost(A)), LostB = std::max<int64_t>(0, Lost(B));
    return LostA != LostB ? LostA > LostB : A.Times.CompiledNs > B.Times.CompiledNs;
  });
}

void kernelRows(std::string &Text, const char *Title, const char *What, std::vector<Row> Rows,
                size_t Steps, size_t Top, bool Colours) {
  if (Rows.empty())
    return;
  sortRows(Rows);
  Table Shown({Title, "Calls", "Eager", "Compiled", "Speedup", What}, {5});
  for (size_t I = 0; I < std::min(Top, Rows.size()); ++I) {
    const CallTimes &Times = Rows[I].Times;
    const bool Slower = Times.EagerNs && Times.CompiledNs > Times.EagerNs;
    Shown.add({fit(Rows[I].Name, NameWidth), each(Times.Calls, Steps),
               Times.EagerNs ? perStep(Times.EagerNs, Steps) : "-",
               perStep(Times.CompiledNs, Steps),
               ratio(Times.EagerNs, Times.CompiledNs) + (Slower ? " slower" : ""),
               fit(Rows[I].Replaced, OpsWidth)},
              Slower ? Emphasis::Strong : Emphasis::None);
  }
  Text += '\n' + Shown.text(Colours);
}

void kernels(std::string &Text, const ReportInput &Input, bool Colours) {
  const Attribution &All = Input.Compared->All;
  const TorchRun &Torch = *Input.Torch;
  const size_t Steps = All.Steps.size();
  std::vector<Row> Generated;
  for (const KernelRow &Each : Input.Numbers->Kernels)
    if (const GeneratedKernel *Kernel = Torch.kernel(Each.Site)) {
      CallTimes Times = timesOf(All, Torch, *Kernel);
      if (!Times.Calls)
        continue;
      std::string Ops = operators(Times, Steps, false);
      Generated.push_back({std::string(Input.Source->text(Input.Source->Sites[Each.Site].Name)),
                           std::move(Ops), std::move(Times)});
    }
  kernelRows(Text, "Fused kernel", "Replaced, in a step", std::move(Generated), Steps, Input.Top,
             Colours);

  std::map<std::pair<std::string, std::string>, Row> Extern;
  for (const KernelUse &Use : Torch.Graphs.uses()) {
    const CodeCall &Call = Torch.Graphs.callOf(Use);
    const CallTimes *Found = All.find(Use.Graph, Use.Call);
    if (!Call.Extern || !Found)
      continue;
    const CallTimes &Times = *Found;
    const auto Main =
        std::ranges::max_element(Times.Ops, {}, [](const auto &Op) { return Op.second.Ns; });
    std::string Key = Main == Times.Ops.end() ? "" : Main->first.first + " " + Main->first.second;
    Row &Known = Extern[{Call.Kernel, Key}];
    Known.Name = Call.Kernel;
    Known.Replaced = Key.empty() ? "[only part of operators]" : Key;
    Known.Times.Calls += Times.Calls;
    Known.Times.CompiledNs += Times.CompiledNs;
    Known.Times.EagerNs += Times.EagerNs;
  }
  std::vector<Row> Rows;
  for (auto &[Key, Each] : Extern)
    Rows.push_back(std::move(Each));
  kernelRows(Text, "Library's kernel", "In eager mode", std::move(Rows), Steps, Input.Top, Colours);
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

std::string attributionText(const ReportInput &Input, bool Colours) {
  if (!Input.Compared || !Input.Torch)
    return {};
  const ComparedRuns &Runs = *Input.Compared;
  const Attribution &All = Runs.All;
  std::string Text = fmt::format(
      "\nEager against compiled: {} steps of {} run{} each; left out: {} with compilation ({}), {} "
      "of warm-up\n",
      All.Steps.size(), Runs.Pairs, Runs.Pairs == 1 ? "" : "s", All.Compiling.Steps,
      shownTime(All.CompilingNs), All.WarmUp.Steps);
  if (All.Steps.empty()) {
    Text +=
        "note: nothing to compare: no step ran without compilation in it, in both runs; let the "
        "program run more of them\n";
  } else {
    stepRows(Text, All, Colours);
    partRows(Text, All, Colours);
    kernels(Text, Input, Colours);
    unplaced(Text, All);
  }
  for (const std::string &Note : Runs.Notes)
    Text += "note: " + escaped(Note) + '\n';
  return Text;
}

} // namespace seamscope::tools
