//===- Baseline.cpp - fused kernels beside the eager ones of another trace --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

using Side = std::shared_ptr<const BaselineInput>;

Fields<EagerRow> eagerFields(const Side &Of) {
  return {{column::name(""), [Of](const EagerRow &R) { return R.title(*Of->Eager); }},
          {column::calls(), [](const EagerRow &R) { return R.Calls; }},
          {column::total(), [](const EagerRow &R) { return R.TotalNs; }},
          {{"mean_ns", "", Unit::Ns, "of its calls"},
           [](const EagerRow &R) { return roundedMean(R.TotalNs, R.Calls); }}};
}

void addData(Section &To, const Context &In, const Side &Of) {
  const BaselineComparison &Comparison = *Of->Comparison;
  const auto Name = [In](size_t Kernel) { return In->name(In->Numbers.Kernels[Kernel].Site); };
  To.Items.emplace_back(
      Fact{{"baseline.path", "Baseline", Unit::Name, "the eager trace"}, Of->Eager->Info.Path});
  Fields<ReplacedOperator> Ops = {
      {{"op", "", Unit::Name, "an operator that the kernel replaced"},
       [](const ReplacedOperator &O) { return O.Name; }},
      {{"count", "", Unit::Count, "times in one fused call"},
       [](const ReplacedOperator &O) { return O.Count; }},
      {{"mean_ns", "", Unit::Ns, "of one eager call"},
       [](const ReplacedOperator &O) { return O.Rows.empty() ? Value() : Value(O.MeanNs); }},
      rowsField<ReplacedOperator>("rows", "of the baseline", eagerFields(Of),
                                  [Of](const ReplacedOperator &O) {
                                    std::vector<EagerRow> Rows;
                                    for (const size_t Row : O.Rows)
                                      Rows.push_back(Of->Comparison->Rows[Row]);
                                    return Rows;
                                  })};
  Table Pairs = makeTable<BaselinePair>(
      "baseline.pairs", "Fused beside eager", std::span(Comparison.Pairs),
      {{column::name(""), [Name](const BaselinePair &P) { return Name(P.Kernel); }},
       {{"fused_mean_ns", "", Unit::Ns, "of one fused call"},
        [](const BaselinePair &P) { return P.FusedMeanNs; }},
       {{"eager_mean_ns", "", Unit::Ns, "of all eager calls that one fused call replaced"},
        [](const BaselinePair &P) { return P.EagerMeanNs; }},
       {{"speedup", "", Unit::Ratio, "eager over fused"},
        [](const BaselinePair &P) { return P.FusedMeanNs ? Value(P.Speedup) : Value(); }},
       {{"approximate", "", Unit::Flag, "the baseline lacks an operator, or counts are guessed"},
        [](const BaselinePair &P) { return P.Approximate; }},
       rowsField<BaselinePair>("ops", "the operators that it replaced", std::move(Ops),
                               [](const BaselinePair &P) { return std::span(P.Operators); })});
  Pairs.In = ForJson;
  To.Items.emplace_back(std::move(Pairs));
  Value::List Fused;
  for (const size_t Kernel : Comparison.UnmatchedFused)
    Fused.emplace_back(Name(Kernel));
  To.Items.emplace_back(
      Fact{{"baseline.unmatched_fused", "", Unit::List, "kernels without eager rows"},
           Value(std::move(Fused))});
  std::vector<EagerRow> Unmatched;
  for (const size_t Row : Comparison.UnmatchedEager)
    Unmatched.push_back(Comparison.Rows[Row]);
  Table Rest = makeTable("baseline.unmatched_eager", "", std::move(Unmatched), eagerFields(Of));
  Rest.In = ForJson;
  To.Items.emplace_back(std::move(Rest));
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
  Table Rows = makeTable<Line>(
      "baseline.rows", "", std::move(Lines),
      {{{"fused", "", Unit::Name, "the kernel"},
        [In](const Line &L) { return In->name(In->Numbers.Kernels[L.Pair->Kernel].Site); }},
       {{"fused_calls", "", Unit::Count, "its calls"},
        [In](const Line &L) { return In->Numbers.Kernels[L.Pair->Kernel].Times.Calls; }},
       {{"fused_mean_ns", "", Unit::Ns, "of one call"},
        [](const Line &L) { return L.Pair->FusedMeanNs; }},
       {{"eager_mean_ns", "", Unit::Ns, "of what one call replaced"},
        [](const Line &L) { return L.Pair->EagerMeanNs; }},
       {{"speedup", "", Unit::Ratio, "eager over fused"},
        [](const Line &L) { return L.Pair->Speedup; }},
       {{"approximate", "", Unit::Flag, "see baseline.pairs"},
        [](const Line &L) { return L.Pair->Approximate; }},
       {{"op", "", Unit::Name, "the operator"}, [](const Line &L) { return L.Op->Name; }},
       {{"count", "", Unit::Count, "times in one fused call"},
        [](const Line &L) { return L.Op->Count; }},
       {{"eager", "", Unit::Name, "row of the baseline"},
        [Of](const Line &L) { return L.Row->title(*Of->Eager); }},
       {{"eager_calls", "", Unit::Count, "its calls"}, [](const Line &L) { return L.Row->Calls; }},
       {{"eager_row_mean_ns", "", Unit::Ns, "of its calls"},
        [](const Line &L) { return roundedMean(L.Row->TotalNs, L.Row->Calls); }}});
  Rows.In = ForCsv;
  To.Items.emplace_back(std::move(Rows));
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
  const auto MeanOf = [](const EagerRow &Row) { return roundedMean(Row.TotalNs, Row.Calls); };
  std::vector<TreeLine> Lines;
  bool Approximate = false;
  for (const BaselinePair &Pair : Comparison.Pairs) {
    const KernelRow &Kernel = In->Numbers.Kernels[Pair.Kernel];
    Lines.push_back({In->name(Kernel.Site),
                     {{"calls", Kernel.Times.Calls},
                      {"mean_ns", Pair.FusedMeanNs},
                      {"fused_ns", Pair.FusedMeanNs},
                      {"speedup", Cell(Pair.Speedup, fmt::format("{:.2f}x{}", Pair.Speedup,
                                                                 Pair.Approximate ? " ~" : ""))}},
                     0,
                     Emphasis::Strong});
    Approximate |= Pair.Approximate;
    for (const ReplacedOperator &Op : Pair.Operators) {
      const std::string Times = Op.Count ? fmt::format("{} x ", *Op.Count) : "";
      if (Op.Rows.empty()) {
        Lines.push_back(
            {fmt::format("{}{}: not in the baseline", Times, Op.Name), {}, 1, Emphasis::Faint});
        continue;
      }
      // Several rows can carry one operator: its time in a fused call stands beside the first.
      Cell Together = Value(Absent());
      if (int64_t Ns; Op.Count && !__builtin_mul_overflow(Op.MeanNs, *Op.Count, &Ns))
        Together = Ns;
      for (const size_t Index : Op.Rows) {
        const EagerRow &Row = Comparison.Rows[Index];
        Lines.push_back({fmt::format("{}{}: {}", Times, Op.Name, Row.title(Eager)),
                         {{"calls", Row.Calls}, {"mean_ns", MeanOf(Row)}, {"fused_ns", Together}},
                         1});
        Together = Value(Absent());
      }
    }
    Lines.push_back({"eager, together", {{"fused_ns", Pair.EagerMeanNs}}, 1, Emphasis::Faint});
  }
  for (const size_t K : Comparison.UnmatchedFused) {
    const KernelRow &Kernel = In->Numbers.Kernels[K];
    Lines.push_back({fmt::format("[no eager match] {}", In->name(Kernel.Site)),
                     {{"calls", Kernel.Times.Calls}, {"mean_ns", Kernel.Times.MeanNs}},
                     0,
                     Emphasis::Faint});
  }
  constexpr size_t MostUnmatched = 10;
  for (size_t I = 0; I < Comparison.UnmatchedEager.size(); ++I) {
    if (I == MostUnmatched) {
      Lines.push_back({fmt::format("[{} more eager rows not replaced]",
                                   Comparison.UnmatchedEager.size() - MostUnmatched),
                       {},
                       0,
                       Emphasis::Faint});
      break;
    }
    const EagerRow &Row = Comparison.Rows[Comparison.UnmatchedEager[I]];
    Lines.push_back({fmt::format("[eager, not replaced] {}", Row.title(Eager)),
                     {{"calls", Row.Calls}, {"mean_ns", MeanOf(Row)}},
                     0,
                     Emphasis::Faint});
  }
  To.Items.emplace_back(
      Sentence{fmt::format("baseline {}", escaped(Eager.Info.Path)), ForText, true});
  Table Rows = treeTable("baseline", "Fused kernels beside eager",
                         {column::name("Fused kernel beside eager").cut(72), column::calls(),
                          Column("mean_ns", "Mean", Unit::Ns, "of the calls"),
                          Column("fused_ns", "In one fused call", Unit::Ns, "in one fused call"),
                          Column("speedup", "Speedup", Unit::Ratio, "eager over fused")},
                         std::move(Lines));
  Rows.Attached = true;
  To.Items.emplace_back(std::move(Rows));
  if (Approximate)
    To.Items.emplace_back(
        Sentence{"~ approximate: the baseline lacks an operator of the kernel, or the "
                 "kernel's name does not tell how often each occurs"});
}

} // namespace seamscope::tools
