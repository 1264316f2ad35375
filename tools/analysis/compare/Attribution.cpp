//===- Attribution.cpp - where the time between two runs went ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Attribution.h"
#include "analysis/compare/CallGroups.h"
#include "analysis/compare/CompiledSide.h"
#include "analysis/compare/ExpectedOps.h"
#include "analysis/compare/Gradients.h"
#include "analysis/devices/OpInputs.h"
#include "analysis/devices/Work.h"
#include "analysis/torch/Direction.h"

#include <algorithm>
#include <set>

namespace seamscope::tools {
namespace {

ShapedOp shapedOp(const Trace &Input, SiteId Id) {
  const Site &What = Input.Sites[Id];
  const std::string_view Dims = Input.text(What.InputDims);
  return {std::string(Input.text(What.Name)),
          Dims.empty() ? std::nullopt : std::optional(shapesIn(Dims)), -1};
}

class Comparison {
public:
  Comparison(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs, const Trace &Eager)
      : Compiled(Compiled), Eager(Eager), Graphs(Graphs),
        Whose(std::min(timeToCount(Compiled), timeToCount(Eager))), Fused(Compiled, Graphs, Whose),
        EagerWork(Eager, Whose), EagerPasses(Eager), Expected(Graphs, Eager) {
    for (const PlannedGraph &Graph : Graphs)
      Result.Calls.emplace_back(Graph.Calls.size());
    for (uint32_t Graph = 0; Graph < Graphs.size(); ++Graph)
      for (const SharedWork &Each : Graphs[Graph].Shared)
        if (!Each.Eager || !Expected.runsInside(Graphs[Graph], *Each.Eager))
          Groups.unite({Graph, Each.Owner}, {Graph, Each.Other});
    findWork();
  }

  Attribution run() {
    Result.OneRun =
        Compiled.Info.BaseNs.value_or(0) > 0 && Compiled.Info.BaseNs == Eager.Info.BaseNs;
    Result.OnDevice = Whose == TimeOf::Device;
    Result.By = stepsBy(Compiled, Fused.work());
    if (stepsBy(Eager, EagerWork) != Result.By)
      Result.By = StepsBy::Call;
    Result.CompilingNs = CompilationTime(Compiled).in(INT64_MIN, INT64_MAX);
    const std::vector<Step> Fast = stepsOf(Compiled, Result.By);
    const std::vector<Step> Slow = stepsOf(Eager, Result.By);
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
    if (Result.OneRun)
      for (std::vector<CallTimes> &Graph : Result.Calls)
        for (CallTimes &Call : Graph)
          Call.Paired.ofOneRun();
    Groups.mark(Result.Calls);
    return std::move(Result);
  }

private:
  void compare(const Step &Fast, const Step &Slow) {
    const CompiledStepWork Left = Fused.step(Fast);
    StepTimes Times = Left.Times;
    DeviceStep SlowDevice;
    if (Result.OnDevice)
      SlowDevice = EagerWork.onDevice(Slow);
    const std::vector<WorkItem> Right = Result.OnDevice ? SlowDevice.Items : EagerWork.in(Slow);
    Times.Backward.EagerNs = Result.OnDevice ? backwardNs(Right) : EagerWork.backwardNs(Slow);
    if (Result.By == StepsBy::Mark && Left.isEmpty() && Right.empty() && !Times.Backward.EagerNs)
      return; // after the last step that did anything
    Times.EagerNs = Result.OnDevice ? SlowDevice.EndNs - SlowDevice.BeginNs : Slow.wallNs();
    OfStep.clear();
    compiledSide(Left);
    eagerSide(Right, Times);
    for (const auto &[Call, Pass] : OfStep)
      Result.Calls[Call.first][Call.second].Paired.addStep(
          static_cast<uint32_t>(Result.Steps.size()), Pass.EagerNs, Pass.CompiledNs);
    int64_t Rest = Times.EagerNs;
    for (const PartTimes &Part : Times.Of)
      Rest -= Part.EagerNs;
    const int64_t Idle =
        Result.OnDevice ? SlowDevice.IdleNs : EagerWork.idleNs(Slow, spansOf(Right));
    Times.Of[static_cast<size_t>(StepPart::Idle)].EagerNs += Idle;
    const bool HasNumPy = std::ranges::any_of(Left.Order, [&](const CompiledStepWork::Piece &Each) {
      return Each.Graph != NoEvent && Graphs[Each.Graph].CallsNumPy;
    });
    Result.NumPySteps += HasNumPy;
    const StepPart Outside = HasNumPy ? StepPart::Unknown : StepPart::Overhead;
    Times.Of[static_cast<size_t>(Outside)].EagerNs += Rest - Idle;
    Result.Steps.push_back(std::move(Times));
  }

