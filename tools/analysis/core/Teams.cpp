//===- Teams.cpp - which call started the team of a region's thread ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Teams.h"

#include "analysis/core/Order.h"

#include <map>
#include <set>
#include <tuple>

namespace seamscope::tools {

bool startsTeam(const Trace &Input, const Site &What) {
  return What.Kind == SiteKind::TeamWait && Input.text(What.Construct).starts_with("parallel");
}

class TeamFinder {
public:
  TeamFinder(const Trace &Input, Teams &Found) : Input(Input), Events(Input.Events), Found(Found) {}

  void run() {
    bool Any = false;
    for (const Site &What : Input.Sites) {
      IsStart.push_back(startsTeam(Input, What));
      Any |= IsStart.back();
      Matters.push_back(IsStart.back() || What.Kind == SiteKind::Region ||
                        What.Kind == SiteKind::Task || What.Kind == SiteKind::Loop ||
                        (What.Kind == SiteKind::Kernel && What.Device < 0));
    }
    if (!Any)
      return;
    Found.Starts.assign(Events.size(), NoEvent);
    Found.Ended.assign(Events.size(), NoEvent);
    for (const uint32_t Event : orderedByTrack(
             Input, eventsWhere(Input, [&](uint32_t I) { return Matters[Events.Site[I]]; })))
      add(Event);
    findWorkers();
    for (const uint32_t Event : AfterParts)
      if (Events.endNs(Event) > teamEndNs(Found.Ended[Event]))
        Found.Ended[Event] = NoEvent;
  }

private:
  struct Open {
    uint32_t Event = NoEvent;    ///< NoEvent: the thread itself
    uint32_t LastPart = NoEvent; ///< the last part directly inside it
  };

  /// A thread's part of a region whose team another thread started.
  struct Worker {
    uint32_t Part;
    std::vector<uint32_t> Candidates; ///< calls that were under way all the time
  };

  bool isPart(uint32_t Event) const {
    return Input.Sites[Events.Site[Event]].Kind == SiteKind::Region;
  }
  StringId processOf(uint32_t Event) const { return Input.Tracks[Events.Track[Event]].Process; }

  void add(uint32_t Event) {
    if (Stack.empty() || Events.Track[Event] != Track) {
      Track = Events.Track[Event];
      Stack.assign(1, {});
    }
    const auto IsAround = [&](uint32_t Outer) {
      return Outer == NoEvent ||
             (Events.endNs(Outer) >= Events.endNs(Event) &&
              (Events.endNs(Outer) > Events.BeginNs[Event] || !Events.DurationNs[Event]));
    };
    while (!IsAround(Stack.back().Event))
      Stack.pop_back();
    Open &Around = Stack.back();
    const bool IsThread = Around.Event == NoEvent;
    const bool IsInStart = !IsThread && IsStart[Events.Site[Around.Event]];
    if (isPart(Event)) {
      Around.LastPart = Event;
      if (IsInStart) {
        Found.Starts[Event] = Around.Event;
        Calls[Events.Site[Event]].push_back(Around.Event);
      } else if (IsThread) {
        Workers.push_back({Event, {}});
      }
    } else if ((IsInStart || IsThread) && !IsStart[Events.Site[Event]] &&
               Around.LastPart != NoEvent) {
      Found.Ended[Event] = Around.LastPart;
      if (IsThread)
        AfterParts.push_back(Event);
    }
    Stack.push_back({Event, NoEvent});
  }

  /// A worker's team is that of the call that was under way then, if there is only one.
  void findWorkers() {
    for (auto &[Region, Of] : Calls)
      std::ranges::sort(Of, {}, [&](uint32_t I) { return Events.BeginNs[I]; });
    for (Worker &Of : Workers) {
      Of.Candidates = candidatesFor(Of.Part);
      if (Of.Candidates.size() == 1)
        Found.Starts[Of.Part] = Of.Candidates.front();
      else if (!Of.Candidates.empty())
        Found.Ambiguous.push_back(Of.Part);
      for (const uint32_t Call : Of.Candidates) {
        int64_t &EndNs = LastEndNs[Of.Part];
        EndNs = std::max(EndNs, Events.endNs(Call));
      }
    }
    std::ranges::sort(Found.Ambiguous);
  }

  std::vector<uint32_t> candidatesFor(uint32_t Part) const {
    std::vector<uint32_t> Candidates;
    const auto Of = Calls.find(Events.Site[Part]);
    if (Of == Calls.end())
      return Candidates;
    // Calls of one region rarely overlap: few begin before and end after the part.
    constexpr ptrdiff_t MostAtOnce = 256;
    const auto It = std::ranges::upper_bound(Of->second, Events.BeginNs[Part], {},
                                             [&](uint32_t I) { return Events.BeginNs[I]; });
    for (auto Back = It - std::min(MostAtOnce, It - Of->second.begin()); Back != It; ++Back)
      if (Events.endNs(*Back) >= Events.endNs(Part) && processOf(*Back) == processOf(Part))
        Candidates.push_back(*Back);
    return Candidates;
  }

  /// The latest moment at which the team of a worker may have ended.
  int64_t teamEndNs(uint32_t Part) const {
    const auto Of = LastEndNs.find(Part);
    return Of == LastEndNs.end() ? INT64_MIN : Of->second;
  }

  const Trace &Input;
  const EventColumns &Events;
  Teams &Found;
  std::vector<bool> IsStart, Matters; ///< by site
  std::vector<Open> Stack;            ///< of the thread
  TrackId Track = 0;
  std::map<SiteId, std::vector<uint32_t>> Calls; ///< that started a team, by region
  std::vector<Worker> Workers;
  std::vector<uint32_t> AfterParts;      ///< of workers, events that may have run in the join
  std::map<uint32_t, int64_t> LastEndNs; ///< by part
};

Teams::Teams(const Trace &Input) { TeamFinder(Input, *this).run(); }

} // namespace seamscope::tools
