//===- Attribution.cpp - eager against compiled, step by step --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedSteps.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Sections.h"
#include "run/join/TorchRun.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;

std::string_view shownTitle(const Attribution &All, StepPart Which) {
  return All.OnDevice ? titleOnDevice(Which) : titleOf(Which);
}

/// For kernels that ran on the host; a line, or empty if all ran on devices.
std::string toolsText(const ReportContext &In) {
  const auto OnHost = [&](const auto &Kernel) { return In.site(Kernel.first).Device < 0; };
  const auto &Kernels = In.Input.Torch->Kernels;
  if (!Kernels.empty() && std::ranges::none_of(Kernels, OnHost))
    return {};
  const RunTools &Tools = In.Input.Compared->Tools;
  const auto Name = [](const std::string &Path, const char *Else) {
    return Path.empty() ? std::string(Else)
                        : escaped(std::filesystem::path(Path).filename().string());
  };
  return fmt::format("Kernels compiled by {}; OpenMP of both runs by {}",
                     Name(Tools.Compiler, "the compiler that torch or CXX chose"),
                     Name(Tools.OpenMP, "the libraries that the program loads"));
}

Column eagerColumn() { return {"eager_ns", "Eager", Unit::Ns, "of a step in eager mode"}; }
Column compiledColumn() { return {"compiled_ns", "Compiled", Unit::Ns, "of a compiled step"}; }

/// Columns that replace times, if the times are not the program's.
Column eagerShareColumn() {
  return column::percent("eager_percent", "Of eager %", "of the steps in eager mode");
}
Column compiledShareColumn() {
  return column::percent("compiled_percent", "Of compiled %", "of the compiled steps");
}

template <typename Times>
std::vector<std::pair<const char *, Cell>> shares(const Times &Of, const StepTimes &All) {
  return {{"eager_percent", Cell(percentOf(Of.EagerNs, All.EagerNs))},
          {"compiled_percent", Cell(percentOf(Of.CompiledNs, All.CompiledNs))}};
}

Table stepTable(const Attribution &All, bool SharesOnly) {
  std::vector<TreeLine> Lines;
  const StepTimes Whole = sumOf(All.Steps);
  for (const std::string &Function : steppedFunctions(All)) {
    PassTimes Sum;
    size_t Count = 0;
    for (const StepTimes &Step : All.Steps)
      if (All.By == StepsBy::Mark || Step.Name == Function) {
        Sum.EagerNs += Step.EagerNs;
        Sum.CompiledNs += Step.CompiledNs;
        ++Count;
      }
    if (SharesOnly) {
      Lines.push_back({Function.empty() ? Cell("[step]") : Cell(Function), shares(Sum, Whole)});
      Lines.back().Cells.emplace_back("steps", Count);
      continue;
    }
    const PairedTimes Paired = pairedTimes(All, Function);
    const auto Ratio = Paired.ratio();
    Lines.push_back({Function.empty() ? Cell("[step]") : Cell(Function),
                     {{"steps", Count},
                      {"eager_ns", perStep(Sum.EagerNs, Count)},
                      {"compiled_ns", perStep(Sum.CompiledNs, Count)},
                      {"speedup", ratioCell(Sum.EagerNs, Sum.CompiledNs, Paired)},
                      {"interval", Ratio ? shownRatio(Ratio->Low) + ".." + shownRatio(Ratio->High)
                                         : std::string("-")}}});
  }
  const Column Steps("steps", "Steps", Unit::Count, "that are compared");
  if (SharesOnly)
    return treeTable("step-functions", "Steps",
                     {column::name("Step"), Steps, eagerShareColumn(), compiledShareColumn()},
                     std::move(Lines));
  return treeTable("step-functions", "Steps",
                   {column::name("Step"), Steps, eagerColumn(), compiledColumn(),
                    Column("speedup", "Speedup", Unit::Ratio, "eager over compiled"),
                    Column("interval", "95 %", Unit::Text, "interval of the speedup")},
                   std::move(Lines));
}

