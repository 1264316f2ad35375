//===- Diff.cpp - the verb `diff` -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Diff.h"
#include "analysis/torch/Steps.h"
#include "cli/Help.h"
#include "cli/Output.h"
#include "cli/ReportInputs.h"
#include "cli/Verbs.h"
#include "report/model/Choose.h"
#include "report/sections/Filter.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace seamscope::tools {
namespace {

/// What rows can be sorted by.
enum class DiffOrder { Delta, First, Second, FirstCalls, SecondCalls, Name };

struct DiffOptions {
  std::string First, Second, Filter, Columns;
  std::optional<int64_t> Rank; ///< of both
  DiffOrder Order = DiffOrder::Delta;
  OutputWanted Output;
  bool Strict = false;
  RowsWanted Top;
  unsigned Threads = 0;
  WantedPart Part; ///< of both
};

/// Largest first; names from A on. Those that are equal stay as they are.
void sortRows(std::vector<DiffRow> &Rows, DiffOrder Order) {
  const auto Largest = [&](auto Get) {
    std::ranges::stable_sort(Rows, std::ranges::greater(), Get);
  };
  switch (Order) {
  case DiffOrder::Delta: // as they come
    return;
  case DiffOrder::First:
    return Largest(&DiffRow::FirstNs);
  case DiffOrder::Second:
    return Largest(&DiffRow::SecondNs);
  case DiffOrder::FirstCalls:
    return Largest(&DiffRow::FirstCalls);
  case DiffOrder::SecondCalls:
    return Largest(&DiffRow::SecondCalls);
  case DiffOrder::Name:
    std::ranges::stable_sort(Rows, {}, &DiffRow::Key);
    return;
  }
}

/// Leaves the rows that pass, of loops those of kernels that do.
DiffFiltered filterRows(Difference &Of, const NameFilter &Filter) {
  DiffFiltered Out;
  std::erase_if(Of.Rows, [&](const DiffRow &Row) {
    if (Filter.passes(Row.Key))
      return false;
    ++Out.Rows;
    Out.FirstNs += Row.FirstNs;
    Out.SecondNs += Row.SecondNs;
    Out.FirstCalls += Row.FirstCalls;
    Out.SecondCalls += Row.SecondCalls;
    return true;
  });
  std::erase_if(Of.Loops, [&](const LoopDiffRow &Row) { return !Filter.passes(Row.Kernel); });
  return Out;
}

int diff(const DiffOptions &Options) {
  NameFilter Filter;
  if (const std::string Why = Options.Filter.empty() ? "" : Filter.set(Options.Filter);
      !Why.empty()) {
    complain("diff: --filter: " + Why);
    return BadUsage;
  }
  const std::string A = oneTraceOf("diff", Options.First, Options.Rank);
  const std::string B = A.empty() ? A : oneTraceOf("diff", Options.Second, Options.Rank);
  if (B.empty())
    return BadData;
  auto First = readNamed(A, readOptions(A, Options.Threads));
  if (!First)
    return fail(First.error());
  auto Second = readNamed(B, readOptions(B, Options.Threads));
  if (!Second)
    return fail(Second.error());
  for (Trace *Side : {&*First, &*Second}) {
    if (!Side->Profile.empty())
      return fail({Side->Info.Path,
                   {},
                   "holds sums of mode profile, not calls; `diff` needs traces of mode trace"});
    if (const int Failed = cutToPart("diff", Options.Part, *Side))
      return Failed;
    dropOperatorsOfCompilation(*Side);
  }
  Difference Result = difference(*First, *Second);
  addLoopDifference(Result, *First, *Second);
  const DiffFiltered Filtered = filterRows(Result, Filter);
  sortRows(Result.Rows, Options.Order);
  // A table for people is short, data are whole.
  constexpr size_t UsualRows = 50;
  const DiffInput Input = {&*First, &*Second, &Result,
                           Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : UsualRows),
                           Filtered};
  Document Made = diffDocument(Input);
  if (!Options.Columns.empty())
    if (const std::string Why = chooseColumns(Made, splitList(Options.Columns)); !Why.empty()) {
      complain("diff: --columns: " + Why);
      return BadUsage;
    }
  const int Written = writeDocument(Made, Options.Output);
  const int Damage = std::max(reportDamage(First->Info, Options.Strict),
                              reportDamage(Second->Info, Options.Strict));
  return Written ? Written : Damage;
}

} // namespace

Action addDiff(CLI::App &Verb) {
  auto Options = std::make_shared<DiffOptions>();
  Verb.add_option("A", Options->First,
                  "Trace to compare from, or the folder of a run; see `seamscope report --help`")
      ->required();
  Verb.add_option("B", Options->Second, "Trace to compare to")->required();
  addOutputOptions(Verb, Options->Output, "seamscope.diff/1", "a row");
  addTopOption(Verb, Options->Top,
               "Show only the first N rows; default: 50 of them in the text, all else");
  addFilterOption(Verb, Options->Filter);
  Verb.add_option("-c,--columns", Options->Columns,
                  "Columns to show, with commas between, of match, a, b, a_calls, b_calls, delta, "
                  "percent; or all")
      ->type_name("LIST:{match,a,b,a_calls,b_calls,delta,percent,all}")
      ->excludes(Verb.get_option("--json"));
  addChoice<DiffOrder, DiffOrder>(Verb, "--sort", Options->Order,
                                  {{"delta", DiffOrder::Delta},
                                   {"a", DiffOrder::First},
                                   {"b", DiffOrder::Second},
                                   {"a_calls", DiffOrder::FirstCalls},
                                   {"b_calls", DiffOrder::SecondCalls},
                                   {"name", DiffOrder::Name}},
                                  "Sort by delta (the largest change, the default), a or b (time), "
                                  "a_calls, b_calls or name");
  addPartOptions(Verb, Options->Part);
  addRankOption(Verb, Options->Rank);
  addThreadsOption(Verb, Options->Threads);
  Verb.add_flag("--strict", Options->Strict,
                "Fail (exit code 1) also when single events had to be left out");
  refuseOptions(Verb, {"--by"},
                "its rows are the kernels and operators by which two traces can be matched");
  putUnder(heading::Input, Verb, {"--window", "--step", "--rank", "--threads", "--strict"});
  putUnder(heading::Rows, Verb, {"--columns", "--filter", "--top", "--sort"});
  addExamples(Verb, {"before.json after.json --top 20", "--sort b --filter gemm a.json b.json",
                     "h100.json.gz mi300x.json.gz --step 3 --csv -o difference.csv"});
  return [Options] { return diff(*Options); };
}

} // namespace seamscope::tools
