//===- OperatorCosts.cpp - estimated costs of operators in fused kernels ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "estimate/OperatorCosts.h"

#include "analysis/core/LoopTree.h"
#include "analysis/core/RecordingCost.h"
#include "report/sections/CountedWork.h"
#include "report/sections/FusedOperators.h"
#include "report/sections/TorchRecords.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Kernels of the text without --top.
constexpr size_t UsualKernels = 10;

struct CostRow {
  std::string Name; ///< of the operator's nodes
  double SharePercent;
  bool IsFirst; ///< LoopEstimate::numberOfFirst()
};

/// The estimate of a loop, with names.
struct EstimateRow {
  LoopEstimate Of;
  std::vector<CostRow> Costs;
};

std::string_view textOf(Resource What, const std::string &Level) {
  switch (What) {
  case Resource::Arithmetic:
    return "arithmetic";
  case Resource::Functions:
    return "math functions";
  case Resource::Divider:
    return "divider";
  case Resource::Chain:
    return "reduction";
  case Resource::L1:
    return "L1";
  case Resource::Far:
    return Level;
  }
  return {};
}

/// The call whose time is compared with the machine's rates, which are those of undisturbed code:
/// the fastest of calls that do the same, since other work only makes them slower. Else the median.
std::optional<int64_t> undisturbedCall(const ReportContext &In, const KernelRow &Row) {
  const auto Counted = In.workOfCalls().find(In.ids().of(In.site(Row.Site)));
  const bool IsSame = Counted != In.workOfCalls().end() && Counted->second.Works.size() == 1;
  return IsSame ? Row.Times.MinNs : Row.Times.MedianNs;
}

/// The share of its running time that a kernel would take if all of its calls took as long as
/// that one. 1: not known.
double undisturbedShare(const ReportContext &In, const KernelRow &Row) {
  const CallStatistics &Times = Row.Times;
  const int64_t Running = Row.RunningNs.value_or(Times.TotalNs);
  const std::optional<int64_t> Call = undisturbedCall(In, Row);
  return Call && Running > 0 && !Times.Untimed
             ? std::min(1.0, static_cast<double>(*Call) * static_cast<double>(Times.Calls) /
                                 static_cast<double>(Running))
             : 1;
}

/// The time of an undisturbed call without that of stamps, times the number of calls.
TimedLoop undisturbed(const ReportContext &In, const KernelRow &Row, uint32_t Line, int64_t Ns,
                      uint64_t Calls) {
  const int64_t Bias = In.Input.Recording ? In.Input.Recording->BiasNs : 0;
  const int64_t Own = Ns - Bias * static_cast<int64_t>(Calls);
  return {Line,
          std::llround(static_cast<double>(std::max<int64_t>(0, Own)) * undisturbedShare(In, Row))};
}

/// The timed loops of a kernel, by line, or the kernel if it has none.
std::vector<TimedLoop> timedLoops(const ReportContext &In, const KernelRow &Row,
                                  const KernelWork &Work) {
  std::vector<TimedLoop> Loops;
  const Site &Kernel = In.site(Row.Site);
  if (const LoopTree *const Tree = In.Input.Loops)
    for (const LoopNode &Node : Tree->of(Row.Site)) {
      const Site &What = In.site(Node.Site);
      if (What.Kind != SiteKind::Loop || What.File != Kernel.File || !Node.SelfNs)
        continue;
      TimedLoop Own = undisturbed(In, Row, What.Line, *Node.SelfNs, Node.Calls);
      const auto Counted = Work.Loops.find(In.name(Node.Site));
      Own.HasUnknown = !(Counted == Work.Loops.end() ? Work.All : Counted->second).Unknown.empty();
      const auto Known = std::ranges::find(Loops, What.Line, &TimedLoop::Line);
      if (Known == Loops.end()) {
        Loops.push_back(Own);
        continue;
      }
      Known->Ns += Own.Ns;
      Known->HasUnknown |= Own.HasUnknown;
    }
  std::ranges::sort(Loops, {}, &TimedLoop::Line);
  if (!Loops.empty())
    return Loops;
  int64_t Busy = 0;
  uint64_t Calls = 0;
  if (Row.Regions.empty()) {
    Busy = Row.RunningNs.value_or(Row.Times.TotalNs);
    Calls = Row.Times.Calls;
  }
  for (const RegionRow &Region : Row.Regions)
    for (const ThreadShare &Share : Region.Threads) {
      Busy += Share.BusyNs;
      Calls += Share.Calls;
    }
  Loops.push_back(undisturbed(In, Row, 0, Busy, Calls));
  Loops.back().HasUnknown = !Work.All.Unknown.empty();
  return Loops;
}

