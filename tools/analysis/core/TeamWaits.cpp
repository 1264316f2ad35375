//===- TeamWaits.cpp - waits and tasks of a region's threads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/TeamWaits.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <vector>

namespace seamscope::tools {
namespace {

class Walk {
public:
  Walk(const Trace &Input, std::vector<int64_t> *OfParts)
      : Input(Input), Events(Input.Events), Throttles(Input), Samples(Input.Throttled.size()),
        Links(Input), OfParts(OfParts) {
    if (OfParts)
      OfParts->assign(Events.size(), 0);
  }

  std::map<SiteId, RegionTimes> run() {
    bool Any = false;
    for (const Site &What : Input.Sites) {
      Any |= What.Kind == SiteKind::TeamWait || What.Kind == SiteKind::Task;
      IsWork.push_back(What.Kind == SiteKind::Loop ||
                       (What.Kind == SiteKind::Kernel && What.Device < 0));
      Matters.push_back(What.Kind == SiteKind::TeamWait || What.Kind == SiteKind::Region ||
                        What.Kind == SiteKind::Task || IsWork.back());
    }
    if (!Any)
      return {};
    for (const uint32_t Event : orderedByTrack(
             Input, eventsWhere(Input, [&](uint32_t I) { return Matters[Events.Site[I]]; })))
      add(Event);
    for (size_t Entry = 0; Entry < Samples.size(); ++Entry)
      addUntimed(Entry);
    for (auto &[Id, Region] : Result)
      for (const auto &[Thread, Tasks] : Region.AtJoin)
        if (const auto Join = Region.Join.find(Thread); Join != Region.Join.end()) {
          Join->second.Ns = std::max<int64_t>(0, Join->second.Ns - Tasks.Ns);
          Join->second.CallerNs = std::max<int64_t>(0, Join->second.CallerNs - Tasks.CallerNs);
        }
    return std::move(Result);
  }

private:
  /// The calls of a throttled wait in one part of a region, by region and thread; null: time
  /// outside of all.
  using SampleOf = std::map<TeamTime *, DurationSample>;

  struct Open {
    uint32_t Event = 0;
    SiteKind Kind = SiteKind::Other;
    bool Starts = false;           ///< a team
    TeamTime *Time = nullptr;      ///< for a wait or task of a region
    RegionTimes *Region = nullptr; ///< the region around it, or itself; null: none
    TeamThread Thread;             ///< in the region
    uint32_t Part = NoEvent;       ///< the part of the region around it
  };

  void add(uint32_t Event) {
    const auto IsAround = [&](uint32_t Outer) {
      return Events.Track[Outer] == Events.Track[Event] &&
             Events.endNs(Outer) >= Events.endNs(Event) &&
             (Events.endNs(Outer) > Events.BeginNs[Event] || !Events.DurationNs[Event]);
    };
    while (!Stack.empty() && !IsAround(Stack.back().Event))
      Stack.pop_back();
    const Open Around = Stack.empty() ? Open() : Stack.back();
    const Site &What = Input.Sites[Events.Site[Event]];
    const uint32_t Ended = Links.endedPart(Event);
    // Work counts where it runs instead of waiting: the bodies of tasks may not be timed.
    if (IsWork[Events.Site[Event]] && Around.Kind != SiteKind::TeamWait && Ended == NoEvent)
      return;
    Open New = Around;
    New.Event = Event;
    New.Kind = What.Kind;
    New.Time = nullptr;
    New.Starts = startsTeam(Input, What);
    if (Ended != NoEvent)
      placeAtJoin(Event, Ended, New);
    if (What.Kind == SiteKind::Region)
      addRegion(Event, New);
    else if (!New.Starts && New.Region && !IsWork[Events.Site[Event]])
      addTime(Event, New);
    if (What.Kind == SiteKind::TeamWait)
      if (const auto Entry = Throttles.of(Event))
        Throttles.addTo(Samples[*Entry][New.Time], *Entry, Event);
    // What runs inside a wait is work, and what runs inside a task counts separately.
    if (Around.Time && !New.Starts && (Around.Kind == SiteKind::TeamWait || New.Time)) {
      Around.Time->Ns -= Events.DurationNs[Event];
      if (Around.Kind == SiteKind::TeamWait)
        addToPart(Around.Part, -Events.DurationNs[Event]);
    }
    Stack.push_back(New);
  }