Table partTable(const Attribution &All, bool SharesOnly) {
  const StepTimes Sum = sumOf(All.Steps);
  const int64_t Saved = Sum.EagerNs - Sum.CompiledNs;
  const size_t Steps = All.Steps.size();
  const PairedTimes Whole = pairedTimes(All);
  // Shares of next to nothing are not shown.
  const bool HasShares = Saved && (!Whole.ratio() || Whole.ratio()->differs());
  const auto Times = [&](const auto &Of, Cell Ratio) {
    if (SharesOnly)
      return shares(Of, Sum);
    return std::vector<std::pair<const char *, Cell>>{
        {"eager_ns", perStep(Of.EagerNs, Steps)},
        {"compiled_ns", perStep(Of.CompiledNs, Steps)},
        {"saved_ns", perStep(Of.EagerNs - Of.CompiledNs, Steps)},
        {"ratio", std::move(Ratio)}};
  };
  const auto Ratio = [&](const auto &Of, const PairedTimes &Paired) {
    return ratioCell(Of.EagerNs, Of.CompiledNs, Paired);
  };
  std::vector<TreeLine> Lines;
  for (size_t I = 0; I < StepParts; ++I) {
    const PartTimes &Part = Sum.Of[I];
    if (!Part.Ops && !Part.Kernels && !Part.EagerNs && !Part.CompiledNs)
      continue;
    const StepPart Which = static_cast<StepPart>(I);
    const auto OfStep = [&](const StepTimes &S) { return S.Of[I]; };
    // The operators' time there is compared with whatever the compiled code did.
    const bool IsPaired = Which != StepPart::Unknown;
    TreeLine Line = {shownTitle(All, Which),
                     Times(Part, IsPaired ? Ratio(Part, pairedOf(All, OfStep)) : Cell())};
    if (!SharesOnly)
      Line.Cells.emplace_back(
          "percent", HasShares ? Cell(percentOf(Part.EagerNs - Part.CompiledNs, Saved)) : Cell());
    if (Which != StepPart::Overhead && Which != StepPart::Idle) {
      Line.Cells.emplace_back("ops", countCell(Part.Ops, Steps));
      Line.Cells.emplace_back("calls", countCell(Part.Kernels, Steps));
    }
    Lines.push_back(std::move(Line));
    if (Which == StepPart::Overhead && Sum.GuardsNs)
      Lines.push_back(
          {"of which guards",
           {SharesOnly
                ? std::pair<const char *, Cell>("compiled_percent",
                                                percentOf(Sum.GuardsNs, Sum.CompiledNs))
                : std::pair<const char *, Cell>("compiled_ns", perStep(Sum.GuardsNs, Steps))},
           1,
           Emphasis::Faint});
  }
  Lines.push_back({"[step]", Times(Sum, Ratio(Sum, Whole)), 0, Emphasis::Faint});
  if (!SharesOnly)
    Lines.back().Cells.emplace_back("percent", HasShares ? Cell(100.0) : Cell());
  if (const PassTimes &Backward = Sum.Backward; Backward.EagerNs || Backward.CompiledNs) {
    const PairedTimes Paired = pairedOf(All, &StepTimes::Backward);
    Lines.push_back(
        {"of which backward", Times(Backward, Ratio(Backward, Paired)), 1, Emphasis::Faint});
  }
  std::vector<Column> Columns = {Column("part", "Mean of a step", Unit::Text, "kind of work")};
  const auto Add = [&](std::initializer_list<Column> More) { Columns.insert(Columns.end(), More); };
  if (SharesOnly)
    Add({eagerShareColumn(), compiledShareColumn()});
  else
    Add({eagerColumn(), compiledColumn(),
         Column("ratio", "Ratio", Unit::Ratio, "eager over compiled, of the trimmed means"),
         Column("saved_ns", "Saved", Unit::Ns, "eager less compiled"),
         column::percent("percent", "Of change %", "of what the step takes less, or more")});
  Add({Column("ops", "Ops", Unit::Count, "eager operators"),
       Column("calls", "Calls", Unit::Count, "kernels and operators in the compiled step")});
  return treeTable("step-parts", "Parts of a step", std::move(Columns), std::move(Lines));
}

/// Names the library calls whose time is not known.
std::string withoutEventText(const Attribution &All) {
  std::string Names;
  uint64_t Calls = 0;
  for (const auto &[Name, Count] : All.WithoutEvent) {
    Names += fmt::format("{}{}", Names.empty() ? "" : ", ", fit(Name, NameWidth));
    Calls += Count;
  }
  return fmt::format("note: {} library call{} left no event ({}): {} time, with that of the "
                     "compiled code around, is in [unknown], as are the eager operators",
                     Calls, Calls == 1 ? "" : "s", Names, Calls == 1 ? "its" : "their");
}

/// Names the operators without a counterpart, the longest ones.
std::string unplacedText(const Attribution &All) {
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
  return fmt::format(
      "note: {} calls of eager operators ({}) have no certain counterpart and are in "
      "[unattributed]: {}{}",
      Sum.Calls, shownTime(Sum.Ns), Names, Rows.size() > Named ? ", ..." : "");
}

} // namespace

Chart waterfallOf(const Attribution &All) {
  const StepTimes Sum = sumOf(All.Steps);
  const auto Steps = static_cast<int64_t>(All.Steps.size());
  Waterfall Of = {"Eager step", "Compiled step", Sum.EagerNs / Steps, Sum.CompiledNs / Steps, {}};
  int64_t Rest = Of.EndNs - Of.BeginNs;
  for (size_t I = 0; I < StepParts; ++I) {
    const int64_t Change = Sum.Of[I].CompiledNs / Steps - Sum.Of[I].EagerNs / Steps;
    if (Change)
      Of.Steps.emplace_back(shownTitle(All, static_cast<StepPart>(I)), Change);
    Rest -= Change;
  }
  // Means are whole ns.
  if (Rest && !Of.Steps.empty())
    Of.Steps.back().second += Rest;
  return {"waterfall", "From eager to compiled: the mean step, part by part", std::move(Of)};
}

