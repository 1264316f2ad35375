//===- WaitAdvice.cpp - threads that sleep while others work ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/WaitAdvice.h"

#include "analysis/core/Cut.h"
#include "analysis/core/HostNesting.h"
#include "analysis/core/KernelRows.h"
#include "analysis/samples/SampleRows.h"
#include "analysis/samples/ThreadTimes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Of the window, on the mean of the threads that wait at a place. Threads of a pool start late,
/// end early and wait for work to be handed out: less than a quarter is ordinary.
constexpr double LeastBlocked = 0.25;
/// Of the window, in kernels. A thread that runs less is not a worker: it waits for a timer, for
/// input or for the end.
constexpr double LeastWork = 0.01;
/// Of the time that threads wait, other threads run: else they wait for something outside of the
/// program, and nothing in it keeps them.
constexpr double LeastCause = 0.5;
/// One thread that waits for others may be there for that alone.
constexpr size_t LeastThreads = 2;

bool isOpenMp(std::string_view Library) {
  return Library.starts_with("libomp") || Library.starts_with("libiomp") ||
         Library.starts_with("libgomp");
}

/// Where the threads of a process wait, and what happens meanwhile.
struct Place {
  StringId Process = 0;
  WaitName Wait;                   ///< without a caller: the wait was too short to be looked at
  uint32_t Row = KernelRows::None; ///< then its kernel, if it was in one
  std::map<TrackId, int64_t> BlockedNs; ///< by thread
  // While fewer threads could run than there are processors:
  int64_t IdleNs = 0;   ///< at least one thread waited
  int64_t CausedNs = 0; ///< the same, and others ran
  double ThreadNs = 0;  ///< sum over the threads that waited
  double SavingNs = 0;
  std::map<std::pair<uint32_t, TrackId>, double> Ran; ///< by row and thread, parts of CausedNs
};

class WaitAdviser {
public:
  WaitAdviser(const Trace &Input, const CodeNames &Names, int64_t WindowNs, unsigned Processors)
      : Input(Input), Events(Input.Events), Names(Names), WindowNs(WindowNs),
        Processors(Processors), Rows(kernelRows(Input)), Threads(Input.Tracks.size()) {}

  std::vector<Advice> run() {
    std::vector<Advice> Found;
    // Other programs may have had the processors.
    if (WindowNs <= 0 || Input.Health.find(HealthCheck::BusyMachine) ||
        Input.SampledSpans.empty() || Input.OffCpu.Wait.empty())
      return Found;
    findWorkers();
    findPlaces();
    if (Places.empty())
      return Found;
    walk();
    for (const Place &Of : Places)
      if (auto One = adviseOn(Of))
        Found.push_back(std::move(*One));
    return Found;
  }

private:
  struct Thread {
    bool IsWorker = false;
    bool IsInTeams = false; ///< of OpenMP, whose threads wait between regions
    RunState State = RunState::Unknown;
    std::vector<uint32_t> Open; ///< events of kernels, innermost last
  };
  enum class EdgeKind : uint8_t { Leave, Change, Enter, Begin };
  struct Edge {
    int64_t Ns;
    EdgeKind Kind;
    TrackId Track;
    size_t Of; ///< place, state, or event
  };

  void findWorkers() {
    for (size_t I = 0; I < Events.size(); ++I)
      if (const SiteKind Kind = Input.Sites[Events.Site[I]].Kind;
          Kind == SiteKind::Region || Kind == SiteKind::TeamWait)
        Threads[Events.Track[I]].IsInTeams = true;
    std::map<TrackId, int64_t> Ran;
    for (const auto &[Key, Ns] : runningOfRows(Input, Rows))
      if (Key.first != KernelRows::None)
        Ran[Key.second] = saturatingSum(Ran[Key.second], Ns);
    for (const auto &[Track, Ns] : Ran) {
      Threads[Track].IsWorker = isPart(Ns, LeastWork);
      Workers[Input.Tracks[Track].Process] += Threads[Track].IsWorker;
    }
  }

