//===- Attribution.cpp - where the time between two runs went ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/Attribution.h"
#include "analysis/GraphRuns.h"
#include "analysis/OpInputs.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

/// Owners of expected operators: calls of the n-th run of a graph in a step, and operators that run
/// uncompiled.
struct Owner {
  uint32_t Graph = 0;
  uint32_t Call = 0;
};

ShapedOp shapedOp(const Trace &Input, SiteId Id) {
  const Site &What = Input.Sites[Id];
  const std::string_view Dims = dimensionsIn(Input.text(What.Inputs));
  return {std::string(Input.text(What.Name)),
          Dims.empty() ? std::nullopt : std::optional(shapesIn(Dims)), -1};
}

StepPart partOfWork(const Trace &Input, const WorkItem &Item) {
  switch (Item.Kind) {
  case WorkKind::Backward:
    return StepPart::Backward;
  case WorkKind::Optimizer:
    return StepPart::Optimizer;
  case WorkKind::Operator:
    return partOfOperator(Input.text(Input.Sites[Item.Site].Name));
  case WorkKind::Kernel:
    break;
  }
  return StepPart::Unattributed;
}

class Comparison {
public:
  Comparison(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs, const Trace &Eager)
      : Compiled(Compiled), Eager(Eager), Graphs(Graphs), CompiledWork(Compiled), EagerWork(Eager),
        Runs(Compiled, Graphs, CompiledWork.tellsRegions()) {
    for (const PlannedGraph &Graph : Graphs)
      Result.Calls.emplace_back(Graph.Calls.size());
  }

  Attribution run() {
    Result.Marked = marksSteps(Compiled) && marksSteps(Eager);
    Result.CompilingNs = compilingNs(Compiled);
    const std::vector<Step> Fast = stepsOf(Compiled, Result.Marked);
    const std::vector<Step> Slow = stepsOf(Eager, Result.Marked);
    for (const StepPair &Pair : pairSteps(Compiled, Fast, Eager, Slow, Result.Unpaired)) {
      const Step &Left = Fast[Pair.Compiled], &Right = Slow[Pair.Eager];
      if (Pair.Use == StepUse::Steady) {
        compare(Left, Right);
        continue;
      }
      LeftOut &Out = Pair.Use == StepUse::Compiling ? Result.Compiling : Result.WarmUp;
      ++Out.Steps;
      Out.CompiledNs += Left.wallNs();
      Out.EagerNs += Right.wallNs();
    }
    return std::move(Result);
  }

private:
  void compare(const Step &Fast, const Step &Slow) {
    const std::vector<WorkItem> Left = CompiledWork.in(Fast), Right = EagerWork.in(Slow);
    if (Result.Marked && Left.empty() && Right.empty())
      return; // behind the last step that did anything
    StepTimes Times;
    std::string_view Name = Compiled.text(Fast.Name);
    if (Name.starts_with(CompiledCallPrefix))
      Name.remove_prefix(CompiledCallPrefix.size());
    Times.Name = Name;
    Times.CompiledNs = Fast.wallNs();
    Times.EagerNs = Slow.wallNs();
    Times.GuardsNs = CompiledWork.guardsNs(Fast);
    compiledSide(Left, Times);
    eagerSide(Right, Times);
    int64_t CompiledRest = Times.CompiledNs, EagerRest = Times.EagerNs;
    for (const PartTimes &Part : Times.Of) {
      CompiledRest -= Part.CompiledNs;
      EagerRest -= Part.EagerNs;
    }
    PartTimes &Rest = Times.Of[static_cast<size_t>(StepPart::Overhead)];
    Rest.CompiledNs += CompiledRest;
    Rest.EagerNs += EagerRest;
    Result.Steps.push_back(std::move(Times));
  }

  /// Deals the compiled run's work out, and says what the eager one is expected to do.
  void compiledSide(const std::vector<WorkItem> &Work, StepTimes &Times) {
    Expected.clear();
    Owners.clear();
    const std::vector<GraphRun> Found = Runs.find(Work);
    size_t NextRun = 0;
    for (uint32_t I = 0; I < Work.size();) {
      if (NextRun < Found.size() && Found[NextRun].First == I) {
        const GraphRun &Run = Found[NextRun++];
        expect(Run.Graph);
        for (; I < Run.End; ++I)
          inRun(Work[I], Run, Run.CallOf[I - Run.First], Times);
        continue;
      }
      const WorkItem &Item = Work[I++];
      add(Times, partOfWork(Compiled, Item), Item.Ns);
      if (Item.Kind == WorkKind::Operator)
        Expected.push_back(shapedOp(Compiled, Item.Site));
    }
  }