std::optional<RatioEstimate> disagreement(const ReportContext &In) {
  const Unrecorded *const Beside = In.Input.Beside;
  // Steps that a program marks are not logged: steps in the logs are calls.
  if (!Beside || !Beside->Speedup || !In.Input.Compared || Beside->By == StepsBy::Mark ||
      In.Input.Compared->All.By != Beside->By)
    return std::nullopt;
  const auto Recorded = pairedTimes(In.Input.Compared->All).ratio(),
             Program = Beside->Speedup->ratio();
  if (!Recorded || !Program || !Recorded->differsFrom(*Program))
    return std::nullopt;
  return Recorded;
}

const char *keyOf(StepsBy By) {
  return By == StepsBy::Mark ? "marks" : By == StepsBy::Call ? "calls" : "turns";
}

std::vector<std::string> steppedFunctions(const Attribution &All) {
  std::vector<std::string> Names;
  for (const StepTimes &Step : All.Steps) {
    const std::string Name = All.By == StepsBy::Mark ? std::string() : Step.Name;
    if (std::ranges::find(Names, Name) == Names.end())
      Names.push_back(Name);
  }
  return Names;
}

Cell ratioCell(int64_t Eager, int64_t Compiled, const PairedTimes &Paired) {
  if (Eager <= 0 || Compiled <= 0)
    return {};
  const double OfMeans = static_cast<double>(Eager) / static_cast<double>(Compiled);
  const std::optional<RatioEstimate> Ratio = Paired.ratio();
  if (!Ratio)
    return {OfMeans, shownRatio(OfMeans) + "x"};
  std::string Text = Ratio->differs() ? shownRatio(Ratio->Value) + "x" : "no difference";
  constexpr double Visible = 0.2; // the two times and the ratio are shown next to each other
  if (!Ratio->holds(OfMeans) ||
      (Ratio->differs() && std::abs(std::log(OfMeans / Ratio->Value)) > Visible))
    Text += " (trimmed)";
  return {Ratio->Value, std::move(Text)};
}

Cell countCell(uint64_t Count, size_t Steps) {
  return Count % Steps ? Cell(Count, fmt::format("{} in {}", Count, Steps)) : Cell(Count / Steps);
}

Cell perStep(int64_t Ns, size_t Steps) { return Ns / static_cast<int64_t>(Steps); }

std::string stepText(StepsBy By, const std::vector<StepTimes> &Steps) {
  if (By == StepsBy::Mark)
    return "what the program marks as one";
  const bool OneFunction =
      std::ranges::all_of(Steps, [&](const StepTimes &Each) { return Each.Name == Steps[0].Name; });
  if (!OneFunction)
    return "a call of a compiled function";
  const std::string Name = escaped(fit(Steps[0].Name, NameWidth));
  return By == StepsBy::Call ? fmt::format("a call of {}", Name)
                             : fmt::format("the time from one call of {} to the next, with the "
                                           "backward pass and all else that the loop does",
                                           Name);
}

void addAttribution(Section &To, const Context &In) {
  if (!In->Input.Compared || !In->Input.Torch)
    return;
  const ComparedRuns &Runs = *In->Input.Compared;
  const Attribution &All = Runs.All;
  addAttributionData(To, In);
  To.sayApart(fmt::format("Eager against compiled{}: {} steps of {} run{} each; left out: {} with "
                          "compilation ({}), {} of warm-up",
                          Runs.ForwardOnly ? ", forward pass only" : "", All.Steps.size(),
                          Runs.Pairs, Runs.Pairs == 1 ? "" : "s", All.Compiling.Steps,
                          shownTime(All.CompilingNs), All.WarmUp.Steps));
  To.say(toolsText(*In));
  if (All.OnDevice)
    To.say("Times are those of the GPU's work. A step begins on the host, or when the GPU is done "
           "with the one before, and ends when both are done");
  if (All.Steps.empty() && !All.Compiling.Steps && !All.WarmUp.Steps && !All.Unpaired) {
    To.say("note: nothing to compare: no call of a compiled function was seen, and the program "
           "marks no steps. One that runs a package compiled ahead of time has the same code in "
           "both runs");
  } else if (All.Steps.empty()) {
    To.say("note: nothing to compare: no step ran without compilation in it, in both runs; let the "
           "program run more of them");
  } else {
    const bool SharesOnly = disagreement(*In).has_value();
    To.say(fmt::format("Each step is {}", stepText(All.By, All.Steps)));
    To.add(stepTable(All, SharesOnly));
    To.add(partTable(All, SharesOnly));
    addReplaced(To, In);
    if (!All.WithoutEvent.empty())
      To.say(withoutEventText(All));
    if (!All.Unplaced.empty())
      To.say(unplacedText(All));
  }
  for (const std::string &Text : Runs.Notes)
    To.say("note: " + escaped(Text));
}

} // namespace seamscope::tools