  bool isPart(int64_t Ns, double Least) const {
    return static_cast<double>(Ns) >= Least * static_cast<double>(WindowNs);
  }

  /// Those at which enough workers wait long enough.
  void findPlaces() {
    Whole = extentOf(Input).value_or(TimeRange());
    const OffColumns &Off = Input.OffCpu;
    std::map<
        std::tuple<StringId, std::string, std::string, std::string, uint32_t, uint32_t, StringId>,
        size_t>
        Known;
    PlaceOf.resize(Off.size());
    const std::vector<uint32_t> RowOf = rowsOfShortWaits();
    for (size_t I = 0; I < Off.size(); ++I) {
      const auto Track = static_cast<TrackId>(Off.Track[I]);
      if (!isWait(I) || (Off.Wait[I] < 0 && Threads[Track].IsInTeams))
        continue;
      Place Here;
      Here.Process = Input.Tracks[Track].Process;
      StringId ThreadName = 0;
      if (Off.Wait[I] >= 0) {
        Here.Wait = Names.Waits[static_cast<size_t>(Off.Wait[I])];
        if (Here.Wait.Caller.empty() || isOpenMp(Here.Wait.Library))
          continue;
      } else {
        Here.Row = RowOf[I];
        ThreadName = Input.Tracks[Track].ThreadName;
      }
      const auto [At, New] =
          Known.try_emplace({Here.Process, Here.Wait.Symbol, Here.Wait.Caller, Here.Wait.File,
                             Here.Wait.Line, Here.Row, ThreadName},
                            Places.size());
      if (New)
        Places.push_back(std::move(Here));
      int64_t &Ns = Places[At->second].BlockedNs[Track];
      Ns = saturatingSum(Ns, std::max<int64_t>(0, std::min(Whole.EndNs, Off.EndNs[I]) -
                                                      std::max(Whole.BeginNs, Off.BeginNs[I])));
      PlaceOf[I] = At->second;
    }
    const bool Any = std::ranges::any_of(Places, [&](const Place &Of) { return isLong(Of); });
    if (!Any)
      Places.clear();
  }

  /// Of a worker, at a known time.
  bool isWait(size_t I) const {
    const OffColumns &Off = Input.OffCpu;
    return static_cast<OffKind>(Off.Kind[I]) == OffKind::Blocked &&
           Off.OffNs[I] == Off.EndNs[I] - Off.BeginNs[I] &&
           Threads[static_cast<size_t>(Off.Track[I])].IsWorker;
  }

  /// By stretch, the innermost kernel of waits whose place was not recorded.
  std::vector<uint32_t> rowsOfShortWaits() const {
    const OffColumns &Off = Input.OffCpu;
    std::vector<HostMoment> Moments;
    std::vector<size_t> Stretches;
    for (size_t I = 0; I < Off.size(); ++I)
      if (Off.Wait[I] < 0 && isWait(I)) {
        Moments.push_back({static_cast<TrackId>(Off.Track[I]), Off.BeginNs[I]});
        Stretches.push_back(I);
      }
    const HostNesting Nesting = nestHost(Input, Moments);
    const std::vector<uint32_t> Kernel = Nesting.innermost([&](uint32_t Event) {
      return Rows.OfSite[Events.Site[Event]] == KernelRows::None ? NoEvent : Event;
    });
    std::vector<uint32_t> Result(Off.size(), KernelRows::None);
    for (size_t I = 0; I < Stretches.size(); ++I)
      if (const uint32_t At = Nesting.AtMoments[I]; At != NoEvent && Kernel[At] != NoEvent)
        Result[Stretches[I]] = Rows.OfSite[Events.Site[Kernel[At]]];
    return Result;
  }

  bool isLong(const Place &Of) const {
    int64_t Ns = 0;
    for (const auto &[Track, Its] : Of.BlockedNs)
      Ns = saturatingSum(Ns, Its);
    return Of.BlockedNs.size() >= LeastThreads &&
           isPart(Ns / static_cast<int64_t>(Of.BlockedNs.size()), LeastBlocked);
  }

