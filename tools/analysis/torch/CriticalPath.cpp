//===- CriticalPath.cpp - what a step's duration depends on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/CriticalPath.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// Follows one path from its end to its begin.
class Walk {
public:
  Walk(const Trace &Input, const DeviceWaits &Waits, const ThreadTimelines &Threads,
       const std::vector<TrackId> &Engines, const Step &In, CriticalPath &Path,
       const SegmentFn &Take)
      : Input(Input), Events(Input.Events), Waits(Waits), Threads(Threads), Engines(Engines),
        In(In), Path(Path), Take(Take), Near(Threads), Now(Path.EndNs), Thread(In.Track),
        FirstSum(Input.Strings.size(), NoSum), Followed(Input.Events.size()) {}

  /// \p Work: the work that it ends with; NoEvent: the step's thread.
  void run(uint32_t Work) {
    while (Now > Path.BeginNs)
      Work = Work == NoEvent ? onHost() : onDevice(Work);
    std::ranges::sort(Path.Sums, [](const PathSum &A, const PathSum &B) {
      return std::tuple(B.Ns, A.Kind, A.Name) < std::tuple(A.Ns, B.Kind, B.Name);
    });
  }

private:
  /// Goes back to \p Ns, or to the begin.
  void goTo(int64_t Ns, PathKind Kind, uint32_t Event) {
    Ns = std::clamp(Ns, Path.BeginNs, Now);
    if (Ns < Now) {
      const StringId Name = Event == NoEvent ? 0 : Input.Sites[Events.Site[Event]].Name;
      PathSum &Sum = sumOf(Kind, Name);
      ++Sum.Count;
      Sum.Ns += Now - Ns;
      if (Take)
        Take({Kind, Event, Ns, Now});
    }
    Now = Ns;
  }

  /// One stretch of the thread; returns the work to go on with, or NoEvent.
  uint32_t onHost() {
    const std::optional<TimelinePart> Part = Threads.before(Thread, Now, Near);
    if (Part && Part->InWork) {
      const uint32_t Call = Part->Event;
      if (const uint32_t Work = waitedFor(Call); Work != NoEvent) {
        goTo(Events.endNs(Work), PathKind::Sync, Call);
        return Work;
      }
      goTo(Part->BeginNs, PathKind::Host, Call);
      return NoEvent;
    }
    // The last activity of this thread and of those that it may have waited for.
    const uint32_t Frame = Part ? Part->Event : NoEvent;
    int64_t Last = Part ? Part->BeginNs : Path.BeginNs;
    TrackId Next = Thread;
    const auto Consider = [&](TrackId Other) {
      if (Other == Thread)
        return;
      std::optional<TimelinePart> Of = Threads.before(Other, Now, Near);
      // A thread that continues to work was not waited for.
      if (!Of || (Of->InWork && Of->EndNs > Now))
        return;
      while (Of && !Of->InWork) // spans, frames, and nothing
        Of = Threads.before(Other, Of->BeginNs, Near);
      if (Of && Of->EndNs > Last) {
        Last = Of->EndNs;
        Next = Other;
      }
    };
    Consider(In.Track);
    for (const TrackId Engine : Engines)
      Consider(Engine);
    // What autograd's thread waited for is found from the events around it on the step's thread.
    if (Next == Thread || Next != In.Track)
      goTo(Last, PathKind::Between, Frame);
    Thread = Next;
    return NoEvent;
  }

  /// The work that held up a call until now; NoEvent: none.
  uint32_t waitedFor(uint32_t Call) {
    if (Input.Sites[Events.Site[Call]].Kind != SiteKind::Launch)
      return NoEvent;
    const DeviceWaits::HostWait Wait = Waits.hostWait(Call);
    if (!Wait.Waits || !follow(Call))
      return NoEvent;
    Path.UnknownSyncs += !Wait.Known;
    // Its end can seem later than the call's, because clocks are inaccurate.
    if (Wait.Work == NoEvent || Events.endNs(Wait.Work) <= Events.BeginNs[Call] ||
        Events.BeginNs[Wait.Work] >= Now)
      return NoEvent;
    return Wait.Work;
  }

  /// The work, and what it waited for.
  uint32_t onDevice(uint32_t Work) {
    const int64_t Begin = Events.BeginNs[Work];
    goTo(Begin, PathKind::Device, Work);
    const auto EndOf = [&](uint32_t Other) { return std::min(Events.endNs(Other), Begin); };
    const uint32_t Launch = Waits.launchOf(Work), Before = Waits.previous(Work),
                   Other = Waits.otherStream(Work);
    Path.Unlaunched += Launch == NoEvent;
    // In corrupt traces work can wait for itself.
    if (!follow(Work) || (Launch == NoEvent && Before == NoEvent)) {
      goTo(Path.BeginNs, PathKind::Unknown, Work);
      return NoEvent;
    }
    int64_t Launched = Launch == NoEvent ? INT64_MIN : std::min(Events.endNs(Launch), Begin);
    const int64_t Previous = Before == NoEvent ? INT64_MIN : EndOf(Before);
    const int64_t Elsewhere = Other == NoEvent ? INT64_MIN : EndOf(Other);
    // A call that also waits for its own work ends after it, and its launch time is not known: for
    // most of the time before, it prepared the work, or the work waited for earlier work.
    if (Launch != NoEvent && Waits.hostWait(Launch).Work == Work) {
      const int64_t Called = Events.BeginNs[Launch], Held = std::max(Previous, Elsewhere);
      if (Held > Called && Held - Called > Begin - Held)
        Launched = Called;
    }
    if (Launched >= Previous && Launched >= Elsewhere) {
      goTo(Launched, PathKind::LaunchDelay, Work);
      Thread = Events.Track[Launch];
      return NoEvent;
    }
    if (Previous >= Elsewhere) {
      goTo(Previous, PathKind::KernelGap, Work);
      return Before;
    }
    goTo(Elsewhere, PathKind::Sync, Work);
    return Other;
  }

