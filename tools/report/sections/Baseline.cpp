//===- Baseline.cpp - fused kernels and eager ones of another trace ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

using Side = std::shared_ptr<const BaselineInput>;

int64_t meanOf(const EagerRow &Row) { return roundedMean(Row.TotalNs, Row.Calls); }

std::vector<EagerRow> rowsAt(const Side &Of, const std::vector<size_t> &Numbers) {
  std::vector<EagerRow> Rows;
  for (const size_t Number : Numbers)
    Rows.push_back(Of->Comparison->Rows[Number]);
  return Rows;
}

Fields<EagerRow> eagerFields(const Side &Of) {
  return {{column::name(""), [Of](const EagerRow &R) { return R.title(*Of->Eager); }},
          {column::calls(), &EagerRow::Calls},
          {column::total(), &EagerRow::TotalNs},
          {{"mean_ns", Unit::Ns, "of its calls"}, meanOf}};
}

void addData(Section &To, const Context &In, const Side &Of) {
  const BaselineComparison &Comparison = *Of->Comparison;
  const auto Name = [In](size_t Kernel) { return In->name(In->Numbers.Kernels[Kernel].Site); };
  To.fact({"baseline.path", "Baseline", Unit::Name, "the eager trace"}, Of->Eager->Info.Path);
  Fields<ReplacedOperator> Ops = {
      {{"op", Unit::Name, "an operator that the kernel replaced"}, &ReplacedOperator::Name},
      {{"count", Unit::Count, "times in one fused call"}, &ReplacedOperator::Count},
      {{"mean_ns", Unit::Ns, "of one eager call"}, &ReplacedOperator::MeanNs},
      rowsField<ReplacedOperator>("rows", "of the baseline", eagerFields(Of),
                                  [Of](const ReplacedOperator &O) { return rowsAt(Of, O.Rows); })};
  To.add(forJson(makeTable<BaselinePair>(
      "baseline.pairs", "Fused and eager", std::span(Comparison.Pairs),
      {{column::name(""), [Name](const BaselinePair &P) { return Name(P.Kernel); }},
       {{"fused_mean_ns", Unit::Ns, "of one fused call"}, &BaselinePair::FusedMeanNs},
       {{"eager_mean_ns", Unit::Ns, "of all eager calls that one fused call replaced"},
        &BaselinePair::EagerMeanNs},
       {{"speedup", Unit::Ratio, "eager over fused"}, &BaselinePair::Speedup},
       {{"approximate", Unit::Flag, "the baseline lacks an operator, or counts are guessed"},
        &BaselinePair::Approximate},
       rowsField("ops", "the operators that it replaced", std::move(Ops),
                 &BaselinePair::Operators)})));
  Value::List Fused;
  for (const size_t Kernel : Comparison.UnmatchedFused)
    Fused.emplace_back(Name(Kernel));
  To.fact({"baseline.unmatched_fused", Unit::List, "kernels without eager rows"},
          Value(std::move(Fused)));
  To.add(forJson(makeTable("baseline.unmatched_eager", "", rowsAt(Of, Comparison.UnmatchedEager),
                           eagerFields(Of))));
}

