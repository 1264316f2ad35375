//===- CompiledSteps.cpp - where a compiled step's time goes, without an eager run ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/StepsAlone.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

struct PartRow {
  StepPart Which;
  PartTimes Times;
};

/// What the steps are, and how long they took.
std::string headText(const StepsAlone &All) {
  std::vector<int64_t> Ns;
  for (const StepTimes &Each : All.Steps)
    Ns.push_back(Each.CompiledNs);
  std::ranges::sort(Ns);
  return fmt::format("{} step{}, each {}: median {} ({} to {}); left out: {} with compilation, {} "
                     "of warm-up",
                     Ns.size(), Ns.size() == 1 ? "" : "s", stepText(All.By, All.Steps),
                     shownTime(Ns[(Ns.size() - 1) / 2]), shownTime(Ns.front()),
                     shownTime(Ns.back()), All.Compiling, All.WarmUp);
}

Table partTable(const StepsAlone &All, const StepTimes &Sum) {
  const size_t Steps = All.Steps.size();
  const auto Line = [&](Cell Name, int64_t Ns, size_t Depth = 0,
                        Emphasis Of = Emphasis::None) -> TreeLine {
    return {std::move(Name),
            {{"ns", perStep(Ns, Steps)}, {"percent", percentOf(Ns, Sum.CompiledNs)}},
            Depth,
            Of};
  };
  std::vector<TreeLine> Lines;
  for (size_t I = 0; I < StepParts; ++I) {
    const PartTimes &Part = Sum.Of[I];
    const auto Which = static_cast<StepPart>(I);
    if (!Part.Kernels && !Part.CompiledNs)
      continue;
    Lines.push_back(Line(All.OnDevice ? titleOnDevice(Which) : titleOf(Which), Part.CompiledNs));
    if (Which != StepPart::Overhead && Which != StepPart::Idle && Which != StepPart::Unknown)
      Lines.back().Cells.emplace_back("calls", countCell(Part.Kernels, Steps));
    if (Which == StepPart::Overhead && Sum.GuardsNs)
      Lines.push_back(Line("of which guards", Sum.GuardsNs, 1, Emphasis::Faint));
  }
  Lines.push_back(Line("[step]", Sum.CompiledNs, 0, Emphasis::Faint));
  if (Sum.Backward.CompiledNs)
    Lines.push_back(Line("of which backward", Sum.Backward.CompiledNs, 1, Emphasis::Faint));
  return treeTable("compiled-step-parts", "Parts of a step",
                   {Column("part", "Mean of a step", Unit::Text, "kind of work"),
                    Column("ns", "Time", Unit::Ns, "of a step"),
                    column::percent("percent", "Step %", "of the step"),
                    Column("calls", "Calls", Unit::Count, "kernels and operators in a step")},
                   std::move(Lines));
}

void addData(Section &To, const StepsAlone &All, const StepTimes &Sum) {
  const auto Add = [&](const char *Key, Unit Of, const char *Help, Cell What) {
    To.fact({std::string("compiled_steps.") + Key, "", Of, Help}, std::move(What));
  };
  Add("by", Unit::Text, StepsByHelp, keyOf(All.By));
  Add("time_of", Unit::Text, "device or host", All.OnDevice ? "device" : "host");
  Add("steps", Unit::Count, "that are counted", All.Steps.size());
  Add("compiling", Unit::Count, "further steps, with compilation", All.Compiling);
  Add("warm_up", Unit::Count, "further steps", All.WarmUp);
  Add("total_ns", Unit::Ns, "of all steps", Sum.CompiledNs);
  Add("backward_ns", Unit::Ns, "of it, in the backward pass", Sum.Backward.CompiledNs);
  Add("guards_ns", Unit::Ns, "of it, of the overhead", Sum.GuardsNs);
  std::vector<PartRow> Rows;
  for (size_t I = 0; I < StepParts; ++I)
    Rows.push_back({static_cast<StepPart>(I), Sum.Of[I]});
  To.add(forJson(
      makeTable<PartRow>("compiled_steps.parts", "", std::move(Rows),
                         {{column::name(""), [](const PartRow &P) { return keyOf(P.Which); }},
                          {column::total(), [](const PartRow &P) { return P.Times.CompiledNs; }},
                          {column::calls(), [](const PartRow &P) { return P.Times.Kernels; }}})));
}

} // namespace

void addCompiledSteps(Section &To, const Context &In) {
  const StepsAlone *const All = In->Input.Steps;
  if (!All)
    return;
  const StepTimes Sum = sumOf(All->Steps);
  addData(To, *All, Sum);
  if (All->Steps.empty()) {
    if (All->Compiling || All->WarmUp)
      To.say(fmt::format("note: no step ran without compilation in it: {} did with; let the "
                         "program run more of them",
                         All->Compiling));
    return;
  }
  To.sayApart(headText(*All));
  To.add(partTable(*All, Sum));
}

} // namespace seamscope::tools