  void walk() {
    std::vector<Edge> Edges;
    const OffColumns &Off = Input.OffCpu;
    for (size_t I = 0; I < Off.size(); ++I)
      if (PlaceOf[I] && isLong(Places[*PlaceOf[I]])) {
        const auto Track = static_cast<TrackId>(Off.Track[I]);
        Edges.push_back({Off.BeginNs[I], EdgeKind::Enter, Track, *PlaceOf[I]});
        Edges.push_back({Off.EndNs[I], EdgeKind::Leave, Track, *PlaceOf[I]});
      }
    for (const RunChange &Change : ThreadTimes(Input).changes())
      Edges.push_back({Change.Ns, EdgeKind::Change, Change.Track, static_cast<size_t>(Change.To)});
    for (size_t I = 0; I < Events.size(); ++I)
      if (const SiteId Site = Events.Site[I];
          Rows.OfSite[Site] != KernelRows::None && Input.Sites[Site].Device < 0)
        Edges.push_back({Events.BeginNs[I], EdgeKind::Begin, Events.Track[I], I});
    std::ranges::stable_sort(Edges, {}, [](const Edge &Of) { return std::pair(Of.Ns, Of.Kind); });
    int64_t Now = Whole.BeginNs;
    for (const Edge &Of : Edges) {
      const int64_t To = std::clamp(Of.Ns, Now, Whole.EndNs);
      pass(Now, To);
      Now = To;
      apply(Of);
    }
    pass(Now, Whole.EndNs);
  }

  void apply(const Edge &Of) {
    Thread &Its = Threads[Of.Track];
    switch (Of.Kind) {
    case EdgeKind::Begin:
      while (!Its.Open.empty() && Events.endNs(Its.Open.back()) <= Of.Ns)
        Its.Open.pop_back();
      Its.Open.push_back(static_cast<uint32_t>(Of.Of));
      break;
    case EdgeKind::Change:
      // Another program may have the processor of a thread that would run.
      Its.State = static_cast<RunState>(Of.Of);
      if (Its.State == RunState::Running || Its.State == RunState::Preempted)
        Runnable.insert(Of.Track);
      else
        Runnable.erase(Of.Track);
      break;
    case EdgeKind::Enter:
      ++Waiting[Of.Of];
      break;
    case EdgeKind::Leave:
      if (!--Waiting[Of.Of])
        Waiting.erase(Of.Of);
      break;
    }
  }

  void pass(int64_t From, int64_t To) {
    if (From >= To || Waiting.empty())
      return;
    const int64_t Ns = To - From;
    for (const auto &[At, Count] : Waiting) {
      Place &Of = Places[At];
      std::vector<TrackId> Meanwhile;
      for (const TrackId Track : Runnable)
        if (Input.Tracks[Track].Process == Of.Process)
          Meanwhile.push_back(Track);
      const size_t Able = std::max<size_t>(Workers[Of.Process], Meanwhile.size() + 1);
      const size_t Most = Processors ? std::min<size_t>(Processors, Able) : Able;
      if (Meanwhile.size() >= Most)
        continue;
      Of.IdleNs += Ns;
      Of.ThreadNs += static_cast<double>(Ns) * static_cast<double>(Count);
      if (Meanwhile.empty())
        continue;
      Of.CausedNs += Ns;
      Of.SavingNs += static_cast<double>(Ns) * static_cast<double>(Most - Meanwhile.size()) /
                     static_cast<double>(Most);
      for (const TrackId Track : Meanwhile)
        Of.Ran[{rowOf(Track, From), Track}] +=
            static_cast<double>(Ns) / static_cast<double>(Meanwhile.size());
    }
  }

  /// A call that has ended may still be in the list: no other began since.
  uint32_t rowOf(TrackId Track, int64_t Ns) {
    std::vector<uint32_t> &Open = Threads[Track].Open;
    while (!Open.empty() && Events.endNs(Open.back()) <= Ns)
      Open.pop_back();
    return Open.empty() ? KernelRows::None : Rows.OfSite[Events.Site[Open.back()]];
  }