  PathSum &sumOf(PathKind Kind, StringId Name) {
    uint32_t *At = &FirstSum[Name];
    while (*At != NoSum && Path.Sums[*At].Kind != Kind)
      At = &NextSum[*At];
    if (*At != NoSum)
      return Path.Sums[*At];
    *At = static_cast<uint32_t>(Path.Sums.size());
    NextSum.push_back(NoSum);
    return Path.Sums.emplace_back(PathSum{Kind, Name});
  }

  /// False: it was followed before.
  bool follow(uint32_t Event) {
    const bool Is = Followed[Event];
    Followed[Event] = true;
    return !Is;
  }

  const Trace &Input;
  const EventColumns &Events;
  const DeviceWaits &Waits;
  const ThreadTimelines &Threads;
  const std::vector<TrackId> &Engines;
  const Step &In;
  CriticalPath &Path;
  const SegmentFn &Take; ///< may be empty
  ThreadTimelines::Place Near;
  int64_t Now;
  TrackId Thread;
  static constexpr uint32_t NoSum = UINT32_MAX;
  std::vector<uint32_t> FirstSum; ///< by name, a place in Path.Sums
  std::vector<uint32_t> NextSum;  ///< by such a place, that of the next sum of the same name
  std::vector<bool> Followed;     ///< by event: calls that waited, and work
};

/// Threads that run autograd nodes but no steps.
std::vector<TrackId> enginesOf(const Trace &Input) {
  std::vector<bool> Runs(Input.Tracks.size()), Steps(Input.Tracks.size());
  std::vector<bool> IsNode(Input.Sites.size()), IsStep(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    const std::string_view Name = Input.text(What.Name);
    IsNode[Id] = What.Kind == SiteKind::Operator && Name.starts_with("autograd::engine::");
    IsStep[Id] = What.Kind == SiteKind::Span && Name.starts_with("ProfilerStep");
  }
  for (uint32_t I = 0; I < Input.Events.size(); ++I) {
    if (IsNode[Input.Events.Site[I]])
      Runs[Input.Events.Track[I]] = true;
    if (IsStep[Input.Events.Site[I]])
      Steps[Input.Events.Track[I]] = true;
  }
  std::vector<TrackId> Engines;
  for (TrackId Track = 0; Track < Input.Tracks.size(); ++Track)
    if (Runs[Track] && !Steps[Track])
      Engines.push_back(Track);
  return Engines;
}

} // namespace

std::string_view pathKindName(PathKind Kind) {
  static constexpr std::string_view Names[] = {"host",       "between", "launch delay", "device",
                                               "kernel gap", "sync",    "unknown"};
  return Names[static_cast<size_t>(Kind)];
}

CriticalPaths::CriticalPaths(const Trace &Input, const std::vector<Origin> &Links)
    : Input(Input), Waits(Input, Links), Threads(Input), Engines(enginesOf(Input)) {
  std::vector<uint64_t> Operators(Input.Tracks.size());
  for (uint32_t I = 0; I < Input.Events.size(); ++I)
    Operators[Input.Events.Track[I]] += isHostOperator(Input.Sites[Input.Events.Site[I]]);
  const auto Most = std::ranges::max_element(Operators);
  if (Most == Operators.end() || !*Most)
    return;
  WholeStep.Track = static_cast<TrackId>(Most - Operators.begin());
  WholeStep.BeginNs = Threads.beginNs();
  WholeStep.EndNs = Threads.endNs();
  static_cast<CriticalPath &>(Whole) = of(WholeStep, PathEnd::Device, [&](const PathSegment &Each) {
    if (Each.Kind == PathKind::Device)
      Whole.WorkNs.emplace_back(Each.Event, Each.EndNs - Each.BeginNs);
  });
}

CriticalPath CriticalPaths::of(const Step &In, PathEnd End, const SegmentFn &Take) const {
  CriticalPath Path;
  Path.BeginNs = In.BeginNs;
  Path.EndNs = In.EndNs;
  uint32_t Last = NoEvent;
  if (End == PathEnd::Device)
    Last = Waits.lastLaunchedIn(In.BeginNs, In.EndNs);
  if (Last != NoEvent && Input.Events.endNs(Last) > Path.EndNs)
    Path.EndNs = Input.Events.endNs(Last);
  else
    Last = NoEvent;
  Walk(Input, Waits, Threads, Engines, In, Path, Take).run(Last);
  Path.UnknownStreamWaits = Waits.unknownStreamWaits(Path.BeginNs, Path.EndNs);
  return Path;
}

} // namespace seamscope::tools
