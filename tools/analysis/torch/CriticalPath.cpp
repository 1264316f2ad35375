//===- CriticalPath.cpp - what a step's duration depends on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/CriticalPath.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace seamscope::tools {
namespace {

/// Follows one path from its end to its begin.
class Walk {
public:
  Walk(const Trace &Input, const DeviceWaits &Waits, const ThreadTimelines &Threads,
       const std::vector<TrackId> &Engines, const Step &In, CriticalPath &Path,
       std::vector<PathSegment> *Segments)
      : Input(Input), Events(Input.Events), Waits(Waits), Threads(Threads), Engines(Engines),
        In(In), Path(Path), Segments(Segments), Now(Path.EndNs), Thread(In.Track) {}

  /// \p Work: the work that it ends with; NoEvent: the step's thread.
  void run(uint32_t Work) {
    while (Now > Path.BeginNs)
      Work = Work == NoEvent ? onHost() : onDevice(Work);
    if (Segments)
      std::ranges::reverse(*Segments);
    for (const auto &[Key, Sum] : Sums)
      Path.Sums.push_back(Sum);
    std::ranges::stable_sort(Path.Sums, std::greater(), &PathSum::Ns);
  }

private:
  /// Goes back to \p Ns, or to the begin.
  void goTo(int64_t Ns, PathKind Kind, uint32_t Event) {
    Ns = std::clamp(Ns, Path.BeginNs, Now);
    if (Ns < Now) {
      const StringId Name = Event == NoEvent ? 0 : Input.Sites[Events.Site[Event]].Name;
      PathSum &Sum = Sums[{Kind, Name}];
      Sum.Kind = Kind;
      Sum.Name = Name;
      ++Sum.Count;
      Sum.Ns += Now - Ns;
      if (Segments)
        Segments->push_back({Kind, Event, Ns, Now});
    }
    Now = Ns;
  }

  /// One stretch of the thread; returns the work to go on with, or NoEvent.
  uint32_t onHost() {
    const std::optional<TimelinePart> Part = Threads.before(Thread, Now);
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
      std::optional<TimelinePart> Of = Threads.before(Other, Now);
      // A thread that continues to work was not waited for.
      if (!Of || (Of->InWork && Of->EndNs > Now))
        return;
      while (Of && !Of->InWork) // spans, frames, and nothing
        Of = Threads.before(Other, Of->BeginNs);
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
    if (!Wait.Waits || !Followed.insert(Call).second)
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
    if (!Followed.insert(Work).second || (Launch == NoEvent && Before == NoEvent)) {
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

  const Trace &Input;
  const EventColumns &Events;
  const DeviceWaits &Waits;
  const ThreadTimelines &Threads;
  const std::vector<TrackId> &Engines;
  const Step &In;
  CriticalPath &Path;
  std::vector<PathSegment> *const Segments; ///< null: not wanted
  std::map<std::pair<PathKind, StringId>, PathSum> Sums;
  int64_t Now;
  TrackId Thread;
  std::unordered_set<uint32_t> Followed; ///< calls that waited, and work
};

/// Threads that run autograd nodes but no steps.
std::vector<TrackId> enginesOf(const Trace &Input) {
  std::vector<bool> Runs(Input.Tracks.size()), Steps(Input.Tracks.size());
  for (uint32_t I = 0; I < Input.Events.size(); ++I) {
    const Site &What = Input.Sites[Input.Events.Site[I]];
    const std::string_view Name = Input.text(What.Name);
    if (What.Kind == SiteKind::Operator && Name.starts_with("autograd::engine::"))
      Runs[Input.Events.Track[I]] = true;
    if (What.Kind == SiteKind::Span && Name.starts_with("ProfilerStep"))
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
    : Input(Input), Waits(Input, Links), Threads(Input), Engines(enginesOf(Input)) {}

CriticalPath CriticalPaths::of(const Step &In, PathEnd End,
                               std::vector<PathSegment> *Segments) const {
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
  Walk(Input, Waits, Threads, Engines, In, Path, Segments).run(Last);
  Path.UnknownStreamWaits = Waits.unknownStreamWaits(Path.BeginNs, Path.EndNs);
  return Path;
}

Step CriticalPaths::wholeTrace() const {
  std::vector<uint64_t> Operators(Input.Tracks.size());
  for (uint32_t I = 0; I < Input.Events.size(); ++I)
    Operators[Input.Events.Track[I]] += isHostOperator(Input.Sites[Input.Events.Site[I]]);
  Step Whole;
  const auto Most = std::ranges::max_element(Operators);
  if (Most == Operators.end() || !*Most)
    return Whole;
  Whole.Track = static_cast<TrackId>(Most - Operators.begin());
  Whole.BeginNs = Threads.beginNs();
  Whole.EndNs = Threads.endNs();
  return Whole;
}

} // namespace seamscope::tools
