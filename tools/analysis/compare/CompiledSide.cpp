//===- CompiledSide.cpp - where the time of a compiled step went ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/CompiledSide.h"
#include "analysis/compare/Unexplained.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

PartTimes &partIn(StepTimes &Times, StepPart Part) { return Times.Of[static_cast<size_t>(Part)]; }

void add(StepTimes &Times, StepPart Part, int64_t Ns) {
  PartTimes &Of = partIn(Times, Part);
  Of.CompiledNs += Ns;
  ++Of.Kernels;
}

} // namespace

StepPart partOfWork(const Trace &Input, const WorkItem &Item) {
  return Item.Kind == WorkKind::Kernel ? StepPart::Unattributed
                                       : partOfOperator(Input.text(Input.Sites[Item.Site].Name));
}

int64_t backwardNs(const std::vector<WorkItem> &Work) {
  int64_t Sum = 0;
  for (const WorkItem &Item : Work)
    Sum += Item.Backward ? Item.Ns : 0;
  return Sum;
}

std::vector<TimeSpan> spansOf(const std::vector<WorkItem> &Work) {
  std::vector<TimeSpan> Spans;
  for (const WorkItem &Item : Work)
    Spans.push_back({Item.BeginNs, Item.endNs()});
  return Spans;
}

namespace {

/// The part of \p Of that \p Known leaves, which is in the order of time and without overlaps.
int64_t leftOf(const TimeSpan &Of, const std::vector<TimeSpan> &Known) {
  int64_t Left = Of.EndNs - Of.BeginNs;
  for (auto Each = std::ranges::upper_bound(Known, Of.BeginNs, {}, &TimeSpan::EndNs);
       Each != Known.end() && Each->BeginNs < Of.EndNs; ++Each)
    Left -= std::min(Each->EndNs, Of.EndNs) - std::max(Each->BeginNs, Of.BeginNs);
  return Left;
}

} // namespace

CompiledSide::CompiledSide(const Trace &Input, const std::vector<PlannedGraph> &Graphs,
                           TimeOf Whose)
    : Input(Input), Graphs(Graphs), Whose(Whose), Work(Input, Whose),
      Runs(Input, Graphs, Work.tellsRegions()) {}

CompiledStepWork CompiledSide::step(const Step &Of) const {
  const bool OnDevice = Whose == TimeOf::Device;
  const DeviceStep Device = OnDevice ? Work.onDevice(Of) : DeviceStep();
  const std::vector<WorkItem> Items = OnDevice ? Device.Items : Work.in(Of);
  CompiledStepWork Result;
  Result.Nothing = Items.empty();
  StepTimes &Times = Result.Times;
  std::string_view Name = Input.text(Of.Name);
  if (Name.starts_with(CompiledCallPrefix))
    Name.remove_prefix(CompiledCallPrefix.size());
  Times.Name = Name;
  Times.CompiledNs = OnDevice ? Device.EndNs - Device.BeginNs : Of.wallNs();
  Times.Backward.CompiledNs = OnDevice ? backwardNs(Items) : Work.backwardNs(Of);

  const std::vector<TimeSpan> InCalls = OnDevice ? std::vector<TimeSpan>() : Work.compiledIn(Of);
  const auto IsInCall = [&](const WorkItem &Item) {
    const auto Behind = std::ranges::upper_bound(InCalls, Item.BeginNs, {}, &TimeSpan::BeginNs);
    return Behind != InCalls.begin() && std::prev(Behind)->EndNs > Item.BeginNs;
  };
  const std::vector<GraphRun> Found = Runs.find(Items);
  for (const GraphRun &Run : Found)
    for (const uint32_t Call : callsNotFound(Run, Graphs[Run.Graph]))
      Result.NotFound.push_back({Run.Graph, Call});
  size_t NextRun = 0;
  for (uint32_t I = 0; I < Items.size();) {
    if (NextRun < Found.size() && Found[NextRun].First == I) {
      const GraphRun &Run = Found[NextRun++];
      Result.Order.push_back({Run.Graph, 0, Run.Branches});
      for (; I < Run.End; ++I) {
        // None: memory that the graph allocates, and views that it returns.
        const int32_t Call = Run.CallOf[I - Run.First];
        add(Times, Call < 0 ? partOfWork(Input, Items[I]) : Graphs[Run.Graph].Calls[Call].Part,
            Items[I].Ns);
        if (Call >= 0)
          Result.Calls.push_back({{Run.Graph, static_cast<uint32_t>(Call)}, Items[I].Ns});
      }
      continue;
    }
    const WorkItem &Item = Items[I++];
    add(Times, partOfWork(Input, Item), Item.Ns);
    if (partOfWork(Input, Item) == StepPart::Other && (OnDevice || IsInCall(Item)))
      Times.BetweenGraphsNs += Item.Ns;
    if (Item.Kind == WorkKind::Operator && !Item.Backward)
      Result.Order.push_back({NoEvent, Item.Site});
  }

  PartTimes &Idle = partIn(Times, StepPart::Idle);
  if (OnDevice) {
    Idle.CompiledNs = Device.IdleNs;
  } else {
    Times.GuardsNs = Work.guardsNs(Of);
    // Stretches of the host's time.
    const std::vector<TimeSpan> Unexplained =
        unexplainedTime(Input, Of, Items, Found, Graphs, Work.regionsIn(Of));
    for (const TimeSpan &Each : Unexplained)
      partIn(Times, StepPart::Unknown).CompiledNs += Each.EndNs - Each.BeginNs;
    std::vector<TimeSpan> Known = spansOf(Items);
    Known.insert(Known.end(), Unexplained.begin(), Unexplained.end());
    std::ranges::sort(Known, {}, &TimeSpan::BeginNs);
    Idle.CompiledNs = Work.idleNs(Of, Known);
    for (const TimeSpan &Call : InCalls) {
      Step Part = Of;
      Part.BeginNs = Call.BeginNs;
      Part.EndNs = Call.EndNs;
      Times.InCompiledNs += leftOf(Call, Known) - Work.idleNs(Part, Known);
    }
  }
  int64_t Rest = Times.CompiledNs;
  for (const PartTimes &Part : Times.Of)
    Rest -= Part.CompiledNs;
  partIn(Times, StepPart::Overhead).CompiledNs += Rest;
  if (OnDevice)
    Times.InCompiledNs = Rest;
  return Result;
}

} // namespace seamscope::tools