/// A line for each operator's row that a kernel replaced, for spreadsheets.
void addCsv(Section &To, const Context &In, const Side &Of) {
  struct Line {
    const BaselinePair *Pair;
    const ReplacedOperator *Op;
    const EagerRow *Row;
  };
  std::vector<Line> Lines;
  for (const BaselinePair &Pair : Of->Comparison->Pairs)
    for (const ReplacedOperator &Op : Pair.Operators)
      for (const size_t Row : Op.Rows)
        Lines.push_back({&Pair, &Op, &Of->Comparison->Rows[Row]});
  const auto OfPair = [](auto What) { return member(&Line::Pair, What); };
  Table Rows = makeTable<Line>(
      "baseline.rows", "", std::move(Lines),
      {{{"fused", Unit::Name, "the kernel"},
        [In](const Line &L) { return In->name(In->Numbers.Kernels[L.Pair->Kernel].Site); }},
       {{"fused_calls", Unit::Count, "its calls"},
        [In](const Line &L) { return In->Numbers.Kernels[L.Pair->Kernel].Times.Calls; }},
       {{"fused_mean_ns", Unit::Ns, "of one call"}, OfPair(&BaselinePair::FusedMeanNs)},
       {{"eager_mean_ns", Unit::Ns, "of what one call replaced"},
        OfPair(&BaselinePair::EagerMeanNs)},
       {{"speedup", Unit::Ratio, "eager over fused"}, OfPair(&BaselinePair::Speedup)},
       {{"approximate", Unit::Flag, "see baseline.pairs"}, OfPair(&BaselinePair::Approximate)},
       {{"op", Unit::Name, "the operator"}, [](const Line &L) { return L.Op->Name; }},
       {{"count", Unit::Count, "times in one fused call"},
        [](const Line &L) { return L.Op->Count; }},
       {{"eager", Unit::Name, "row of the baseline"},
        [Of](const Line &L) { return L.Row->title(*Of->Eager); }},
       {{"eager_calls", Unit::Count, "its calls"}, [](const Line &L) { return L.Row->Calls; }},
       {{"eager_row_mean_ns", Unit::Ns, "of its calls"},
        [](const Line &L) { return meanOf(*L.Row); }}});
  Rows.In = ForCsv;
  To.add(std::move(Rows));
}

/// Times of calls contain what their threads waited, for a team's work or for others: that cannot
/// be told apart in the library code of an eager operator.
std::string waitingText(const Statistics &Numbers, const BaselineComparison &Of) {
  constexpr double Least = 0.05;
  int64_t Ns[2] = {0, 0}, OffNs[2] = {0, 0};
  std::set<size_t> Rows;
  for (const BaselinePair &Pair : Of.Pairs) {
    const KernelRow &Kernel = Numbers.Kernels[Pair.Kernel];
    Ns[0] = saturatingSum(Ns[0], Kernel.Times.TotalNs);
    OffNs[0] = saturatingSum(OffNs[0], Kernel.Off ? Kernel.Off->offNs() : 0);
    for (const ReplacedOperator &Op : Pair.Operators)
      Rows.insert(Op.Rows.begin(), Op.Rows.end());
  }
  for (const size_t Row : Rows) {
    Ns[1] = saturatingSum(Ns[1], Of.Rows[Row].TotalNs);
    OffNs[1] = saturatingSum(OffNs[1], Of.Rows[Row].OffNs);
  }
  const auto Share = [&](size_t Side) {
    return Ns[Side] > 0 ? static_cast<double>(OffNs[Side]) / static_cast<double>(Ns[Side]) : 0;
  };
  if (std::max(Share(0), Share(1)) < Least)
    return "";
  return fmt::format("note: times of calls contain time in which the calling thread was blocked or "
                     "preempted: {:.0f} % of the fused kernels', {:.0f} % of the eager operators'",
                     100 * Share(0), 100 * Share(1));
}

} // namespace

