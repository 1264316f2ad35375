//===- Findings.cpp - steps, compiled regions and advice --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace seamscope::tools {

void addCompiled(Section &To, const Context &In) {
  if (!In->Input.Devices)
    return;
  constexpr size_t NameWidth = 64, MostSteps = 8;
  const CompiledView &View = In->Input.Devices->Compiled;
  Table Rows = makeTable<CompiledRow>(
      "compiled.rows", "Compiled regions", std::span(View.Rows),
      {{column::name("Compiled").cut(NameWidth),
        [In](const CompiledRow &R) { return In->Source.text(R.Name); }},
       {{"kind", Unit::Text, "graph or region"},
        [](const CompiledRow &R) { return R.IsGraph ? "graph" : "region"; }},
       {{"frame", Unit::Count, "number of the frame"}, &CompiledRow::Frame},
       {{"recompile", Unit::Count, "0: what was compiled first"},
        [](const CompiledRow &R) { return R.Frame ? Value(R.Recompile) : Value(); }},
       {column::calls(), &CompiledRow::Calls},
       {column::total().titled("Host"), &CompiledRow::TotalNs},
       {{"device_ns", "Device", Unit::Ns, "of the work launched inside"}, &CompiledRow::DeviceNs}});
  Rows.In = ForJson | (View.any() ? ForPeople : 0);
  To.add(std::move(Rows));
  if (View.Recompiled)
    To.say(fmt::format("{} regions had been compiled again (a number behind / that is not 0)",
                       View.Recompiled));
  Table Steps = makeTable<CompiledStep>(
      "compiled.steps", "Steps with compiled regions", std::span(View.Steps),
      {{column::name("Step").cut(NameWidth),
        [In](const CompiledStep &S) { return In->textOr(S.Name, "[outside marked steps]"); }},
       {{"wall_ns", "Wall", Unit::Ns, "its duration"}, &CompiledStep::WallNs},
       {{"compiled_ns", "Compiled", Unit::Ns, "on its thread, inside of regions"},
        &CompiledStep::CompiledNs},
       {{"outside_ns", "Outside", Unit::Ns, "wall_ns less compiled_ns"}, &CompiledStep::OutsideNs},
       {{"regions", "Regions", Unit::Count, "entered, not counting those inside others"},
        &CompiledStep::Regions},
       {{"graph_breaks", "Breaks", Unit::Count, "returns to Python between two regions"},
        [](const CompiledStep &S) { return S.Name ? Value(S.GraphBreaks) : Value(); }},
       {{"eager_ops", "Eager ops", Unit::Count, "outermost operators outside of regions"},
        &CompiledStep::EagerOps},
       {{"eager_ns", Unit::Ns, "their time on the host"}, &CompiledStep::EagerNs},
       {Column("between", "Between", Unit::List, "operators between regions, by time")
            .left()
            .cut(NameWidth)
            .in(ForJson | ForPeople),
        [In](const CompiledStep &S) {
          return listOf(S.Between | std::views::transform(
                                        [&](StringId Name) { return In->Source.text(Name); }));
        }}});
  Steps.In = ForJson | (View.any() ? ForPeople : 0);
  Steps.Top = MostSteps;
  To.add(std::move(Steps));
  To.fact({"compiled.recompiled", Unit::Count, "regions that were compiled again"},
          View.Recompiled);
}

void addFindings(Section &To, const Context &In) {
  if (!In->Input.Devices)
    return;
  constexpr size_t MostAdvice = 5;
  const std::vector<Advice> &Found = In->Input.Devices->Findings;
  To.add(forJson(makeTable<Advice>(
      "advice", "Findings", std::span(Found),
      {{{"kind", Unit::Text, "a stable word"}, &Advice::Kind},
       {{"saving_ns", Unit::Ns, "what a perfect remedy could save at most"}, &Advice::SavingNs},
       {{"evidence", Unit::Text, "what was seen, in numbers"}, &Advice::Evidence},
       {{"remedy", Unit::Text, "what to do"}, &Advice::Remedy}})));
  const int64_t WindowNs = In->Numbers.WindowNs;
  for (size_t I = 0; I < Found.size(); ++I) {
    const Advice &A = Found[I];
    Finding One = {A.Kind, A.Evidence, A.Remedy, A.SavingNs,
                   A.InWindow ? percentOf(A.SavingNs, WindowNs) : std::nullopt};
    One.In = I < MostAdvice ? ForPeople : ForHtml;
    To.add(std::move(One));
  }
}

} // namespace seamscope::tools
