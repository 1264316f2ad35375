//===- Unexplained.cpp - time of compiled code without an event ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Unexplained.h"
#include "analysis/compare/PlannedGraph.h"

#include <algorithm>
#include <set>

namespace seamscope::tools {
namespace {

/// Adds the parts of [Begin, End) that no item of \p Work covers; \p Work is in the order of time.
void addUncovered(std::vector<TimeSpan> &To, int64_t Begin, int64_t End,
                  const std::vector<WorkItem> &Work) {
  auto Next = std::ranges::upper_bound(Work, Begin, {}, &WorkItem::endNs);
  for (; Begin < End; ++Next) {
    const int64_t Free = Next == Work.end() ? End : std::min(End, Next->BeginNs);
    if (Begin < Free)
      To.push_back({Begin, Free});
    if (Next == Work.end())
      break;
    Begin = std::max(Begin, Next->endNs());
  }
}

/// In the order of time, without overlaps.
std::vector<TimeSpan> joined(std::vector<TimeSpan> Spans) {
  std::ranges::sort(Spans, {}, &TimeSpan::BeginNs);
  std::vector<TimeSpan> Result;
  for (const TimeSpan &Each : Spans)
    if (!Result.empty() && Each.BeginNs <= Result.back().EndNs)
      Result.back().EndNs = std::max(Result.back().EndNs, Each.EndNs);
    else
      Result.push_back(Each);
  return Result;
}

/// Whether all graphs of a region are known and none makes a call: they only return views.
bool callsNothing(std::string_view Region, const std::vector<PlannedGraph> &Graphs) {
  const auto IsOf = [&](const PlannedGraph &Graph) { return Graph.Region == Region; };
  return std::ranges::any_of(Graphs, IsOf) &&
         std::ranges::none_of(Graphs, [&](const PlannedGraph &Graph) {
           return IsOf(Graph) && !Graph.Calls.empty();
         });
}

} // namespace

std::vector<uint32_t> callsNotFound(const GraphRun &Run, const PlannedGraph &Graph) {
  std::vector<uint32_t> Missing;
  if (!Graph.Branches.empty())
    return Missing; // for branches it is not known which calls they make
  uint32_t Next = 0;
  const auto UpTo = [&](uint32_t End) {
    for (; Next < End; ++Next)
      Missing.push_back(Next);
  };
  for (const int32_t Call : Run.CallOf)
    if (Call >= 0) {
      UpTo(static_cast<uint32_t>(Call));
      ++Next;
    }
  UpTo(static_cast<uint32_t>(Graph.Calls.size()));
  return Missing;
}

std::vector<TimeSpan> unexplainedTime(const Trace &Input, const Step &Of,
                                      const std::vector<WorkItem> &Work,
                                      const std::vector<GraphRun> &Runs,
                                      const std::vector<PlannedGraph> &Graphs,
                                      const std::vector<uint32_t> &Regions) {
  const EventColumns &Events = Input.Events;
  std::vector<TimeSpan> Found;
  std::set<uint32_t> Known;
  for (size_t Number = 0; Number < Runs.size(); ++Number) {
    const GraphRun &Run = Runs[Number];
    const uint32_t Region = Work[Run.First].Region;
    Known.insert(Region);
    if (!Graphs[Run.Graph].Branches.empty())
      continue;
    int64_t Begin = Work[Run.First].BeginNs, End = Work[Run.End - 1].endNs();
    if (Region != NoEvent) {
      // The code may run several graphs.
      Begin = std::max(Of.BeginNs, Events.BeginNs[Region]);
      End = std::min(Of.EndNs, Events.endNs(Region));
      if (Number > 0)
        Begin = std::max(Begin, Work[Runs[Number - 1].End - 1].endNs());
      if (Number + 1 < Runs.size())
        End = std::min(End, Work[Runs[Number + 1].First].BeginNs);
    }
    int64_t Next = 0; // of the calls
    for (uint32_t I = Run.First; I < Run.End; ++I) {
      const int32_t Call = Run.CallOf[I - Run.First];
      if (Call < 0)
        continue;
      if (Call > Next)
        addUncovered(Found, Begin, Work[I].BeginNs, Work);
      Next = Call + 1;
      Begin = Work[I].endNs();
    }
    if (Next < static_cast<int64_t>(Graphs[Run.Graph].Calls.size()))
      addUncovered(Found, Begin, End, Work);
  }
  for (const uint32_t Region : Regions)
    if (!Known.contains(Region) &&
        !callsNothing(Input.text(Input.Sites[Events.Site[Region]].Name), Graphs))
      addUncovered(Found, std::max(Of.BeginNs, Events.BeginNs[Region]),
                   std::min(Of.EndNs, Events.endNs(Region)), Work);
  return joined(std::move(Found));
}

} // namespace seamscope::tools
