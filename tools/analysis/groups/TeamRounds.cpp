//===- TeamRounds.cpp - what each thread of a team did, call by call -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/TeamRounds.h"

#include "analysis/core/Distributions.h"
#include "analysis/core/Order.h"
#include "analysis/core/TeamWaits.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

namespace seamscope::tools {
namespace {

/// Caused by schedulers on an otherwise idle machine.
constexpr double Ordinary = 1.1;

/// In the other rounds another thread may have been disturbed.
constexpr double Systematic = 0.75;

/// Whether the thread had more work than the others in this round, whatever ran in its place.
bool wins(const TeamRound &Round, const TeamRound::Share &Of, int64_t SumNs, bool Disturbed) {
  const auto Others = static_cast<double>(Round.Threads.size() - 1);
  const double Rest = static_cast<double>(SumNs - Of.BusyNs) / Others;
  const double Busy = static_cast<double>(Of.BusyNs);
  // Shorter stretches mostly run undisturbed. In longer ones, a thread that shares its processor
  // with one other program takes twice as long.
  constexpr double SliceNs = 3e6;
  if (Disturbed && Busy > SliceNs && Busy < 2 * Ordinary * Rest)
    return false;
  return Busy * (Others + 1) >= Ordinary * static_cast<double>(SumNs);
}

/// The end of the shortest tenth of each thread's rounds, which nothing disturbed: \p Thread's over
/// the mean of all.
double ratioUndisturbed(std::map<TeamThread, std::vector<int64_t>> &BusyNs,
                        const TeamThread &Thread) {
  double Sum = 0, Of = 0;
  for (auto &[Each, Ns] : BusyNs) {
    const auto Tenth = Ns.begin() + static_cast<std::ptrdiff_t>((Ns.size() - 1) / 10);
    std::ranges::nth_element(Ns, Tenth);
    Sum += static_cast<double>(*Tenth);
    if (Each == Thread)
      Of = static_cast<double>(*Tenth);
  }
  return Sum > 0 ? Of * static_cast<double>(BusyNs.size()) / Sum : 1;
}

} // namespace

bool BusiestThread::isSystematic(size_t TeamSize) const {
  // A thread that was disturbed for long has several slow calls in that time.
  constexpr size_t Fewest = 5;
  constexpr double Improbable = 0.01;
  const auto Threads = static_cast<double>(TeamSize);
  return Rounds >= Fewest && Undisturbed >= Ordinary &&
         static_cast<double>(Won) >= Systematic * static_cast<double>(Rounds) &&
         Threads * binomialTail(Won, Rounds, 1 / Threads) <= Improbable;
}

BusiestThread busiestOf(const std::vector<TeamRound> &Rounds, bool Disturbed) {
  std::map<TeamThread, int64_t> Busy;
  std::map<TeamThread, std::vector<int64_t>> OfThread;
  for (const TeamRound &Round : Rounds)
    for (const TeamRound::Share &Share : Round.Threads) {
      Busy[Share.Thread] += Share.BusyNs;
      OfThread[Share.Thread].push_back(Share.BusyNs);
    }
  BusiestThread Found;
  if (Busy.empty())
    return Found;
  Found.Thread =
      std::ranges::max_element(Busy, {}, [](const auto &Of) { return Of.second; })->first;
  Found.Undisturbed = ratioUndisturbed(OfThread, Found.Thread);
  for (const TeamRound &Round : Rounds) {
    int64_t SumNs = 0, OthersWaitNs = 0;
    const TeamRound::Share *Of = nullptr;
    for (const TeamRound::Share &Share : Round.Threads) {
      SumNs += Share.BusyNs;
      if (Share.Thread == Found.Thread)
        Of = &Share;
      else
        OthersWaitNs += Share.WaitNs;
    }
    const auto Threads = static_cast<int64_t>(Round.Threads.size());
    if (!Of)
      continue; // another team's
    ++Found.Rounds;
    if (SumNs <= 0)
      continue;
    // A thread that does more while others come late, or work more slowly, does not make others
    // wait.
    const int64_t LostNs = std::min(Of->BusyNs - SumNs / Threads, OthersWaitNs / Threads);
    if (LostNs <= 0)
      continue;
    Found.LostNs += LostNs;
    const bool Late =
        static_cast<double>(LostNs * Threads) >= (Ordinary - 1) * static_cast<double>(SumNs);
    Found.Won += Late && wins(Round, *Of, SumNs, Disturbed);
  }
  return Found;
}

TeamRounds::TeamRounds(const Trace &Input) : Input(Input), Links(Input) {
  const EventColumns &Events = Input.Events;
  const auto KindOf = [&](uint32_t I) { return Input.Sites[Events.Site[I]].Kind; };
  if (std::ranges::none_of(Input.Sites, [](const Site &S) { return S.Kind == SiteKind::Region; }))
    return;
  teamWaits(Input, &WaitOf);
  WaitOf.resize(Events.size());
  for (const uint32_t I : orderedByTrack(Input, eventsWhere(Input, [&](uint32_t I) {
                                           return KindOf(I) == SiteKind::Region ||
                                                  KindOf(I) == SiteKind::Loop ||
                                                  KindOf(I) == SiteKind::TeamWait;
                                         }))) {
    if (KindOf(I) == SiteKind::Region)
      PartsOf[Events.Site[I]].push_back(I);
    else if (KindOf(I) == SiteKind::Loop)
      EntriesOf[Events.Site[I]].push_back(I);
    else if (!startsTeam(Input, Input.Sites[Events.Site[I]]))
      Waits.push_back(I);
  }
  std::set<StringId> Sampled; // kernels whose calls or waits were not all timed
  for (const ThrottledCalls &Of : Input.Throttled)
    if (Of.Untimed)
      Sampled.insert(Input.Sites[Of.Site].Kernel);
  std::erase_if(PartsOf,
                [&](const auto &Of) { return Sampled.contains(Input.Sites[Of.first].Kernel); });
  for (auto &[Region, Parts] : PartsOf)
    std::ranges::stable_sort(Parts, {}, [&](uint32_t I) { return Events.BeginNs[I]; });
}

std::vector<TeamRounds::Call> TeamRounds::callsOf(SiteId Region) const {
  const EventColumns &Events = Input.Events;
  const auto Found = PartsOf.find(Region);
  if (Found == PartsOf.end())
    return {};
  if (std::ranges::any_of(Found->second,
                          [&](uint32_t Part) { return Links.startOf(Part) != NoEvent; }))
    return callsByStart(Found->second);
  // In each process, a team ends before the next begins.
  struct Team {
    Call Parts;
    std::set<int32_t> Threads;
    int64_t EndNs = INT64_MIN, LastEndNs = INT64_MIN; ///< of the previous call
  };
  std::map<StringId, Team> Current;
  std::vector<Call> Calls;
  const auto Close = [&](Team &Of) {
    if (Of.Parts.size() > 1)
      Calls.push_back(std::move(Of.Parts));
    Of.LastEndNs = Of.EndNs;
    Of.Parts.clear();
    Of.Threads.clear();
  };
  for (const uint32_t I : Found->second) {
    Team &Of = Current[Input.Tracks[Events.Track[I]].Process];
    if (Of.Threads.contains(Events.teamThread(I)))
      Close(Of);
    if (Events.BeginNs[I] < Of.LastEndNs || Events.teamThread(I) < 0)
      return {};
    Of.Parts.push_back(I);
    Of.Threads.insert(Events.teamThread(I));
    Of.EndNs = std::max(Of.EndNs, Events.endNs(I));
  }
  for (auto &[Process, Of] : Current)
    Close(Of);
  return Calls;
}

std::vector<TeamRounds::Call> TeamRounds::callsByStart(const std::vector<uint32_t> &Parts) const {
  std::vector<Call> Calls;
  std::map<uint32_t, size_t> OfStart;
  for (const uint32_t Part : Parts) {
    if (Links.isAmbiguous(Part) || Input.Events.teamThread(Part) < 0)
      return {};
    const uint32_t Start = Links.startOf(Part);
    if (Start == NoEvent)
      continue; // a region on one thread
    const auto [At, IsNew] = OfStart.try_emplace(Start, Calls.size());
    if (IsNew)
      Calls.emplace_back();
    Calls[At->second].push_back(Part);
  }
  std::erase_if(Calls, [](const Call &Of) { return Of.size() < 2; });
  return Calls;
}

std::vector<TeamRound> TeamRounds::ofRegion(SiteId Region) const {
  const EventColumns &Events = Input.Events;
  std::vector<TeamRound> Rounds;
  for (const Call &Parts : callsOf(Region)) {
    int64_t EndNs = INT64_MIN;
    for (const uint32_t I : Parts)
      EndNs = std::max(EndNs, Events.endNs(I));
    TeamRound &Round = Rounds.emplace_back();
    for (const uint32_t I : Parts)
      Round.Threads.push_back(
          {Links.thread(I), Events.DurationNs[I] - WaitOf[I], WaitOf[I] + EndNs - Events.endNs(I)});
  }
  return Rounds;
}

std::vector<TeamRound> TeamRounds::ofLoop(SiteId Region, SiteId Loop) const {
  const EventColumns &Events = Input.Events;
  const auto Entered = EntriesOf.find(Loop);
  if (Entered == EntriesOf.end())
    return {};
  const auto Key = [&](uint32_t I) { return std::pair(Events.Track[I], Events.BeginNs[I]); };
  /// Those of \p All inside \p Around.
  const auto Within = [&](const std::vector<uint32_t> &All, uint32_t Around) {
    auto It = std::ranges::lower_bound(All, Key(Around), {}, Key);
    const auto First = It;
    while (It != All.end() && Events.Track[*It] == Events.Track[Around] &&
           Events.BeginNs[*It] < Events.endNs(Around))
      ++It;
    return std::ranges::subrange(First, It);
  };
  std::vector<TeamRound> Rounds;
  const std::vector<TeamRound> Whole = ofRegion(Region);
  const std::vector<Call> Calls = callsOf(Region);
  for (size_t C = 0; C < Calls.size(); ++C) {
    std::vector<std::vector<int64_t>> Busy; // by thread, then entry
    for (const uint32_t Part : Calls[C]) {
      std::vector<int64_t> &Of = Busy.emplace_back();
      for (const uint32_t Entry : Within(Entered->second, Part)) {
        int64_t Ns = Events.DurationNs[Entry];
        for (const uint32_t Wait : Within(Waits, Entry))
          Ns -= Events.DurationNs[Wait];
        Of.push_back(std::max<int64_t>(Ns, 0));
      }
    }
    const size_t Turns = Busy.front().size();
    const bool InStep =
        Turns && std::ranges::all_of(Busy, [&](const auto &Of) { return Of.size() == Turns; });
    for (size_t Turn = 0; Turn < (InStep ? Turns : 1); ++Turn) {
      TeamRound &Round = Rounds.emplace_back();
      for (size_t T = 0; T < Busy.size(); ++T) {
        // Waits are known only for the whole call; they only have to exceed the time lost in a
        // turn.
        Round.Threads.push_back(
            {Whole[C].Threads[T].Thread,
             InStep ? Busy[T][Turn] : std::accumulate(Busy[T].begin(), Busy[T].end(), int64_t{0}),
             Whole[C].Threads[T].WaitNs});
      }
    }
  }
  return Rounds;
}

} // namespace seamscope::tools
