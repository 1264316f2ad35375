//===- TeamWaits.cpp - waits and tasks of a region's threads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/TeamWaits.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace seamscope::tools {
namespace {

/// A call that starts a team is a wait with this construct: it returns when all threads are done.
constexpr std::string_view Starts = "parallel";

class Walk {
public:
  Walk(const Trace &Input, std::vector<int64_t> *OfParts)
      : Input(Input), Events(Input.Events), Throttles(Input), Samples(Input.Throttled.size()),
        OfParts(OfParts) {
    if (OfParts)
      OfParts->assign(Events.size(), 0);
  }

  std::map<SiteId, RegionTimes> run() {
    bool Any = false;
    for (const Site &What : Input.Sites) {
      Any |= What.Kind == SiteKind::TeamWait || What.Kind == SiteKind::Task;
      Matters.push_back(What.Kind == SiteKind::TeamWait || What.Kind == SiteKind::Region ||
                        What.Kind == SiteKind::Task);
    }
    if (!Any)
      return {};
    for (const uint32_t Event : orderedByTrack(
             Input, eventsWhere(Input, [&](uint32_t I) { return Matters[Events.Site[I]]; })))
      add(Event);
    for (const uint32_t Event : Workers)
      addWorker(Event);
    for (size_t Entry = 0; Entry < Samples.size(); ++Entry)
      addUntimed(Entry);
    for (auto &[Id, Region] : Result)
      for (const auto &[Thread, Tasks] : Region.AtJoin)
        if (const auto Join = Region.Join.find(Thread); Join != Region.Join.end())
          Join->second.Ns = std::max<int64_t>(0, Join->second.Ns - Tasks.Ns);
    return std::move(Result);
  }

private:
  /// The calls of a throttled wait in one part of a region, by region and thread; null: time
  /// outside of all.
  using SampleOf = std::map<TeamTime *, DurationSample>;

  static constexpr uint32_t NoPart = UINT32_MAX;

  struct Open {
    uint32_t Event = 0;
    SiteKind Kind = SiteKind::Other;
    bool Starts = false;           ///< a team
    TeamTime *Time = nullptr;      ///< for a wait or task of a region
    RegionTimes *Region = nullptr; ///< the region around it, or itself; null: none
    int32_t Thread = -1;           ///< thread number in the region
    uint32_t Part = NoPart;        ///< the part of the region around it
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
    Open New = Around;
    New.Event = Event;
    New.Kind = What.Kind;
    New.Time = nullptr;
    New.Starts = What.Kind == SiteKind::TeamWait && Input.text(What.Construct).starts_with(Starts);
    if (What.Kind == SiteKind::Task && (Around.Starts || Stack.empty()))
      placeAtJoin(Event, New);
    if (What.Kind == SiteKind::Region)
      addRegion(Event, Around, New);
    else if (!New.Starts && New.Region)
      addTime(Event, New);
    if (What.Kind == SiteKind::TeamWait)
      if (const auto Entry = Throttles.of(Event))
        Samples[*Entry][New.Time].add(
            static_cast<double>(netOfStamps(Input, Events.DurationNs[Event])));
    // What runs inside a wait is work, and what runs inside a task counts separately.
    if (Around.Time && !New.Starts && (Around.Kind == SiteKind::TeamWait || New.Time)) {
      Around.Time->Ns -= Events.DurationNs[Event];
      if (Around.Kind == SiteKind::TeamWait)
        addToPart(Around.Part, -Events.DurationNs[Event]);
    }
    Stack.push_back(New);
  }

  void addRegion(uint32_t Event, const Open &Around, Open &New) {
    const SiteId Id = Events.Site[Event];
    New.Region = &Result[Id];
    New.Thread = Events.teamThread(Event);
    LastPart = New.Part = Event;
    if (!Around.Starts) {
      Workers.push_back(Event);
      return;
    }
    New.Region->Start = Events.Site[Around.Event];
    Teams[Id].push_back(Around.Event);
    addEnds(Event, Around.Event);
  }