  /// Adds up the calls of the compiled run and finds what the eager run is expected to do.
  void compiledSide(const CompiledStepWork &Of) {
    Expected.clear();
    NotFound.clear();
    for (const GraphCall &Call : Of.NotFound) {
      NotFound.insert({Call.Graph, Call.Call});
      ++Result.WithoutEvent[Graphs[Call.Graph].Calls[Call.Call].Operator];
    }
    for (const CompiledStepWork::Piece &Each : Of.Order)
      if (Each.Graph != NoEvent)
        Expected.addGraph(Each.Graph, Each.Branches);
      else
        Expected.addUncompiled(shapedOp(Compiled, Each.Operator));
    for (const auto &[Call, Ns] : Of.Calls) {
      const PlannedCall &Plan = Graphs[Call.Graph].Calls[Call.Call];
      CallTimes One;
      One.Calls = 1;
      One.CompiledNs = Ns;
      One.Bytes = Plan.Bytes;
      One.Shared = Plan.Shared;
      One.LayoutFor = Plan.LayoutFor;
      Result.Calls[Call.Graph][Call.Call].add(One);
      OfStep[{Call.Graph, Call.Call}].CompiledNs += Ns;
    }
  }

  void eagerSide(const std::vector<WorkItem> &Work, StepTimes &Times) {
    std::vector<ShapedOp> Calls;
    std::vector<const WorkItem *> Operators;
    std::map<uint32_t, size_t> ByEvent; // index of Calls
    for (const WorkItem &Item : Work)
      if (Item.Kind == WorkKind::Kernel)
        addEager(Times, partOfWork(Eager, Item), Item.Ns);
      else if (!Item.Backward) {
        ByEvent.emplace(Item.Event, Calls.size());
        Calls.push_back(shapedOp(Eager, Item.Site));
        Operators.push_back(&Item);
      }
    Expected.align(Calls);
    for (size_t I = 0; I < Calls.size(); ++I) {
      const AlignedOp &Where = Expected.at(I);
      if (Where.How == Aligned::No && isView(Calls[I].Name)) // it moves nothing
        addEager(Times, StepPart::Other, Operators[I]->Ns);
      else if (Where.How == Aligned::No && Expected.placeOf(I).Graph == NoEvent)
        unplaced(Calls[I], *Operators[I], Times);
      else if (Where.Owner < 0) // no kernel is known
        addEager(Times, partOfOperator(Calls[I].Name), Operators[I]->Ns);
      else
        ownedBy(Expected.ownerOf(I), Where.How, Calls[I], *Operators[I], Times);
    }
    backwardSide(Work, ByEvent, Times);
  }

  /// Operators that autograd's engine runs, gathered by the operator of the forward pass.
  void backwardSide(const std::vector<WorkItem> &Work, const std::map<uint32_t, size_t> &ByEvent,
                    StepTimes &Times) {
    std::map<size_t, std::vector<const WorkItem *>> OfForward;
    std::map<uint32_t, std::vector<const WorkItem *>> OfGraph;
    for (const WorkItem &Item : Work) {
      if (!Item.Backward || Item.Kind == WorkKind::Kernel)
        continue;
      const std::string_view Name = Eager.text(Eager.Sites[Item.Site].Name);
      if (Name == "torch::autograd::AccumulateGrad") { // belongs to a parameter, not to an operator
        addEager(Times, StepPart::Other, Item.Ns);
        continue;
      }
      const uint32_t Forward = EagerPasses.forwardOf(Item.Event);
      const auto Known =
          Forward == NoEvent ? ByEvent.end() : ByEvent.find(EagerWork.itemOf(Forward));
      if (Known == ByEvent.end() && Forward != NoEvent)
        addEager(Times, partOfOperator(Name), Item.Ns); // ran before the step, uncompiled
      else if (Known == ByEvent.end())
        unplaced(shapedOp(Eager, Item.Site), Item, Times);
      else if (const uint32_t Graph = ownGradientsIn(Known->second); Graph != NoEvent)
        OfGraph[Graph].push_back(&Item);
      else
        OfForward[Known->second].push_back(&Item);
    }
    for (const auto &[Graph, Items] : OfGraph)
      gradientsIn(Graph, Items, Times);
    for (const auto &[Forward, Items] : OfForward)
      gradientOf(Forward, Items, Times);
  }

