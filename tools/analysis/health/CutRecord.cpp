//===- CutRecord.cpp - what was found in a whole trace, for a part of it -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/CutRecord.h"

#include "analysis/core/Renumber.h"
#include "analysis/devices/Devices.h"
#include "analysis/health/Checks.h"
#include "analysis/producers/Producers.h"
#include "analysis/torch/Steps.h"
#include "trace/io/SeededHash.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace seamscope::tools {
namespace {

using Moment = std::pair<TrackId, int64_t>;

Moment momentOf(const Trace &Of, uint32_t Event) {
  return {Of.Events.Track[Event], Of.Events.BeginNs[Event]};
}

/// Begins of events on tracks.
class Moments {
public:
  void add(const Moment &At) { Counts[At.second].emplace(At.first, 0); }

  /// Calls \p Visit with each event that begins at one of them, and its number among those of the
  /// moment.
  template <typename VisitFn> void visit(const Trace &Of, VisitFn Visit) {
    for (uint32_t I = 0; I < Of.Events.size() && !Counts.empty(); ++I) {
      const auto At = Counts.find(Of.Events.BeginNs[I]);
      if (At == Counts.end())
        continue;
      if (const auto Count = At->second.find(Of.Events.Track[I]); Count != At->second.end())
        Visit(I, Count->second++);
    }
  }

private:
  std::unordered_map<int64_t, std::map<TrackId, uint32_t>, SeededHash> Counts; ///< by begin
};

/// \p Rows in their order.
template <typename RowT>
std::vector<CutMark> marksOf(const Trace &Part, const std::vector<RowT> &Rows) {
  Moments Begins;
  std::map<uint32_t, size_t> Places; // by event
  std::vector<CutMark> Marks;
  for (const RowT &Row : Rows) {
    Begins.add(momentOf(Part, Row.Event));
    Places.emplace(Row.Event, Marks.size());
    CutMark &Mark = Marks.emplace_back();
    std::tie(Mark.Track, Mark.BeginNs) = momentOf(Part, Row.Event);
    if constexpr (requires { Row.EndNs; }) {
      Mark.EndNs = Row.EndNs;
      Mark.ClipNs = Part.Events.endNs(Row.Event);
    }
  }
  Begins.visit(Part, [&](uint32_t Event, uint32_t Nth) {
    if (const auto Place = Places.find(Event); Place != Places.end())
      Marks[Place->second].Nth = Nth;
  });
  return Marks;
}

/// The events of \p Marks, each with its mark, in the order of the marks; those that are not in the
/// trace are left out.
std::vector<std::pair<uint32_t, const CutMark *>> eventsOf(const Trace &Read,
                                                           const std::vector<CutMark> &Marks) {
  Moments Begins;
  std::map<std::pair<Moment, uint32_t>, size_t> Places;
  for (size_t I = 0; I < Marks.size(); ++I) {
    const Moment At = {Marks[I].Track, Marks[I].BeginNs};
    Begins.add(At);
    Places.emplace(std::pair(At, Marks[I].Nth), I);
  }
  std::vector<std::pair<uint32_t, const CutMark *>> Found;
  for (const CutMark &Mark : Marks)
    Found.emplace_back(NoEvent, &Mark);
  Begins.visit(Read, [&](uint32_t Event, uint32_t Nth) {
    if (const auto Place = Places.find({momentOf(Read, Event), Nth}); Place != Places.end())
      Found[Place->second].first = Event;
  });
  std::erase_if(Found, [](const auto &Each) { return Each.first == NoEvent; });
  return Found;
}

/// The launches of the part that have no work there, and had some, or needed none, in the whole.
std::vector<MarkedEvent> servedOutside(const Trace &Part) {
  std::vector<uint32_t> Known;
  for (const MarkedEvent &Each : Part.Details.Unserved)
    Known.push_back(Each.Event);
  std::vector<uint32_t> Unserved = unservedLaunches(Part, linkLaunches(Part)).Events;
  std::ranges::sort(Known);
  std::ranges::sort(Unserved);
  std::vector<MarkedEvent> Served;
  for (const uint32_t Event : Unserved)
    if (!std::ranges::binary_search(Known, Event))
      Served.push_back({Event});
  return Served;
}

} // namespace