  std::string nameOf(TrackId Track) const {
    const struct Track &Its = Input.Tracks[Track];
    if (Input.text(Its.Thread) == Input.text(Its.Process))
      return "main";
    return Input.text(Its.ThreadName).empty() ? fmt::format("thread {}", Input.text(Its.Thread))
                                              : std::string(Input.text(Its.ThreadName));
  }

  std::string placeText(const Place &Of) const {
    const WaitName &Wait = Of.Wait;
    if (Wait.Caller.empty())
      return fmt::format("{} (line not known: each wait was short)",
                         Of.Row == KernelRows::None
                             ? "code outside of kernels"
                             : Input.text(Input.Sites[Rows.Sites[Of.Row]].Name));
    const std::string_view File = std::string_view(Wait.File).substr(Wait.File.rfind('/') + 1);
    return fmt::format("{} ({}{}{})", functionNameOf(Wait.Caller), File,
                       File.empty() ? ""
                       : Wait.Line  ? fmt::format(":{}, ", Wait.Line)
                                    : ", ",
                       Wait.Symbol);
  }

  /// "threads", or "threads called pool" if all have that name.
  std::string threadsText(const Place &Of) const {
    std::set<std::string_view> All;
    for (const auto &[Track, Ns] : Of.BlockedNs)
      All.insert(Input.text(Input.Tracks[Track].ThreadName));
    std::string Text = fmt::format("{} threads", Of.BlockedNs.size());
    if (All.size() == 1 && !All.begin()->empty())
      Text += fmt::format(" ({})", *All.begin());
    return Text;
  }

  std::optional<Advice> adviseOn(const Place &Of) const {
    if (!isLong(Of) || Of.Ran.empty())
      return std::nullopt;
    const double Mean = Of.ThreadNs / static_cast<double>(Of.BlockedNs.size());
    const double Share = Mean / static_cast<double>(WindowNs);
    if (Share < LeastBlocked ||
        static_cast<double>(Of.CausedNs) < LeastCause * static_cast<double>(Of.IdleNs) ||
        !isPart(static_cast<int64_t>(Of.SavingNs), LeastWork))
      return std::nullopt;
    const auto &[Most, Ns] =
        *std::ranges::max_element(Of.Ran, {}, [](const auto &Entry) { return Entry.second; });
    const auto &[Row, Track] = Most;
    const std::string Ran = Row == KernelRows::None
                                ? "code outside of kernels"
                                : std::string(Input.text(Input.Sites[Rows.Sites[Row]].Name));
    // They wait for each other.
    const bool IsOneOfThem = Of.BlockedNs.contains(Track);
    return Advice{"threads-asleep",
                  fmt::format("{} slept {:.0f} % of the window in {} while {} ran on {} "
                              "({:.0f} % of that time)",
                              threadsText(Of), 100 * Share, placeText(Of), Ran,
                              IsOneOfThem ? "one of them" : nameOf(Track),
                              100 * Ns / static_cast<double>(Of.IdleNs)),
                  IsOneOfThem
                      ? "Hold what they wait for during less work, or divide it among them"
                      : fmt::format("Give these threads a part of {}, or other work that does not "
                                    "depend on it",
                                    Row == KernelRows::None ? "that work" : Ran),
                  static_cast<int64_t>(Of.SavingNs)};
  }

  const Trace &Input;
  const EventColumns &Events;
  const CodeNames &Names;
  const int64_t WindowNs;
  const unsigned Processors;
  const KernelRows Rows;
  std::vector<Thread> Threads;        ///< by track
  std::map<StringId, size_t> Workers; ///< by process
  std::vector<Place> Places;
  std::vector<std::optional<size_t>> PlaceOf; ///< by stretch
  std::map<size_t, size_t> Waiting;           ///< by place, threads that are there
  std::set<TrackId> Runnable;
  TimeRange Whole;
};

} // namespace

std::vector<Advice> adviseOnWaits(const Trace &Input, const CodeNames &Names, int64_t WindowNs,
                                  unsigned Processors) {
  return WaitAdviser(Input, Names, WindowNs, Processors).run();
}

} // namespace seamscope::tools
