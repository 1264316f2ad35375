//===- Teams.cpp - which call started the team of a region's thread ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Teams.h"

#include "analysis/core/Order.h"

#include <map>
#include <set>
#include <utility>

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
    nameTeams();
  }

private:
  static constexpr int32_t NoStart = -3; ///< a team whose start is not in the trace

  struct Open {
    uint32_t Event = NoEvent;    ///< NoEvent: the thread itself
    uint32_t LastPart = NoEvent; ///< the last part directly inside it
    uint32_t Part = NoEvent;     ///< the part that it belongs to, or itself
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
      Stack.assign(1, Open());
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
    uint32_t Part = Around.Part;
    if (isPart(Event)) {
      Around.LastPart = Part = Event;
      if (IsInStart) {
        Found.Starts[Event] = Around.Event;
        Calls[Events.Site[Event]].push_back(Around.Event);
      } else if (IsThread) {
        Workers.push_back({Event, {}});
      } else {
        Starters.emplace_back(Event, Around.Part);
      }
    } else if ((IsInStart || IsThread) && !IsStart[Events.Site[Event]] &&
               Around.LastPart != NoEvent) {
      Found.Ended[Event] = Part = Around.LastPart;
      if (IsThread)
        AfterParts.push_back(Event);
    }
    if (IsStart[Events.Site[Event]])
      Starters.emplace_back(Event, Part);
    Stack.push_back({Event, NoEvent, Part});
  }

  void findWorkers() {
    for (auto &[Region, Of] : Calls)
      std::ranges::sort(Of, {}, [&](uint32_t I) { return Events.BeginNs[I]; });
    std::vector<Worker *> Open;
    std::set<uint32_t> Contested;
    for (Worker &Of : Workers) {
      Of.Candidates = candidatesFor(Of.Part);
      if (Of.Candidates.size() == 1 && !startsLeague(Of.Candidates.front())) {
        Found.Starts[Of.Part] = Of.Candidates.front();
      } else if (!Of.Candidates.empty()) {
        Open.push_back(&Of);
        for (const uint32_t Call : Of.Candidates)
          LastEndNs[Of.Part] = std::max(LastEndNs[Of.Part], Events.endNs(Call));
        Contested.insert(Of.Candidates.begin(), Of.Candidates.end());
      }
    }
    if (Open.empty())
      return;
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (Contested.contains(Found.Starts[I]))
        take(I, Found.Starts[I]);
    decide(Open);
    for (const Worker *Of : Open)
      Found.Ambiguous.push_back(Of->Part);
    std::ranges::sort(Found.Ambiguous);
  }

  /// Removes those from \p Open whose team is found.
  void decide(std::vector<Worker *> &Open) {
    // Those of one number exclude each other. Each turn decides for some; few are needed.
    constexpr int MostTurns = 16;
    size_t Before = SIZE_MAX;
    for (int Turn = 0; Turn < MostTurns && Open.size() < Before; ++Turn) {
      Before = Open.size();
      std::erase_if(Open, [&](Worker *Of) {
        std::erase_if(Of->Candidates,
                      [&](uint32_t Call) { return Taken.contains(keyOf(Call, Of->Part)); });
        return Of->Candidates.size() == 1 && take(Of->Part, Of->Candidates.front());
      });
    }
    // libomp leaves a worker to the thread that it worked for, if it can.
    std::map<TrackId, std::set<TrackId>> WorkedFor;
    for (const Worker &Of : Workers)
      if (const uint32_t Start = Found.Starts[Of.Part]; Start != NoEvent)
        WorkedFor[Events.Track[Of.Part]].insert(Events.Track[Start]);
    std::erase_if(Open, [&](Worker *Of) {
      const auto For = WorkedFor.find(Events.Track[Of->Part]);
      if (For == WorkedFor.end() || For->second.size() != 1)
        return false;
      const TrackId Starter = *For->second.begin();
      std::erase_if(Of->Candidates, [&](uint32_t Call) {
        return Events.Track[Call] != Starter || Taken.contains(keyOf(Call, Of->Part));
      });
      return Of->Candidates.size() == 1 && take(Of->Part, Of->Candidates.front());
    });
  }

  std::pair<uint32_t, int32_t> keyOf(uint32_t Call, uint32_t Part) const {
    return {Call, Events.teamThread(Part)};
  }

  bool take(uint32_t Part, uint32_t Call) {
    Found.Starts[Part] = Call;
    if (Events.teamThread(Part) >= 0)
      Taken.insert(keyOf(Call, Part));
    return true;
  }

  std::vector<uint32_t> candidatesFor(uint32_t Part) const {
    std::vector<uint32_t> Candidates;
    const auto Of = Calls.find(Events.Site[Part]);
    if (Of == Calls.end())
      return Candidates;
    // Only in a league a thread that did not start the team is the first of one.
    const bool IsFirst = Events.teamThread(Part) == 0;
    // Calls of one region rarely overlap: few begin before and end after the part.
    constexpr ptrdiff_t MostAtOnce = 256;
    const auto It = std::ranges::upper_bound(Of->second, Events.BeginNs[Part], {},
                                             [&](uint32_t I) { return Events.BeginNs[I]; });
    for (auto Back = It - std::min(MostAtOnce, It - Of->second.begin()); Back != It; ++Back)
      if (Events.endNs(*Back) >= Events.endNs(Part) && processOf(*Back) == processOf(Part) &&
          (!IsFirst || startsLeague(*Back)))
        Candidates.push_back(*Back);
    return Candidates;
  }

  bool startsLeague(uint32_t Call) const {
    return Input.text(Input.Sites[Events.Site[Call]].Construct) == "parallel teams";
  }

  /// The team that thread \p Number of team \p Parent starts; -1: a thread of the program, with a
  /// number from colors(). Thread 0 of a team is the one that started it.
  int32_t teamOf(int32_t Parent, int32_t Number) {
    constexpr size_t Deepest = 64; // no program nests teams like this
    if (Parent >= 0 && (Number == 0 || Paths[static_cast<size_t>(Parent)].size() == Deepest))
      return Parent;
    const auto [At, IsNew] =
        Names.try_emplace({Parent, Number}, static_cast<int32_t>(Paths.size()));
    if (IsNew) {
      std::vector<int32_t> Path;
      if (Parent >= 0)
        Path = Paths[static_cast<size_t>(Parent)];
      Path.push_back(Number);
      Paths.push_back(std::move(Path));
    }
    return At->second;
  }

  /// The team that the thread of \p Event starts inside \p Part; NoEvent: in no part.
  int32_t teamStartedBy(uint32_t Event, uint32_t Part) {
    if (Part == NoEvent)
      return teamOf(-1, Colors[Events.Track[Event]]);
    const int32_t Around = teamOfPart(Part);
    const uint32_t Start = Found.Starts[Part];
    const bool IsFirst = Start != NoEvent && startsLeague(Start);
    return Around < 0 ? Around : teamOf(Around, IsFirst ? 0 : Events.teamThread(Part));
  }

  int32_t teamOfPart(uint32_t Part) {
    const uint32_t Start = Found.Starts[Part];
    if (Start != NoEvent)
      return startsLeague(Start) && TeamOfStart[Start] >= 0
                 ? teamOf(TeamOfStart[Start], Events.teamThread(Part))
                 : TeamOfStart[Start];
    return Found.isAmbiguous(Part) ? TeamThread::Unknown : TeamOfStart[Part];
  }

  void nameTeams() {
    Colors = colors();
    TeamOfStart.assign(Events.size(), NoStart);
    std::ranges::stable_sort(Starters, {},
                             [&](const auto &Of) { return Events.BeginNs[Of.first]; });
    for (const auto &[Start, Part] : Starters)
      TeamOfStart[Start] = teamStartedBy(Start, Part);
    std::map<SiteId, std::set<int32_t>> OfRegion;
    std::vector<uint32_t> Parts;
    std::vector<int32_t> Teams;
    Found.IsLeague.resize(Input.Sites.size());
    for (uint32_t I = 0; I < Events.size(); ++I) {
      if (!isPart(I))
        continue;
      Parts.push_back(I);
      Teams.push_back(teamOfPart(I));
      if (Teams.back() != NoStart)
        OfRegion[Events.Site[I]].insert(Teams.back());
      if (const uint32_t Start = Found.Starts[I]; Start != NoEvent && startsLeague(Start))
        Found.IsLeague[Events.Site[I]] = true;
    }
    if (std::ranges::all_of(OfRegion, [](const auto &Of) { return Of.second.size() < 2; }))
      return;
    Found.TeamOf.assign(Events.size(), TeamThread::OneTeam);
    std::map<std::pair<SiteId, int32_t>, int32_t> Numbers;
    for (auto &[Region, Of] : OfRegion) {
      std::vector<int32_t> Sorted(Of.begin(), Of.end());
      std::erase(Sorted, TeamThread::Unknown);
      std::ranges::sort(Sorted, {}, [&](int32_t Team) { return Paths[static_cast<size_t>(Team)]; });
      for (size_t I = 0; I < Sorted.size(); ++I)
        Numbers[{Region, Sorted[I]}] = static_cast<int32_t>(I);
    }
    for (size_t I = 0; I < Parts.size(); ++I)
      if (const SiteId Region = Events.Site[Parts[I]]; OfRegion[Region].size() > 1)
        Found.TeamOf[Parts[I]] = Teams[I] < 0 ? TeamThread::Unknown : Numbers[{Region, Teams[I]}];
  }

  /// Numbers for the threads of the program that start teams: different ones for threads of one
  /// process of which one starts a team before the other is done with its last.
  std::map<TrackId, int32_t> colors() const {
    struct Span {
      int64_t BeginNs = INT64_MAX, EndNs = INT64_MIN;
    };
    std::map<StringId, std::map<TrackId, Span>> Spans;
    for (const auto &[Start, Part] : Starters)
      if (Part == NoEvent) {
        Span &Of = Spans[processOf(Start)][Events.Track[Start]];
        Of.BeginNs = std::min(Of.BeginNs, Events.BeginNs[Start]);
        Of.EndNs = std::max(Of.EndNs, Events.endNs(Start));
      }
    std::map<TrackId, int32_t> Colors;
    for (const auto &[Process, Of] : Spans) {
      std::vector<std::pair<TrackId, Span>> Sorted(Of.begin(), Of.end());
      std::ranges::stable_sort(Sorted, {}, [](const auto &Each) { return Each.second.BeginNs; });
      std::vector<int64_t> BusyUntil; // by number
      for (const auto &[Track, Each] : Sorted) {
        const auto Free =
            std::ranges::find_if(BusyUntil, [&](int64_t Ns) { return Ns <= Each.BeginNs; });
        Colors[Track] = static_cast<int32_t>(Free - BusyUntil.begin());
        if (Free == BusyUntil.end())
          BusyUntil.push_back(Each.EndNs);
        else
          *Free = Each.EndNs;
      }
    }
    return Colors;
  }

  /// The latest moment at which the team of a worker may have ended.
  int64_t teamEndNs(uint32_t Part) const {
    if (const uint32_t Start = Found.Starts[Part]; Start != NoEvent)
      return Events.endNs(Start);
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
  std::set<std::pair<uint32_t, int32_t>> Taken;  ///< numbers in the team of each call
  /// Calls that start a team, and parts that a thread began alone, without such a call; with the
  /// part around each, or NoEvent.
  std::vector<std::pair<uint32_t, uint32_t>> Starters;
  std::map<TrackId, int32_t> Colors; ///< see colors()
  std::vector<Worker> Workers;
  std::vector<uint32_t> AfterParts;      ///< of workers, events that may have run in the join
  std::map<uint32_t, int64_t> LastEndNs; ///< by part that several calls may have started
  std::map<std::pair<int32_t, int32_t>, int32_t> Names; ///< of teams, see teamOf()
  std::vector<std::vector<int32_t>> Paths;              ///< by team, from the program's thread on
  std::vector<int32_t> TeamOfStart;                     ///< by event, for Starters; NoStart: none
};

Teams::Teams(const Trace &Input) : Events(Input.Events) { TeamFinder(Input, *this).run(); }

TeamThread Teams::thread(uint32_t Part) const {
  const int32_t Team = TeamOf.empty() ? TeamThread::OneTeam : TeamOf[Part];
  const int32_t Number = Events.teamThread(Part);
  const bool IsFirst = Team != TeamThread::OneTeam && IsLeague[Events.Site[Part]];
  return {Team, IsFirst ? 0 : Number};
}

} // namespace seamscope::tools
