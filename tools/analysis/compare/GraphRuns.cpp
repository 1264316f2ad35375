//===- GraphRuns.cpp - finds the graph runs in a step's work --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/GraphRuns.h"
#include "analysis/compare/PlannedGraph.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

/// The calls of the graph itself, and those of each branch, in order.
std::vector<std::vector<uint32_t>> partsOf(const PlannedGraph &Graph) {
  std::vector<std::vector<uint32_t>> Parts(1 + Graph.Branches.size());
  for (uint32_t Call = 0; Call < Graph.Calls.size(); ++Call)
    Parts[Graph.Calls[Call].Branch ? 1 + *Graph.Calls[Call].Branch : 0].push_back(Call);
  return Parts;
}

} // namespace

GraphRuns::GraphRuns(const Trace &Input, const std::vector<PlannedGraph> &Graphs, bool TellsRegions)
    : Input(Input), Graphs(Graphs), TellsRegions(TellsRegions) {
  const auto Add = [](std::vector<uint32_t> &To, uint32_t Number) {
    if (To.empty() || To.back() != Number)
      To.push_back(Number);
  };
  for (uint32_t Number = 0; Number < Graphs.size(); ++Number)
    for (const std::vector<uint32_t> &Part : partsOf(Graphs[Number])) {
      const auto CallOf = [&](uint32_t Call) -> const PlannedCall & {
        return Graphs[Number].Calls[Call];
      };
      if (!Part.empty() && !CallOf(Part[0]).Generated)
        Add(ByOperator[CallOf(Part[0]).Operator], Number);
      // Library calls before it may have left no event.
      const auto Kernel =
          std::ranges::find_if(Part, [&](uint32_t Call) { return CallOf(Call).Generated; });
      if (Kernel != Part.end())
        for (const SiteId Site : CallOf(*Kernel).Sites)
          Add(ByKernel[Site], Number);
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

size_t GraphRuns::next(const WorkItem &Item, const PlannedGraph &Graph,
                       const std::vector<uint32_t> &Calls, size_t From) const {
  for (; From < Calls.size(); ++From) {
    const PlannedCall &Call = Graph.Calls[Calls[From]];
    if (is(Item, Call))
      return From;
    if (Call.Generated)
      break;
  }
  return Calls.size();
}

std::optional<GraphRun> GraphRuns::fitBranches(const std::vector<WorkItem> &Work, uint32_t First,
                                               uint32_t Number) const {
  const PlannedGraph &Graph = Graphs[Number];
  const std::vector<std::vector<uint32_t>> Parts = partsOf(Graph);
  GraphRun Run{Number, First, First, {}, 0};
  size_t Now = 0;                         // the current part, 0: the graph itself
  std::vector<size_t> Next(Parts.size()); // by part, the next call
  const auto Begins = [&](const WorkItem &Item, size_t Part) {
    return next(Item, Graph, Parts[Part], 0) < Parts[Part].size();
  };
  // If several branches begin with the same library operator, the next kernel shows which one runs.
  const auto BranchAt = [&](uint32_t I) -> size_t {
    std::vector<size_t> May;
    for (size_t Part = 1; Part < Parts.size(); ++Part)
      if (Begins(Work[I], Part))
        May.push_back(Part);
    if (May.size() > 1) {
      uint32_t Kernel = I;
      while (Kernel < Work.size() && Work[Kernel].Kind != WorkKind::Kernel)
        ++Kernel;
      if (Kernel < Work.size())
        std::erase_if(May, [&](size_t Part) { return !Begins(Work[Kernel], Part); });
    }
    return May.size() == 1 ? May[0] : 0;
  };
  for (uint32_t I = First; I < Work.size() && Work[I].Region == Work[First].Region; ++I) {
    const WorkItem &Item = Work[I];
    const bool Copies = Input.Sites[Item.Site].Kind == SiteKind::Copy;
    size_t Found = Copies ? Parts[Now].size() : next(Item, Graph, Parts[Now], Next[Now]);
    if (!Copies && Found == Parts[Now].size()) {
      const size_t Branch = BranchAt(I);
      const size_t Main = next(Item, Graph, Parts[0], Next[0]);
      if (Main < Parts[0].size()) {
        Now = 0;
        Found = Main;
      } else if (Branch) {
        Now = Branch;
        Found = next(Item, Graph, Parts[Now], 0);
        Run.Branches.push_back(static_cast<uint32_t>(Now - 1));
      }
    }
    if (Found < Parts[Now].size()) {
      Next[Now] = Found + 1;
      Run.CallOf.push_back(static_cast<int32_t>(Parts[Now][Found]));
      Run.End = I + 1;
      ++Run.Matched;
    } else if (!Copies && Item.Kind == WorkKind::Kernel) {
      break;
    } else {
      Run.CallOf.push_back(-1);
    }
  }
  for (; Next[0] < Parts[0].size(); ++Next[0])
    if (Graph.Calls[Parts[0][Next[0]]].Generated)
      return std::nullopt;
  if (!Run.Matched)
    return std::nullopt;
  Run.CallOf.resize(Run.End - Run.First);
  return Run;
}

std::optional<GraphRun> GraphRuns::fit(const std::vector<WorkItem> &Work, uint32_t First,
                                       uint32_t Number) const {
  if (!Graphs[Number].Branches.empty())
    return fitBranches(Work, First, Number);
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
      // A device copy or fill that no operator asked for: the graph's code does this around its
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
      // Other library calls before it may have left no event.
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