/// Distinct bytes of a call; 0: not known to a tenth, or it is not known which caches hold them.
/// Work outside of \p Loops that is not counted takes at least as long as L1 needs for its bytes.
uint64_t distinctBytes(const ReportContext &In, const KernelRow &Row, const KernelWork &Work,
                       const std::vector<TimedLoop> &Loops) {
  const auto Counted = Work.countedFootprint();
  if (!Counted || !Counted->isClose() || !Work.Calls)
    return 0;
  const uint64_t Bytes = Counted->Bytes / Work.Calls;
  if (Work.All.Unknown.empty())
    return Bytes;
  if (std::ranges::any_of(Loops, &TimedLoop::HasUnknown))
    return 0;
  int64_t Ns =
      undisturbed(In, Row, 0, Row.RunningNs.value_or(Row.Times.TotalNs), Row.Times.Calls).Ns;
  for (const TimedLoop &Loop : Loops)
    Ns -= Loop.Ns;
  const Machine &On = *In.Input.Roofs;
  const unsigned Threads = threadsOf(Row);
  const double More = static_cast<double>(std::max<int64_t>(0, Ns)) / 1e9 *
                      On.memoryRoof("L1", Threads) / static_cast<double>(Work.Calls);
  const auto Most = Bytes + static_cast<uint64_t>(More);
  return On.levelOf(Bytes, Threads) == On.levelOf(Most, Threads) ? Bytes : 0;
}

bool canEstimate(const ReportContext &In, const KernelRow &Row) {
  return In.Input.Estimate && In.Input.Roofs && In.fusedKernel(Row);
}

std::vector<EstimateRow> estimatesOf(const ReportContext &In, const KernelRow &Row) {
  std::vector<EstimateRow> Rows;
  if (!canEstimate(In, Row))
    return Rows;
  const KernelWork *const Work = countedWork(In, Row);
  const FusedKernel *const Kernel = In.fusedKernel(Row);
  const GeneratedKernel &Generated = *In.Input.Torch->kernel(Row.Site);
  const FxGraph &Graph =
      In.Input.Torch->Graphs.graphOf(In.Input.Torch->Graphs.uses()[Generated.Uses[0]]).PostGrad;
  const std::vector<TimedLoop> Loops = timedLoops(In, Row, *Work);
  EstimateInput Of;
  Of.Kernel = Kernel;
  Of.Source = Generated.Source;
  Of.File = In.Source.text(In.site(Row.Site).File);
  // Counters cover calls that ended, as times do.
  Of.Calls = Work->Calls == Row.Times.Calls ? Work->Calls : 0;
  if (Of.Calls)
    Of.Footprint = distinctBytes(In, Row, *Work, Loops);
  Of.Threads = threadsOf(Row);
  Of.Loops = Loops;
  for (LoopEstimate &Each : estimateCosts(Of, *In.Input.Roofs)) {
    EstimateRow &Made = Rows.emplace_back(EstimateRow{std::move(Each), {}});
    for (const OperatorCost &Cost : Made.Of.Costs)
      Made.Costs.push_back({nodeNames(Graph, Kernel->Operators[Cost.Operator].Nodes[0]),
                            Cost.SharePercent, Made.Costs.size() < Made.Of.numberOfFirst()});
  }
  return Rows;
}

/// What the estimate says in words; empty: the costs say it.
std::string answerOf(const LoopEstimate &Of) {
  if (!Of.Problem.empty())
    return "no estimate: " + Of.Problem;
  if (Of.isBoundByMemory())
    return fmt::format("bound by {}: no operator costs extra",
                       Of.Bound == Resource::L1 ? "loads and stores"
                                                : fmt::format("memory ({})", Of.Level));
  if (!Of.numberOfFirst())
    return fmt::format("no operator costs more than the error of the estimate ({} %)",
                       CostErrorPercent);
  return {};
}

/// What the loop waits for, and the operators that may cost most if there are several: "arithmetic;
/// sin or cos costs most".
std::string waitOf(const EstimateRow &Row) {
  std::string Text(textOf(Row.Of.Bound, Row.Of.Level));
  if (Row.Of.numberOfFirst() < 2)
    return Text;
  std::string_view Before = "; ";
  for (const CostRow &Each : Row.Costs)
    if (Each.IsFirst) {
      Text.append(Before).append(Each.Name);
      Before = " or ";
    }
  return Text + " costs most";
}

