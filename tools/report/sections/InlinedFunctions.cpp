//===- InlinedFunctions.cpp - functions that were inlined, by their loops -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/InlinedFunctions.h"
#include "report/sections/Sections.h"

namespace seamscope::tools {

void addInlinedFunctions(Section &To, const Context &In) {
  constexpr size_t UsualRows = 20;
  std::vector<InlinedFunction> Functions;
  if (In->Input.Loops)
    Functions = inlinedFunctions(In->Source, *In->Input.Loops);
  Table Rows = makeTable<InlinedFunction>(
      "inlined_functions", "Inlined functions", std::move(Functions),
      {{column::name("Inlined function, by its loops").cut(60), &InlinedFunction::Name},
       {{"loops", "Loops", Unit::Count, "of its source"}, &InlinedFunction::Loops},
       {column::calls().titled("Entered").helped("how often its loops were entered"),
        &InlinedFunction::Calls},
       {column::total(), &InlinedFunction::TotalNs},
       {Column("kernels", "In", Unit::List, "kernels that it was inlined into")
            .left()
            .cut(40)
            .in(ForJson | ForPeople),
        [](const InlinedFunction &F) { return listOf(F.Kernels); }},
       {column::source().titled("First loop"),
        [In](const InlinedFunction &F) { return In->source(In->site(F.Place)); }}});
  Rows.Top = In->Input.rowsOf(UsualRows);
  Rows.More = "more functions";
  const bool Any = Rows.Count;
  To.add(shownIfAny(std::move(Rows)));
  if (Any)
    To.say("their time is in that of the kernels they are in, too");
}

} // namespace seamscope::tools