  void inRun(const WorkItem &Item, const GraphRun &Run, int32_t Call, StepTimes &Times) {
    if (Call < 0) // memory that the graph allocates, views that it hands out
      return add(Times, partOfWork(Compiled, Item), Item.Ns);
    add(Times, Graphs[Run.Graph].Calls[Call].Part, Item.Ns);
    CallTimes &Known = Result.Calls[Run.Graph][Call];
    ++Known.Calls;
    Known.CompiledNs += Item.Ns;
  }

  void expect(uint32_t Graph) {
    const auto First = static_cast<int64_t>(Owners.size());
    for (uint32_t Call = 0; Call < Graphs[Graph].Calls.size(); ++Call)
      Owners.push_back({Graph, Call});
    for (const ShapedOp &Op : Graphs[Graph].Eager) {
      Expected.push_back(Op);
      if (Op.Owner >= 0)
        Expected.back().Owner = First + Op.Owner;
    }
  }

  static void add(StepTimes &Times, StepPart Part, int64_t Ns) {
    PartTimes &Of = Times.Of[static_cast<size_t>(Part)];
    Of.CompiledNs += Ns;
    ++Of.Kernels;
  }

  void eagerSide(const std::vector<WorkItem> &Work, StepTimes &Times) {
    std::vector<ShapedOp> Calls;
    std::vector<const WorkItem *> Operators;
    for (const WorkItem &Item : Work)
      if (Item.Kind == WorkKind::Operator) {
        Calls.push_back(shapedOp(Eager, Item.Site));
        Operators.push_back(&Item);
      } else {
        addEager(Times, partOfWork(Eager, Item), Item.Ns);
      }
    // Steady steps do the same again and again.
    if (Calls != LastCalls || Expected != LastExpected) {
      LastAligned = align(Expected, Calls);
      LastCalls = Calls;
      LastExpected = Expected;
    }
    for (size_t I = 0; I < Calls.size(); ++I) {
      const AlignedOp &Where = LastAligned[I];
      const int64_t Ns = Operators[I]->Ns;
      if (Where.How == Aligned::No) {
        addEager(Times, StepPart::Unattributed, Ns);
        ++Result.Unplaced.Calls;
        Result.Unplaced.Ns += Ns;
        continue;
      }
      if (Where.Owner < 0) { // not compiled, or of no kernel
        addEager(Times, partOfOperator(Calls[I].Name), Ns);
        continue;
      }
      const Owner &By = Owners[Where.Owner];
      addEager(Times, Graphs[By.Graph].Calls[By.Call].Part, Ns);
      CallTimes &Known = Result.Calls[By.Graph][By.Call];
      Known.EagerNs += Ns;
      OpTimes &Op = Known.Ops[{Calls[I].Name, Calls[I].Shapes.value_or("")}];
      ++Op.Calls;
      Op.Ns += Ns;
      Op.Proven += Where.How == Aligned::Proven;
    }
  }

  static void addEager(StepTimes &Times, StepPart Part, int64_t Ns) {
    PartTimes &Of = Times.Of[static_cast<size_t>(Part)];
    Of.EagerNs += Ns;
    ++Of.Ops;
  }

  const Trace &Compiled, &Eager;
  const std::vector<PlannedGraph> &Graphs;
  const StepWork CompiledWork, EagerWork;
  const GraphRuns Runs;
  Attribution Result;
  /// Of the step that is being compared.
  std::vector<ShapedOp> Expected;
  std::vector<Owner> Owners;

  std::vector<ShapedOp> LastExpected, LastCalls;
  std::vector<AlignedOp> LastAligned;
};

} // namespace

Attribution attribute(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs,
                      const Trace &Eager) {
  return Comparison(Compiled, Graphs, Eager).run();
}

Parts sumOf(const std::vector<StepTimes> &Steps) {
  Parts Sum = {};
  for (const StepTimes &Each : Steps)
    for (size_t I = 0; I < StepParts; ++I) {
      Sum[I].EagerNs += Each.Of[I].EagerNs;
      Sum[I].CompiledNs += Each.Of[I].CompiledNs;
      Sum[I].Kernels += Each.Of[I].Kernels;
      Sum[I].Ops += Each.Of[I].Ops;
    }
  return Sum;
}

} // namespace seamscope::tools
