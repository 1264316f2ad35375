//===- OperatorCosts.cpp - what operators in a fused kernel cost, estimated ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "estimate/OperatorCosts.h"

#include "estimate/Statements.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// Work by innermost loop, by the line of that; 0: outside of loops. One runs after the other.
using DemandByLoop = std::map<uint32_t, Demand>;

/// The work of an operator in one timed loop.
struct Part {
  size_t Operator;
  DemandByLoop Loops;
};

class Estimator {
public:
  Estimator(const EstimateInput &Of, const Machine &On)
      : Of(Of), On(On), Statements(statementsOf(Of.Source, Of.Kernel->Loops)),
        Rates(On, Of.Threads, widthOf(Of, On)), Level(On.levelOf(Of.Footprint, Of.Threads)) {
    // What runs between two calls has other data in L1.
    if (Level == "L1" && On.memoryRoof("L2", Of.Threads) > 0)
      Level = "L2";
    findStreams();
  }

  LoopEstimate estimate(const TimedLoop &Loop) const {
    LoopEstimate Made;
    Made.Loop = Loop;
    Made.Level = Level;
    std::set<std::string> Unknown;
    std::vector<Part> Parts;
    DemandByLoop All;
    for (size_t I = 0; I < Of.Kernel->Operators.size(); ++I)
      if (auto Found = partOf(I, Loop, Unknown)) {
        for (const auto &[Line, Part] : Found->Loops)
          All[Line] += Part;
        Parts.push_back(std::move(*Found));
      }
    Made.Bound = boundIn(All);
    if (!Unknown.empty())
      Made.Problem = fmt::format("{}", fmt::join(Unknown, ", "));
    else if (Loop.Ns <= 0 || !Of.Calls)
      Made.Problem = "its time is not known";
    else if (!Of.Footprint)
      Made.Problem = "the distinct bytes of a call are not known";
    else
      addCosts(Made, Parts, All);
    return Made;
  }

private:
  static unsigned widthOf(const EstimateInput &Of, const Machine &On) {
    unsigned Width = vectorBits(Of.Source);
    if (!Width)
      for (const ComputeRate &Each : On.Compute)
        Width = std::max(Width, Each.Bits);
    return Width;
  }

  /// Null for lines of other files.
  const CodeStatement *statement(const LineWork &At) const {
    return At.File == Of.File && At.Line && At.Line <= Statements.size() ? &Statements[At.Line - 1]
                                                                         : nullptr;
  }

  /// The timed loop that a line is in, by its line; 0: the kernel.
  uint32_t timedLoop(const LineWork &At) const {
    uint32_t Found = 0;
    if (statement(At))
      for (const CodeLoop &Loop : Of.Kernel->Loops)
        if (Loop.First <= At.Line && At.Line <= Loop.Last &&
            std::ranges::find(Of.Loops, Loop.First, &TimedLoop::Line) != Of.Loops.end())
          Found = Loop.First;
    return Found;
  }

  /// The outermost loop around a line, by its line; 0: none.
  uint32_t nestOf(uint32_t Line) const {
    for (const CodeLoop &Loop : Of.Kernel->Loops)
      if (Loop.First <= Line && Line <= Loop.Last)
        return Loop.First;
    return 0;
  }

  /// Finds what the kernel moves between the processor and where its data are: the first loop of a
  /// nest that accesses a tensor fetches it, and later ones find it in a near cache.
  void findStreams() {
    std::map<std::pair<uint32_t, std::string_view>, uint32_t> First; // innermost loop by nest
    std::vector<const LineWork *> Lines;
    for (const FusedOperator &Each : Of.Kernel->Operators)
      Lines.insert(Lines.end(), Each.Lines.begin(), Each.Lines.end());
    std::ranges::sort(Lines, {}, &LineWork::Line);
    for (const LineWork *const Line : Lines) {
      const CodeStatement *const Known = statement(*Line);
      const CodeLoop *const Loop = innermostLoop(Of.Kernel->Loops, Line->Line);
      if (!Known || !Loop || !Known->IsStream)
        continue;
      const auto [At, New] = First.try_emplace({nestOf(Line->Line), Known->Pointer}, Loop->First);
      if (At->second == Loop->First)
        Streams.insert(Line);
    }
  }

