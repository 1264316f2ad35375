//===- OperatorCosts.cpp - what operators in a fused kernel cost, estimated ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "estimate/OperatorCosts.h"

#include "estimate/Statements.h"

#include <algorithm>
#include <cmath>
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
      : Of(Of), Statements(statementsOf(Of.Source, Of.Kernel->Loops)),
        Rates(On, Of.Threads, widthOf(Of, On)),
        Levels{std::string(On.levelOf(Of.Footprint, Of.Threads))} {
    if (Levels[0] == "L1" && On.memoryRoof("L2", Of.Threads) > 0)
      Levels.emplace_back("L2");
    findStreams();
  }

  LoopEstimate estimate(const TimedLoop &Loop) const {
    std::set<std::string> Unknown;
    LoopWork Work;
    if (Loop.HasUnknown)
      Unknown.insert("it has work that is not known");
    for (size_t I = 0; I < Of.Kernel->Operators.size(); ++I)
      if (auto Found = partOf(I, Loop, Unknown)) {
        for (const auto &[Line, Part] : Found->Loops)
          Work.All[Line] += Part;
        Work.Parts.push_back(std::move(*Found));
      }
    if (Loop.Line)
      Work.Elsewhere = workElsewhere(Loop, Unknown);
    std::vector<LoopEstimate> Made;
    for (const std::string &Level : Levels) {
      LoopEstimate &In = Made.emplace_back();
      In.Loop = Loop;
      In.Level = Level;
      In.Bound = boundIn(Work.All, Level);
      if (!Unknown.empty())
        In.Problem = fmt::format("{}", fmt::join(Unknown, ", "));
      else if (Loop.Ns <= 0 || !Of.Calls)
        In.Problem = "its time is not known";
      else if (!Of.Footprint)
        In.Problem = "the distinct bytes of a call are not known";
      else
        addCosts(In, Work);
    }
    return bestOf(std::move(Made));
  }

