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
      {{column::name("Inlined function, by its loops").cut(60),
        [](const InlinedFunction &F) { return F.Name; }},
       {{"loops", "Loops", Unit::Count, "of its source"},
        [](const InlinedFunction &F) { return F.Loops; }},
       {column::calls().titled("Entered").helped("how often its loops were entered"),
        [](const InlinedFunction &F) { return F.Calls; }},
       {column::total(), [](const InlinedFunction &F) { return F.TotalNs; }},
       {Column("kernels", "In", Unit::List, "kernels that it was inlined into")
            .left()
            .cut(40)
            .in(ForJson | ForPeople),
        [](const InlinedFunction &F) {
          return Value(Value::List(F.Kernels.begin(), F.Kernels.end()));
        }},
       {column::source().titled("First loop"),
        [In](const InlinedFunction &F) { return In->source(In->site(F.Place)); }}});
  Rows.Top = In->Input.rowsOf(UsualRows);
  Rows.More = "more functions";
  Rows.In = ForJson | (Rows.Count ? ForPeople : 0);
  const bool Any = Rows.Count;
  To.Items.emplace_back(std::move(Rows));
  if (Any)
    To.Items.emplace_back(Sentence{"their time is in that of the kernels they are in, too"});
}

} // namespace seamscope::tools