void addBaseline(Section &To, const Context &In) {
  if (!In->Input.Baseline)
    return;
  const Side Of = std::make_shared<const BaselineInput>(*In->Input.Baseline);
  const Trace &Eager = *Of->Eager;
  const BaselineComparison &Comparison = *Of->Comparison;
  addData(To, In, Of);
  addCsv(To, In, Of);
  std::vector<TreeLine> Lines;
  const auto AddFaint = [&](std::string Name, std::vector<std::pair<const char *, Cell>> Cells) {
    Lines.push_back({std::move(Name), std::move(Cells), 0, Emphasis::Faint});
  };
  bool Approximate = false;
  std::set<std::string> NotTold;
  for (const BaselinePair &Pair : Comparison.Pairs) {
    const KernelRow &Kernel = In->Numbers.Kernels[Pair.Kernel];
    Lines.push_back(
        {In->name(Kernel.Site),
         {{"calls", Kernel.Times.Calls},
          {"mean_ns", Pair.FusedMeanNs},
          {"fused_ns", Pair.FusedMeanNs},
          {"speedup", Pair.Speedup ? Cell(*Pair.Speedup, fmt::format("{:.2f}x{}", *Pair.Speedup,
                                                                     Pair.Approximate ? " ~" : ""))
                                   : Cell()}},
         0,
         Emphasis::Strong});
    Approximate |= Pair.Approximate && Pair.Speedup;
    for (const ReplacedOperator &Op : Pair.Operators) {
      const std::string Times = Op.Count ? fmt::format("{} x ", *Op.Count) : "";
      if (Op.Rows.empty()) {
        Lines.push_back(
            {fmt::format("{}{}: not in the baseline", Times, Op.Name), {}, 1, Emphasis::Faint});
        continue;
      }
      // An operator may have several rows: its time in a fused call is in the first.
      Cell Together = Op.Ns ? Cell(*Op.Ns) : Value(Absent());
      if (Op.Count && !Op.Ns)
        NotTold.insert(Op.Name);
      for (const size_t Index : Op.Rows) {
        const EagerRow &Row = Comparison.Rows[Index];
        Lines.push_back({fmt::format("{}{}: {}", Times, Op.Name, Row.title(Eager)),
                         {{"calls", Row.Calls}, {"mean_ns", meanOf(Row)}, {"fused_ns", Together}},
                         1});
        Together = Value(Absent());
      }
    }
    Lines.push_back({"eager, together",
                     {{"fused_ns", Pair.EagerMeanNs ? Cell(*Pair.EagerMeanNs) : Cell()}},
                     1,
                     Emphasis::Faint});
  }
  for (const size_t K : Comparison.UnmatchedFused) {
    const KernelRow &Kernel = In->Numbers.Kernels[K];
    AddFaint(fmt::format("[no eager match] {}", In->name(Kernel.Site)),
             {{"calls", Kernel.Times.Calls}, {"mean_ns", Kernel.Times.MeanNs}});
  }
  constexpr size_t MostUnmatched = 10;
  const std::vector<size_t> &Unmatched = Comparison.UnmatchedEager;
  for (size_t I = 0; I < std::min(Unmatched.size(), MostUnmatched); ++I) {
    const EagerRow &Row = Comparison.Rows[Unmatched[I]];
    AddFaint(fmt::format("[eager, not replaced] {}", Row.title(Eager)),
             {{"calls", Row.Calls}, {"mean_ns", meanOf(Row)}});
  }
  if (Unmatched.size() > MostUnmatched)
    AddFaint(fmt::format("[{} more eager rows not replaced]", Unmatched.size() - MostUnmatched),
             {});
  To.add(Sentence{fmt::format("baseline {}", escaped(Eager.Info.Path)), ForText, true});
  Table Rows = treeTable("baseline", "Fused kernels and eager",
                         {column::name("Fused kernel and eager").cut(72), column::calls(),
                          Column("mean_ns", "Mean", Unit::Ns, "of the calls"),
                          Column("fused_ns", "In one fused call", Unit::Ns, "in one fused call"),
                          Column("speedup", "Speedup", Unit::Ratio, "eager over fused")},
                         std::move(Lines));
  Rows.Attached = true;
  To.add(std::move(Rows));
  To.say(waitingText(In->Numbers, Comparison));
  if (Approximate)
    To.say("~ approximate: the baseline lacks an operator of the kernel, or the "
           "kernel's name does not say how often each occurs");
  if (!NotTold.empty())
    To.say(fmt::format("note: it is not known which calls of {} in the baseline a kernel replaced, "
                       "as they differ in place or inputs: there is no ratio",
                       escaped(fmt::format("{}", fmt::join(NotTold, ", ")))));
}

} // namespace seamscope::tools