private:
  /// The work of a timed loop.
  struct LoopWork {
    std::vector<Part> Parts;
    DemandByLoop All;
    Demand Elsewhere; ///< of lines that are in no known loop, and may be in this one
  };

  /// Of the estimates of a loop by level, the one whose time is closest, if that is close and all
  /// have the same answer.
  static LoopEstimate bestOf(std::vector<LoopEstimate> Made) {
    const auto Bad =
        std::ranges::find_if(Made, [](const LoopEstimate &Each) { return !Each.Problem.empty(); });
    if (Bad != Made.end())
      return *Bad;
    const auto Off = [](const LoopEstimate &Each) { return std::abs(1 - Each.ratio()); };
    LoopEstimate Best = *std::ranges::min_element(Made, {}, Off);
    if (Best.ratio() < LeastModelRatio || Best.ratio() > MostModelRatio)
      Best.Problem = fmt::format("the model takes {:.2f} of the measured time", Best.ratio());
    else if (std::ranges::any_of(Made,
                                 [&](const LoopEstimate &Each) { return !agree(Best, Each); }))
      Best.Problem = "the answer depends on whether its tensors stay in L1 between two calls";
    else if (Best.ratio() < 1 - CostErrorPercent / 100 && !Best.IsSameApart)
      Best.Problem = fmt::format("the model takes {:.2f} of the measured time, and the answer "
                                 "depends on whether arithmetic and memory overlap",
                                 Best.ratio());
    if (!Best.Problem.empty())
      Best.Costs.clear();
    return Best;
  }

  /// Whether the first operator of each may be that of the other one.
  static bool agree(const LoopEstimate &One, const LoopEstimate &Other) {
    const auto IsFirstOf = [](const LoopEstimate &Of, size_t Operator) {
      const std::span<const OperatorCost> First(Of.Costs.data(), Of.numberOfFirst());
      return std::ranges::find(First, Operator, &OperatorCost::Operator) != First.end();
    };
    if (!One.numberOfFirst() || !Other.numberOfFirst())
      return One.numberOfFirst() == Other.numberOfFirst();
    return IsFirstOf(One, Other.Costs.front().Operator) &&
           IsFirstOf(Other, One.Costs.front().Operator);
  }

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
    Demand Made = Rates.demandOf(Line.Work, Known ? *Known : CodeStatement(), Unknown);
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
    if (Operator.IsJoined)
      Unknown.insert("the compiler joined instructions of several operators");
    for (const LineWork *const Line : Operator.Lines) {
      if (timedLoop(*Line) != Loop.Line)
        continue;
      Any = true;
      const CodeLoop *const Innermost =
          statement(*Line) ? innermostLoop(Of.Kernel->Loops, Line->Line) : nullptr;
      Made.Loops[Innermost ? Innermost->First : 0] += demandOf(*Line, Unknown);
    }
    return Any ? std::optional(Made) : std::nullopt;
  }

  /// The arithmetic of lines in no known loop: instructions that the compiler moved or merged. They
  /// are of vectors if all arithmetic of \p Loop is.
  Demand workElsewhere(const TimedLoop &Loop, std::set<std::string> &Unknown) const {
    CodeStatement Like;
    Like.IsVector = true;
    std::vector<const LineWork *> Lost;
    for (const FusedOperator &Operator : Of.Kernel->Operators)
      for (const LineWork *const Line : Operator.Lines)
        if (!computes(Line->Work))
          continue;
        else if (const CodeStatement *const Known = statement(*Line); !Known)
          Lost.push_back(Line);
        else if (timedLoop(*Line) == Loop.Line)
          Like.IsVector = Like.IsVector && Known->IsVector;
    Demand Sum;
    for (const LineWork *const Line : Lost)
      Sum += Rates.demandOf(Line->Work, Like, Unknown);
    return Sum;
  }

  BusyTimes timesOf(const Demand &Part, const std::string &Level) const {
    return Rates.timesOf(Part, Level, Of.Footprint);
  }

  /// What most of the time waits for.
  Resource boundIn(const DemandByLoop &All, const std::string &Level) const {
    std::map<Resource, double> Waits;
    for (const auto &[Line, Part] : All) {
      const BusyTimes Times = timesOf(Part, Level);
      Waits[boundOf(Times)] += Times.total();
    }
    const auto Most =
        std::ranges::max_element(Waits, {}, [](const auto &Each) { return Each.second; });
    return Most == Waits.end() ? Resource::Arithmetic : Most->first;
  }

  /// What overlaps in a loop, and what the model's error may change.
  struct Overlap {
    double FetchApart = 1; ///< BusyTimes::total()
    double Apart = 0;      ///< how much of the resources' time does not overlap, from 0 to 1
    bool IsSlower = false; ///< BusyTimes::withSlowerUnits()
  };

  double nsOf(const Demand &What, const std::string &Level, const Overlap &How) const {
    BusyTimes Times = timesOf(What, Level);
    if (How.IsSlower)
      Times = Times.withSlowerUnits(CostErrorPercent / 100);
    const double Total = Times.total(How.FetchApart);
    return Total + How.Apart * (Times.sum() - Total);
  }

  double nsOf(const DemandByLoop &All, const std::string &Level, const Overlap &How) const {
    double Ns = 0;
    for (const auto &[Line, Part] : All)
      Ns += nsOf(Part, Level, How);
    return Ns;
  }

  /// Where \p Ns is between \p From and \p To, from 0 to 1.
  static double partOf(double Ns, double From, double To) {
    return To > From ? std::clamp((Ns - From) / (To - From), 0.0, 1.0) : 0;
  }

  void addCosts(LoopEstimate &To, const LoopWork &Work) const {
    const auto Recorded = static_cast<double>(To.Loop.Ns);
    const auto Ns = [&](const Overlap &How) { return nsOf(Work.All, To.Level, How); };
    Overlap How;
    How.FetchApart = partOf(Recorded, Ns({0, 0}), Ns({1, 0}));
    To.ModelledNs = Ns(How);
    if (timesOf(Work.Elsewhere, "L1").total() > LeastCostPercent / 100 * To.ModelledNs) {
      To.Problem = "the compiler does not say in which loop some of its work is";
      return;
    }
    To.Costs = costsOf(Work, To.Level, How, To.ModelledNs);
    // No operator causes what was recorded beyond the time with no overlap.
    Overlap Less = How;
    Less.Apart = partOf(Recorded, To.ModelledNs, Ns({1, 1}));
    LoopEstimate Other;
    Other.Costs = costsOf(Work, To.Level, Less, std::max(To.ModelledNs, Recorded));
    To.IsSameApart = agree(To, Other);
    if (To.numberOfFirst())
      return;
    Overlap Slower = How;
    Slower.IsSlower = true;
    LoopEstimate Within;
    Within.Costs = costsOf(Work, To.Level, Slower, Ns(Slower));
    To.IsBalanced = Within.numberOfFirst();
    if (To.IsBalanced && !To.numberOfFirst()) {
      To.Problem = fmt::format("memory and operators take equally long within the error of the "
                               "model ({} %)",
                               CostErrorPercent);
      To.Costs.clear();
    }
  }

  /// The costs of operators, the most expensive first, as shares of \p Total.
  std::vector<OperatorCost> costsOf(const LoopWork &Work, const std::string &Level,
                                    const Overlap &How, double Total) const {
    std::vector<OperatorCost> Costs;
    for (const Part &Each : Work.Parts) {
      if (Of.Kernel->Operators[Each.Operator].isRest())
        continue;
      double Cost = 0;
      for (const auto &[Line, Part] : Each.Loops) {
        const Demand &Whole = Work.All.at(Line);
        Cost += nsOf(Whole, Level, How) - nsOf(Whole.without(Part), Level, How);
      }
      Costs.push_back({Each.Operator, 100 * std::max(0.0, Cost) / Total});
    }
    std::ranges::stable_sort(Costs, std::greater(), &OperatorCost::SharePercent);
    return Costs;
  }

  const EstimateInput &Of;
  const std::vector<CodeStatement> Statements;
  const Throughput Rates;
  std::set<const LineWork *> Streams; ///< lines whose bytes come from a level or go there
  std::vector<std::string> Levels;    ///< that may hold the tensors when a call begins
};

} // namespace

double LoopEstimate::leastFirstPercent() const {
  return IsBalanced ? LeastCostPercent : CostErrorPercent;
}

bool LoopEstimate::isBoundByMemory() const {
  return (Bound == Resource::L1 || Bound == Resource::Far) && !Costs.empty() &&
         Costs.front().SharePercent < LeastCostPercent;
}

size_t LoopEstimate::numberOfFirst() const {
  if (Costs.empty() || Costs.front().SharePercent < leastFirstPercent())
    return 0;
  const auto IsLess = [&](const OperatorCost &Each) {
    return Each.SharePercent < Costs.front().SharePercent - LeastCostPercent ||
           Each.SharePercent < leastFirstPercent();
  };
  return static_cast<size_t>(std::ranges::find_if(Costs, IsLess) - Costs.begin());
}

std::vector<LoopEstimate> estimateCosts(const EstimateInput &Of, const Machine &On) {
  const Estimator Each(Of, On);
  std::vector<LoopEstimate> Made;
  for (const TimedLoop &Loop : Of.Loops)
    Made.push_back(Each.estimate(Loop));
  return Made;
}

} // namespace seamscope::tools