  /// A task outside all parts of a region: its thread had ended its own part, but the team had not
  /// ended.
  void placeAtJoin(uint32_t Event, Open &New) {
    if (LastPart == NoPart || Events.Track[LastPart] != Events.Track[Event])
      return;
    const SiteId Region = Events.Site[LastPart];
    if (Input.Sites[Region].Kernel != Input.Sites[Events.Site[Event]].Kernel)
      return;
    New.Region = &Result[Region];
    New.Thread = Events.teamThread(LastPart);
    TeamTime &Time = New.Region->AtJoin[New.Thread];
    ++Time.Calls;
    Time.Ns += Events.DurationNs[Event];
    addToPart(LastPart, -Events.DurationNs[Event]);
  }

  void addToPart(uint32_t Part, int64_t Ns) {
    if (OfParts && Part != NoPart)
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
      Time->Untimed.add(
          {.Every = Calls.Every,
           .Timed = Its.Count,
           .Calls = Here,
           .Ns = static_cast<int64_t>(std::min(Its.mean() * static_cast<double>(Here), 0x1p62)),
           .StderrNs = OfEntry.stderrOfSum(Calls.Untimed)});
    }
  }

  /// Fork and join of a thread whose part of the region is \p Event, in the team that \p Start
  /// started.
  void addEnds(uint32_t Event, uint32_t Start) {
    RegionTimes &Region = Result[Events.Site[Event]];
    const auto Add = [&](TeamTimes &To, int64_t Ns) {
      TeamTime &Time = To[Events.teamThread(Event)];
      ++Time.Calls;
      Time.Ns += Ns;
    };
    Add(Region.Fork, Events.BeginNs[Event] - Events.BeginNs[Start]);
    Add(Region.Join, Events.endNs(Start) - Events.endNs(Event));
  }

  /// A part of a region on a thread that did not start the team: it belongs to the call that was
  /// under way then, if there is only one.
  void addWorker(uint32_t Event) {
    const auto Found = Teams.find(Events.Site[Event]);
    if (Found == Teams.end())
      return;
    std::vector<uint32_t> &Calls = Found->second;
    if (Sorted.insert(Found->first).second)
      std::ranges::sort(Calls, {}, [&](uint32_t I) { return Events.BeginNs[I]; });
    // Calls of one region rarely overlap: few begin before and end after it.
    auto It = std::ranges::upper_bound(Calls, Events.BeginNs[Event], {},
                                       [&](uint32_t I) { return Events.BeginNs[I]; });
    const uint32_t *Start = nullptr;
    constexpr ptrdiff_t MostAtOnce = 256;
    for (auto Back = It - std::min(MostAtOnce, It - Calls.begin()); Back != It; ++Back)
      if (Events.endNs(*Back) >= Events.endNs(Event)) {
        if (Start) {
          ++Result[Events.Site[Event]].Ambiguous;
          return;
        }
        Start = &*Back;
      }
    if (Start)
      addEnds(Event, *Start);
  }

  const Trace &Input;
  const EventColumns &Events;
  const ThrottledEntries Throttles;
  std::vector<SampleOf> Samples; ///< by entry
  std::vector<bool> Matters;     ///< by site
  std::map<SiteId, RegionTimes> Result;
  std::map<SiteId, std::vector<uint32_t>> Teams; ///< calls that started a team, by region
  std::set<SiteId> Sorted;
  std::vector<uint32_t> Workers;
  std::vector<Open> Stack;             ///< of the thread
  uint32_t LastPart = NoPart;          ///< part of a region, the last that began
  std::vector<int64_t> *const OfParts; ///< null: not wanted
};

} // namespace

std::map<SiteId, RegionTimes> teamWaits(const Trace &Input, std::vector<int64_t> *OfParts) {
  return Walk(Input, OfParts).run();
}

} // namespace seamscope::tools