  Demand demandOf(const LineWork &Line, std::set<std::string> &Unknown) const {
    const CodeStatement *const Known = statement(Line);
    if (!Line.Work.isExact())
      Unknown.insert("its work is only known within bounds");
    Demand Made = Rates.demandOf(Line.Work, Known && Known->IsVector,
                                 Known ? Known->Accumulator : std::string_view(), Unknown);
    if (Streams.contains(&Line)) {
      Made.FarRead = Made.Read;
      Made.FarWritten = Made.Written;
    }
    return Made;
  }

  std::optional<Part> partOf(size_t I, const TimedLoop &Loop,
                             std::set<std::string> &Unknown) const {
    const FusedOperator &Operator = Of.Kernel->Operators[I];
    Part Made{I, {}};
    bool Any = false;
    if (!Operator.Work.Unknown.empty())
      Unknown.insert("it has work that is not known");
    if (Operator.IsJoined)
      Unknown.insert("the compiler joined instructions of several operators");
    for (const LineWork *const Line : Operator.Lines) {
      if (!statement(*Line) && Loop.Line && computes(Line->Work))
        Unknown.insert("the compiler does not say in which loop some of its work is");
      if (timedLoop(*Line) != Loop.Line)
        continue;
      Any = true;
      const CodeLoop *const Innermost =
          statement(*Line) ? innermostLoop(Of.Kernel->Loops, Line->Line) : nullptr;
      Made.Loops[Innermost ? Innermost->First : 0] += demandOf(*Line, Unknown);
    }
    return Any ? std::optional(Made) : std::nullopt;
  }

  BusyTimes timesOf(const Demand &Part) const { return Rates.timesOf(Part, Level, Of.Footprint); }

  /// What most of the time waits for.
  Resource boundIn(const DemandByLoop &All) const {
    std::map<Resource, double> Waits;
    for (const auto &[Line, Part] : All) {
      const BusyTimes Times = timesOf(Part);
      Waits[boundOf(Times)] += Times.total();
    }
    const auto Most =
        std::ranges::max_element(Waits, {}, [](const auto &Each) { return Each.second; });
    return Most == Waits.end() ? Resource::Arithmetic : Most->first;
  }

  void addCosts(LoopEstimate &To, const std::vector<Part> &Parts, const DemandByLoop &All) const {
    double Total = 0;
    for (const auto &[Line, Part] : All)
      Total += timesOf(Part).total();
    To.ModelledNs = Total;
    if (To.ratio() < LeastModelRatio || To.ratio() > MostModelRatio) {
      To.Problem = fmt::format("the model takes {:.2f} of the measured time", To.ratio());
      return;
    }
    for (const Part &Each : Parts) {
      if (Of.Kernel->Operators[Each.Operator].isRest())
        continue;
      double Cost = 0;
      for (const auto &[Line, Part] : Each.Loops) {
        const Demand &Whole = All.at(Line);
        Cost += timesOf(Whole).total() - timesOf(Whole.without(Part)).total();
      }
      To.Costs.push_back({Each.Operator, 100 * std::max(0.0, Cost) / Total});
    }
    std::ranges::stable_sort(To.Costs, std::greater(), &OperatorCost::SharePercent);
  }

  const EstimateInput &Of;
  const Machine &On;
  const std::vector<CodeStatement> Statements;
  const Throughput Rates;
  std::set<const LineWork *> Streams; ///< lines whose bytes come from Level or go there
  std::string Level;
};

} // namespace

bool LoopEstimate::isBoundByMemory() const {
  return (Bound == Resource::L1 || Bound == Resource::Far) && !Costs.empty() &&
         Costs.front().SharePercent < LeastCostPercent;
}

std::vector<LoopEstimate> estimateCosts(const EstimateInput &Of, const Machine &On) {
  const Estimator Each(Of, On);
  std::vector<LoopEstimate> Made;
  for (const TimedLoop &Loop : Of.Loops)
    Made.push_back(Each.estimate(Loop));
  return Made;
}

} // namespace seamscope::tools