  /// The graph of an operator that computes gradients itself; else NoEvent.
  uint32_t ownGradientsIn(size_t Call) const {
    const AlignedOp &Where = Expected.at(Call);
    const uint32_t Graph = !Where.Expected && Where.Owner >= 0 ? Expected.ownerOf(Call).Graph
                                                               : Expected.placeOf(Call).Graph;
    return Graph != NoEvent && !Graphs[Graph].Gradients.empty() ? Graph : NoEvent;
  }

  /// In the eager run, attributes the operators for gradients that graph \p Graph computes itself.
  /// Both are in order.
  void gradientsIn(uint32_t Graph, const std::vector<const WorkItem *> &Items, StepTimes &Times) {
    std::vector<ShapedOp> Calls;
    std::vector<const WorkItem *> Own;
    for (const WorkItem *Item : Items) {
      ShapedOp Op = shapedOp(Eager, Item->Site);
      if (isView(Op.Name)) {
        addEager(Times, partOfOperator(Op.Name), Item->Ns);
        continue;
      }
      Calls.push_back(std::move(Op));
      Own.push_back(Item);
    }
    const std::vector<AlignedOp> Found = align(Graphs[Graph].Gradients, Calls);
    for (size_t I = 0; I < Calls.size(); ++I)
      if (Found[I].How == Aligned::No || Found[I].Owner < 0)
        unplaced(Calls[I], *Own[I], Times);
      else
        ownedBy({Graph, static_cast<uint32_t>(Found[I].Owner)}, Found[I].How, Calls[I], *Own[I],
                Times);
  }

  /// Attributes the calls that compute the gradient of one forward operator.
  void gradientOf(size_t Forward, const std::vector<const WorkItem *> &Items, StepTimes &Times) {
    std::vector<ShapedOp> Calls;
    for (const WorkItem *Item : Items)
      Calls.push_back(shapedOp(Eager, Item->Site));
    const AlignedOp &Where = Expected.at(Forward);
    const NodePlace Place = Expected.placeOf(Forward);
    const bool Uncompiled =
        Where.Expected ? Place.Graph == NoEvent : Where.How != Aligned::No && Where.Owner < 0;
    std::vector<AlignedOp> Found(Calls.size());
    uint32_t Graph = NoEvent;
    if (Place.Graph != NoEvent && Graphs[Place.Graph].Backward) {
      Graph = *Graphs[Place.Graph].Backward;
      const auto Computed = Graphs[Graph].ForNode.find(Place.Node);
      if (Computed != Graphs[Graph].ForNode.end()) {
        Found = alignGradient(Computed->second, Calls);
        groupGradient(Graph, Computed->second, Calls, Found);
      }
    }
    for (size_t I = 0; I < Calls.size(); ++I) {
      const StepPart Own = partOfOperator(Calls[I].Name);
      if (Found[I].How != Aligned::No)
        ownedBy({Graph, static_cast<uint32_t>(Found[I].Owner)}, Found[I].How, Calls[I], *Items[I],
                Times);
      else if (Uncompiled || (Graph != NoEvent && isView(Calls[I].Name)))
        addEager(Times, Own, Items[I]->Ns);
      else
        unplaced(Calls[I], *Items[I], Times);
    }
  }