Fields<EstimateRow> estimateFields() {
  return {
      {{"line", Unit::Count, "of the loop in the generated file; null: the kernel"},
       [](const EstimateRow &R) { return unlessZero(R.Of.Loop.Line); }},
      {{"measured_ns", Unit::Ns,
        "recorded time without timed loops in it and stamps, of all threads, had all calls of the "
        "kernel taken as long as the fastest one, or the median one if their work differs"},
       [](const EstimateRow &R) { return R.Of.Loop.Ns; }},
      {{"modelled_ns", Unit::Ns, "the same by the model; null: not known"},
       [](const EstimateRow &R) {
         return R.Of.ModelledNs > 0 ? Value(static_cast<int64_t>(R.Of.ModelledNs)) : Value();
       }},
      {{"bound", Unit::Text,
        "arithmetic, math functions, divider, reduction, L1, or the level of memory"},
       [](const EstimateRow &R) { return std::string(textOf(R.Of.Bound, R.Of.Level)); }},
      {{"level", Unit::Text, "caches that hold the tensors of a call, or DRAM"},
       [](const EstimateRow &R) { return R.Of.Level; }},
      {{"answer", Unit::Text,
        "in words: bound by memory, none above the error, or why there are no costs; null: costs"},
       [](const EstimateRow &R) {
         const std::string Text = answerOf(R.Of);
         return Text.empty() ? Value() : Value(Text);
       }},
      rowsField<EstimateRow>(
          "costs", "of operators, the most expensive first",
          Fields<CostRow>{{{"name", Unit::Name, "as in operators"}, &CostRow::Name},
                          {{"share_percent", Unit::Percent,
                            "of the loop's time that it would take less without the operator"},
                           &CostRow::SharePercent},
                          {{"first", Unit::Flag,
                            "may cost most: the largest cost is at most 5 % of the time larger"},
                           &CostRow::IsFirst}},
          [](const EstimateRow &R) { return std::span<const CostRow>(R.Costs); }),
      {{"source", Unit::Name, "where the figures come from: estimated"},
       [](const EstimateRow &) { return "estimated"; }}};
}

} // namespace

Field<KernelRow> estimateField(const Context &In) {
  return fieldIf([In](const KernelRow &R) { return canEstimate(*In, R); },
                 rowsField<KernelRow>(
                     "estimate", "with --estimate: what its operators cost, by loop",
                     estimateFields(), [In](const KernelRow &R) { return estimatesOf(*In, R); }));
}

void addOperatorCosts(Section &To, const Context &In) {
  if (!In->Input.Estimate)
    return;
  if (!In->Input.Roofs) {
    To.say("no estimate of operators: the roofs of the machine that ran the program are not known; "
           "run `seamscope machine` there, or name its file by --machine");
    return;
  }
  const size_t Most = In->Input.rowsOf(UsualKernels);
  std::vector<TreeLine> Lines;
  size_t Found = 0;
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const std::vector<EstimateRow> Rows = estimatesOf(*In, Row);
    if (Rows.empty() || Found++ >= Most)
      continue;
    Lines.push_back({In->name(Row.Site), {}});
    for (const EstimateRow &Each : Rows) {
      const std::string Answer = answerOf(Each.Of);
      Lines.push_back(
          {Each.Of.Loop.Line ? fmt::format("loop at line {}", Each.Of.Loop.Line) : "all of it",
           {{"measured_ns", Each.Of.Loop.Ns}, {"answer", Answer.empty() ? waitOf(Each) : Answer}},
           1});
      if (Each.Of.ModelledNs > 0)
        Lines.back().Cells.emplace_back("modelled_ns", static_cast<int64_t>(Each.Of.ModelledNs));
      if (Answer.empty())
        for (const CostRow &Cost : Each.Costs)
          if (Cost.SharePercent >= LeastCostPercent)
            Lines.push_back({Cost.Name, {{"share_percent", Cost.SharePercent}}, 2});
    }
  }
  if (!Found)
    return;
  Table Made = treeTable(
      "", "Costs of operators in fused kernels (estimated)",
      {column::name("Kernel, loop, operator").cut(56),
       Column("measured_ns", "Time", Unit::Ns,
              "of the loop, recorded, of all threads, had all calls taken as long as the fastest "
              "one, or "
              "the median one if their work differs"),
       Column("modelled_ns", "Model", Unit::Ns, "time by the model (docs/work.md)"),
       Column("share_percent", "Cost %", Unit::Percent,
              "of the loop's time that it would take less without the operator, estimated"),
       Column("answer", "Bound by", Unit::Text,
              "what the loop waits for, and which operators may cost most if it may be several")
           .left()},
      std::move(Lines));
  Made.In = ForPeople;
  Made.leaveOut(Found, Most, "more kernels");
  To.add(std::move(Made));
}

} // namespace seamscope::tools