  void addRegion(uint32_t Event, Open &New) {
    const SiteId Id = Events.Site[Event];
    New.Region = &Result[Id];
    New.Thread = Links.thread(Event);
    New.Part = Event;
    New.Region->Ambiguous += Links.isAmbiguous(Event);
    const uint32_t Start = Links.startOf(Event);
    if (Start == NoEvent)
      return;
    New.Region->Start = Events.Site[Start];
    addEnds(Event, Start);
  }

  /// Work of a thread that had ended its part of a region, before the team ended.
  void placeAtJoin(uint32_t Event, uint32_t Part, Open &New) {
    New.Region = &Result[Events.Site[Part]];
    New.Thread = Links.thread(Part);
    New.Part = Part;
    TeamTime &Time = New.Region->AtJoin[New.Thread];
    ++Time.Calls;
    Time.Ns += Events.DurationNs[Event];
    if (const uint32_t Start = Links.startOf(Part);
        Start != NoEvent && Events.Track[Start] == Events.Track[Part])
      Time.CallerNs += Events.DurationNs[Event];
    addToPart(Part, -Events.DurationNs[Event]);
  }

  void addToPart(uint32_t Part, int64_t Ns) {
    if (OfParts && Part != NoEvent)
      (*OfParts)[Part] += Ns;
  }

  void addTime(uint32_t Event, Open &New) {
    auto &Places = New.Kind == SiteKind::Task ? New.Region->Tasks : New.Region->Waits;
    New.Time = &Places[Events.Site[Event]][New.Thread];
    ++New.Time->Calls;
    New.Time->Ns += Events.DurationNs[Event];
    if (New.Kind == SiteKind::TeamWait)
      addToPart(New.Part, Events.DurationNs[Event]);
  }

  void addUntimed(size_t Entry) {
    const ThrottledCalls &Calls = Input.Throttled[Entry];
    uint64_t Count = 0;
    for (const auto &[Time, Its] : Samples[Entry])
      Count += Its.Count;
    Division Untimed(Calls.Untimed, Count);
    for (const auto &[Time, Its] : Samples[Entry]) {
      const uint64_t Here = Untimed.next(Its.Count);
      if (!Time)
        continue;
      DurationSample OfEntry = Its;
      OfEntry.Count = Count;
      Time->Untimed.add(estimateUntimed(Input, Calls, Here, Its, OfEntry));
    }
  }

  /// Fork and join of a thread whose part of the region is \p Event, in the team that \p Start
  /// started.
  void addEnds(uint32_t Event, uint32_t Start) {
    RegionTimes &Region = Result[Events.Site[Event]];
    const auto Add = [&](TeamTimes &To, int64_t Ns) {
      TeamTime &Time = To[Links.thread(Event)];
      ++Time.Calls;
      Time.Ns += Ns;
      if (Events.Track[Event] == Events.Track[Start])
        Time.CallerNs += Ns;
    };
    Add(Region.Fork, Events.BeginNs[Event] - Events.BeginNs[Start]);
    Add(Region.Join, Events.endNs(Start) - Events.endNs(Event));
  }

  const Trace &Input;
  const EventColumns &Events;
  const ThrottledEntries Throttles;
  std::vector<SampleOf> Samples; ///< by entry
  const Teams Links;
  std::vector<bool> Matters, IsWork; ///< by site
  std::map<SiteId, RegionTimes> Result;
  std::vector<Open> Stack;             ///< of the thread
  std::vector<int64_t> *const OfParts; ///< null: not wanted
};

} // namespace

std::map<SiteId, RegionTimes> teamWaits(const Trace &Input, std::vector<int64_t> *OfParts) {
  return Walk(Input, OfParts).run();
}

} // namespace seamscope::tools