  /// An eager operator without a counterpart of the same name stands for all that have none.
  void groupGradient(uint32_t Graph, const std::vector<ShapedOp> &Of,
                     const std::vector<ShapedOp> &Calls, const std::vector<AlignedOp> &Found) {
    std::set<uint32_t> Taken;
    for (const AlignedOp &Each : Found)
      if (Each.Expected)
        Taken.insert(*Each.Expected);
    for (size_t I = 0; I < Calls.size(); ++I)
      if (Found[I].How != Aligned::No && !Found[I].Expected && !isView(Calls[I].Name))
        for (uint32_t E = 0; E < Of.size(); ++E)
          if (!Taken.contains(E) && Of[E].Owner >= 0)
            Groups.unite({Graph, static_cast<uint32_t>(Found[I].Owner)},
                         {Graph, static_cast<uint32_t>(Of[E].Owner)});
  }

  void unplaced(const ShapedOp &Op, const WorkItem &Item, StepTimes &Times) {
    addEager(Times, StepPart::Unattributed, Item.Ns);
    addOp(Result.Unplaced, Op, Aligned::No, Item);
  }

  void ownedBy(const GraphCall &By, Aligned How, const ShapedOp &Op, const WorkItem &Item,
               StepTimes &Times) {
    const PlannedCall &Plan = Graphs[By.Graph].Calls[By.Call];
    addEager(Times,
             NotFound.contains({By.Graph, By.Call}) ? StepPart::Unknown
             : Plan.LayoutFor.empty()               ? Plan.Part
                                                    : StepPart::Fused,
             Item.Ns);
    CallTimes &Known = Result.Calls[By.Graph][By.Call];
    Known.EagerNs += Item.Ns;
    addOp(Known.Ops, Op, How, Item);
    OfStep[{By.Graph, By.Call}].EagerNs += Item.Ns;
  }

  void addOp(OpsByShape &To, const ShapedOp &Op, Aligned How, const WorkItem &Item) const {
    const int64_t Bytes = isView(Op.Name) ? 0 : ItemBytes[Item.Event];
    OpTimes One = {1, Item.Ns, How == Aligned::Proven, std::max<int64_t>(Bytes, 0), Bytes >= 0};
    if (const auto &Whole = ItemWork[Item.Event])
      One.Work.add(*Whole);
    To[{Op.Name, Op.Shapes.value_or("")}] += One;
  }

  /// The work of each eager operator with all that it calls. Of its bytes, as far as known; -1: not
  /// at all.
  void findWork() {
    const std::vector<Origin> Links = linkWork(Eager);
    const TraceWork Work(Eager, Links, DType::Unknown);
    ItemWork = wholeWork(Eager, Work);
    ItemBytes.assign(Eager.Events.size(), -1);
    for (uint32_t Event = 0; Event < Eager.Events.size(); ++Event) {
      const uint32_t Item = EagerWork.itemOf(Event);
      const std::optional<int64_t> Bytes = Item == NoEvent ? std::nullopt : Work.of(Event).Bytes;
      int64_t &Sum = ItemBytes[Item == NoEvent ? Event : Item];
      if (Bytes && __builtin_add_overflow(std::max<int64_t>(Sum, 0), *Bytes, &Sum))
        Sum = -1;
    }
  }

  static void addEager(StepTimes &Times, StepPart Part, int64_t Ns) {
    PartTimes &Of = Times.Of[static_cast<size_t>(Part)];
    Of.EagerNs += Ns;
    ++Of.Ops;
  }

  const Trace &Compiled, &Eager;
  const std::vector<PlannedGraph> &Graphs;
  const TimeOf Whose;
  const CompiledSide Fused;
  const StepWork EagerWork;
  const Directions EagerPasses;
  std::vector<int64_t> ItemBytes;                 ///< by event of the eager run, see findWork()
  std::vector<std::optional<WholeWork>> ItemWork; ///< by event of the eager run
  Attribution Result;
  CallGroups Groups;
  /// For the step that is being compared.
  ExpectedOps Expected;
  std::set<std::pair<uint32_t, uint32_t>> NotFound;          ///< calls of graphs that left no event
  std::map<std::pair<uint32_t, uint32_t>, PassTimes> OfStep; ///< by graph and call
};

} // namespace

Attribution attribute(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs,
                      const Trace &Eager) {
  return Comparison(Compiled, Graphs, Eager).run();
}

} // namespace seamscope::tools