std::vector<Site> decidingSites(const Trace &Read) {
  static constexpr std::string_view Names[] = {CompileScope, "Total ExecuteCompiler",
                                               "ExecuteCompiler", "Total ExecuteLinker",
                                               "ExecuteLinker"};
  std::vector<Site> Sites;
  std::set<StringId> Categories, Uncategorised;
  for (const Site &What : Read.Sites)
    if (!What.Category)
      Uncategorised.insert(What.Name);
  bool AnyNode = false;
  for (const Site &What : Read.Sites) {
    const std::string_view Name = Read.text(What.Name);
    const bool IsNode = !AnyNode && isOnnxNode(Read, What);
    AnyNode |= IsNode;
    // What a region or loop calls its kernel is one.
    const bool IsOfKernel = (What.Kind == SiteKind::Region || What.Kind == SiteKind::Loop) &&
                            Uncategorised.erase(What.Kernel);
    if (Categories.insert(What.Category).second || IsNode || IsOfKernel ||
        std::ranges::find(Names, Name) != std::end(Names))
      Sites.push_back(What);
  }
  return Sites;
}

TraceCut recordOfCut(const Trace &Part, std::vector<Site> &Sites) {
  const TraceInfo &Info = Part.Info;
  TraceCut Cut;
  Cut.Producer = Info.Producer;
  Cut.Notes = Info.Notes;
  Cut.SkippedEvents = Info.SkippedEvents;
  Cut.Skipped = Info.Skipped;
  Cut.Health = Part.Health;
  Cut.Split = Info.Split;
  std::map<StringId, int64_t> Ends; // by pid
  for (const OpenCall &Call : Part.Open)
    if (Call.Guessed) {
      const StringId Pid = Part.Tracks[Part.Events.Track[Call.Event]].Process;
      const int64_t EndNs = Part.Events.endNs(Call.Event);
      int64_t &Last = Ends.try_emplace(Pid, EndNs).first->second;
      Last = std::max(Last, EndNs);
    }
  for (const auto &[Pid, EndNs] : Ends)
    Cut.OpenUntil.emplace_back(Part.text(Pid), EndNs);
  Cut.Served = marksOf(Part, servedOutside(Part));
  Cut.Initialises = marksOf(Part, Part.Details.Initialises);
  Cut.Clipped = marksOf(Part, Part.Details.Clipped);

  std::vector<bool> Has(Part.Sites.size());
  for (const SiteId Id : Part.Events.Site)
    Has[Id] = true;
  // Those of loops and captured launches are in the events of kernels.
  for (const KernelLoop &Of : Part.Details.KernelLoops)
    Has[Of.Site] = true;
  for (const KernelCapture &Of : Part.Details.Captures)
    Has[Of.Site] = true;
  // Of sites with one name the first has the calls that were left.
  for (const AbandonedCalls &Of : Part.Abandoned) {
    Has[Of.Site] = true;
    Sites.push_back(Part.Sites[Of.Site]);
  }
  for (SiteId Id = 0; Id < Has.size(); ++Id)
    if (!Has[Id])
      Sites.push_back(Part.Sites[Id]);
  return Cut;
}

void recallCut(Trace &Read) {
  const TraceCut &Cut = *Read.Info.Cut;
  checkCategories(Read);
  for (const auto &[Event, Mark] : eventsOf(Read, Cut.Clipped)) {
    EventColumns &Events = Read.Events;
    const Site &What = Read.Sites[Events.Site[Event]];
    if (!isDeviceWork(What.Kind, What.Device) || Mark->ClipNs < Events.BeginNs[Event] ||
        Mark->ClipNs > Events.endNs(Event))
      continue;
    Events.DurationNs[Event] = Mark->ClipNs - Events.BeginNs[Event];
    Read.Details.Clipped.push_back({Event, Mark->EndNs});
  }
  std::vector<uint32_t> Served;
  for (const auto &[Event, Mark] : eventsOf(Read, Cut.Served))
    Served.push_back(Event);
  checkLaunches(Read, linkLaunches(Read), Served);
  for (const auto &[Event, Mark] : eventsOf(Read, Cut.Initialises))
    Read.Details.Initialises.push_back({Event});
  if (Cut.Health.find(HealthCheck::Compilation))
    checkCompilation(Read);
  Read.Health = Cut.Health;
  TraceInfo &Info = Read.Info;
  Info.Producer = Cut.Producer;
  Info.Notes = Cut.Notes;
  Info.SkippedEvents = Cut.SkippedEvents;
  Info.Skipped = Cut.Skipped;
  renumber(Read);
}

} // namespace seamscope::tools
