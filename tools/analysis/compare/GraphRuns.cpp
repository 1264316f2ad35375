//===- GraphRuns.cpp - which graph's calls the work of a step is ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/GraphRuns.h"
#include "analysis/compare/Attribution.h"

#include <algorithm>

namespace seamscope::tools {

GraphRuns::GraphRuns(const Trace &Input, const std::vector<PlannedGraph> &Graphs, bool TellsRegions)
    : Input(Input), Graphs(Graphs), TellsRegions(TellsRegions) {
  for (uint32_t Number = 0; Number < Graphs.size(); ++Number) {
    const std::vector<PlannedCall> &Calls = Graphs[Number].Calls;
    if (!Calls.empty() && !Calls[0].Generated)
      ByOperator[Calls[0].Operator].push_back(Number);
    // Libraries' calls before it may have left no event.
    const auto Kernel = std::ranges::find_if(Calls, &PlannedCall::Generated);
    if (Kernel != Calls.end())
      for (const SiteId Site : Kernel->Sites)
        ByKernel[Site].push_back(Number);
  }
}

std::span<const uint32_t> GraphRuns::beginningWith(const WorkItem &Item) const {
  if (Item.Kind == WorkKind::Kernel) {
    const auto Found = ByKernel.find(Item.Site);
    return Found == ByKernel.end() ? std::span<const uint32_t>() : Found->second;
  }
  if (Item.Kind != WorkKind::Operator)
    return {};
  const auto Found = ByOperator.find(Input.text(Input.Sites[Item.Site].Name));
  return Found == ByOperator.end() ? std::span<const uint32_t>() : Found->second;
}

bool GraphRuns::is(const WorkItem &Item, const PlannedCall &Call) const {
  if (Call.Generated)
    return Item.Kind == WorkKind::Kernel && std::ranges::binary_search(Call.Sites, Item.Site);
  return Item.Kind == WorkKind::Operator &&
         Input.text(Input.Sites[Item.Site].Name) == Call.Operator;
}

std::optional<GraphRun> GraphRuns::fit(const std::vector<WorkItem> &Work, uint32_t First,
                                       uint32_t Number) const {
  const std::vector<PlannedCall> &Calls = Graphs[Number].Calls;
  GraphRun Run{Number, First, First, {}, 0};
  std::vector<int32_t> CallOf;
  size_t Next = 0;
  for (uint32_t I = First; I < Work.size() && Next < Calls.size(); ++I) {
    const WorkItem &Item = Work[I];
    if (Item.Region != Work[First].Region)
      break;
    int32_t Which = -1;
    if (Input.Sites[Item.Site].Kind == SiteKind::Copy) {
      // A device's copy or fill that no operator asked for: what the graph's code does around
      // calls.
    } else if (Item.Kind == WorkKind::Kernel) {
      size_t Kernel = Next;
      while (Kernel < Calls.size() && !Calls[Kernel].Generated)
        ++Kernel;
      if (Kernel == Calls.size() || !is(Item, Calls[Kernel]))
        break;
      Which = static_cast<int32_t>(Kernel);
      Next = Kernel + 1;
    } else {
      // Others of libraries before it may have left no event.
      size_t Library = Next;
      while (Library < Calls.size() && !Calls[Library].Generated && !is(Item, Calls[Library]))
        ++Library;
      if (Library < Calls.size() && !Calls[Library].Generated) {
        Which = static_cast<int32_t>(Library);
        Next = Library + 1;
      }
    }
    CallOf.push_back(Which);
    if (Which >= 0) {
      ++Run.Matched;
      Run.End = I + 1;
    }
  }
  for (; Next < Calls.size(); ++Next)
    if (Calls[Next].Generated)
      return std::nullopt;
  if (!Run.Matched)
    return std::nullopt;
  CallOf.resize(Run.End - Run.First);
  Run.CallOf = std::move(CallOf);
  return Run;
}

std::vector<GraphRun> GraphRuns::find(const std::vector<WorkItem> &Work) const {
  std::vector<GraphRun> Runs;
  for (uint32_t I = 0; I < Work.size();) {
    std::optional<GraphRun> Best;
    const WorkItem &Item = Work[I];
    const bool InRegion = Item.Region != NoEvent;
    const std::string_view Region =
        InRegion ? Input.text(Input.Sites[Input.Events.Site[Item.Region]].Name)
                 : std::string_view();
    if (InRegion || !TellsRegions)
      for (const uint32_t Number : beginningWith(Item)) {
        if (InRegion && Graphs[Number].Region != Region)
          continue;
        auto Run = fit(Work, I, Number);
        if (Run && (!Best || Run->Matched > Best->Matched))
          Best = std::move(Run);
      }
    if (!Best) {
      ++I;
      continue;
    }
    I = Best->End;
    Runs.push_back(std::move(*Best));
  }
  return Runs;
}

} // namespace seamscope::tools
