//===- ThreadTimes.cpp - when threads ran, exactly --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/ThreadTimes.h"

#include "analysis/core/Cut.h"
#include "analysis/core/HostNesting.h"

#include <algorithm>
#include <tuple>

namespace seamscope::tools {
namespace {

/// The columns are sorted by track.
std::vector<size_t> firstsByTrack(size_t Tracks, const auto &TrackOf, size_t Count) {
  std::vector<size_t> First(Tracks + 1);
  for (size_t I = 0; I < Count; ++I)
    if (const auto Track = static_cast<size_t>(TrackOf(I)); Track < Tracks)
      ++First[Track + 1];
  for (size_t Track = 0; Track < Tracks; ++Track)
    First[Track + 1] += First[Track];
  return First;
}

OffTime offTime(OffKind Kind, int64_t Ns) {
  OffTime Of;
  switch (Kind) {
  case OffKind::Blocked:
    Of.BlockedNs = Ns;
    break;
  case OffKind::Preempted:
    Of.PreemptedNs = Ns;
    break;
  case OffKind::Unknown:
    Of.UnknownNs = Ns;
    break;
  }
  return Of;
}

} // namespace

OffTime &OffTime::operator+=(const OffTime &Other) {
  BlockedNs = saturatingSum(BlockedNs, Other.BlockedNs);
  PreemptedNs = saturatingSum(PreemptedNs, Other.PreemptedNs);
  UnknownNs = saturatingSum(UnknownNs, Other.UnknownNs);
  return *this;
}

OffTime &OffTime::operator-=(const OffTime &Other) {
  BlockedNs -= Other.BlockedNs;
  PreemptedNs -= Other.PreemptedNs;
  UnknownNs -= Other.UnknownNs;
  return *this;
}

ThreadTimes::ThreadTimes(const Trace &Input)
    : Input(Input), FirstOff(firstsByTrack(
                        Input.Tracks.size(), [&](size_t I) { return Input.OffCpu.Track[I]; },
                        Input.OffCpu.size())),
      FirstSpan(firstsByTrack(
          Input.Tracks.size(), [&](size_t I) { return Input.SampledSpans[I].Track; },
          Input.SampledSpans.size())) {
  const OffColumns &Off = Input.OffCpu;
  Before.reserve(Off.size());
  OffTime Sum;
  for (size_t I = 0; I < Off.size(); ++I) {
    if (I && Off.Track[I] != Off.Track[I - 1])
      Sum = {};
    Before.push_back(Sum);
    Sum += offTime(static_cast<OffKind>(Off.Kind[I]), Off.OffNs[I]);
  }
}

OffTime ThreadTimes::partOf(size_t Of, int64_t BeginNs, int64_t EndNs) const {
  const OffColumns &Off = Input.OffCpu;
  const int64_t Ns = std::min(EndNs, Off.EndNs[Of]) - std::max(BeginNs, Off.BeginNs[Of]);
  if (Ns <= 0)
    return {};
  const int64_t Length = Off.EndNs[Of] - Off.BeginNs[Of];
  return offTime(static_cast<OffKind>(Off.Kind[Of]),
                 static_cast<int64_t>(static_cast<__int128>(Off.OffNs[Of]) * Ns / Length));
}

int64_t ThreadTimes::knownNs(TrackId Track, int64_t BeginNs, int64_t EndNs) const {
  const auto First = Input.SampledSpans.begin() + static_cast<ptrdiff_t>(FirstSpan[Track]),
             Last = Input.SampledSpans.begin() + static_cast<ptrdiff_t>(FirstSpan[Track + 1]);
  int64_t Ns = 0;
  for (auto It = std::partition_point(
           First, Last, [&](const SampledSpan &Span) { return Span.ToNs <= BeginNs; });
       It != Last && It->FromNs < EndNs; ++It)
    Ns += std::max<int64_t>(0, std::min(EndNs, It->ToNs) - std::max(BeginNs, It->FromNs));
  return std::min(Ns, EndNs - BeginNs);
}

OffTime ThreadTimes::between(TrackId Track, int64_t BeginNs, int64_t EndNs) const {
  if (EndNs <= BeginNs)
    return {};
  const OffColumns &Off = Input.OffCpu;
  const auto At = [](const std::vector<int64_t> &Column, size_t I) {
    return Column.begin() + static_cast<ptrdiff_t>(I);
  };
  const size_t First = FirstOff[Track], Last = FirstOff[Track + 1];
  const auto From = static_cast<size_t>(
      std::upper_bound(At(Off.EndNs, First), At(Off.EndNs, Last), BeginNs) - Off.EndNs.begin());
  const auto To = static_cast<size_t>(
      std::lower_bound(At(Off.BeginNs, From), At(Off.BeginNs, Last), EndNs) - Off.BeginNs.begin());
  OffTime Sum;
  Sum.UnknownNs = EndNs - BeginNs - knownNs(Track, BeginNs, EndNs);
  if (From >= To)
    return Sum;
  // Whole stretches, and one at each end of which a part counts.
  Sum += partOf(From, BeginNs, EndNs);
  if (To - From > 1) {
    Sum += partOf(To - 1, BeginNs, EndNs);
    Sum += Before[To - 1];
    Sum -= Before[From + 1];
  }
  return Sum;
}

std::vector<RunChange> ThreadTimes::changes() const {
  std::vector<RunChange> Changes;
  // A stretch may go on from one span into the next.
  const auto Touches = [](const SampledSpan &Of, const SampledSpan &Next) {
    return Of.Track == Next.Track && Of.ToNs == Next.FromNs;
  };
  const auto &Spans = Input.SampledSpans;
  for (size_t I = 0; I < Spans.size(); ++I) {
    if (!I || !Touches(Spans[I - 1], Spans[I]))
      Changes.push_back({Spans[I].FromNs, Spans[I].Track, RunState::Running});
    if (I + 1 == Spans.size() || !Touches(Spans[I], Spans[I + 1]))
      Changes.push_back({Spans[I].ToNs, Spans[I].Track, RunState::Unknown});
  }
  const OffColumns &Off = Input.OffCpu;
  for (size_t I = 0; I < Off.size(); ++I) {
    const auto Track = static_cast<TrackId>(Off.Track[I]);
    if (!Off.OffNs[I] || !knownNs(Track, Off.BeginNs[I], Off.BeginNs[I] + 1))
      continue;
    const auto Kind = static_cast<OffKind>(Off.Kind[I]);
    Changes.push_back({Off.BeginNs[I], Track,
                       Kind == OffKind::Blocked     ? RunState::Blocked
                       : Kind == OffKind::Preempted ? RunState::Preempted
                                                    : RunState::Unknown});
    // Of sums, the place in the stretch is not known: they come first in it.
    const int64_t EndNs = Off.BeginNs[I] + Off.OffNs[I];
    if (knownNs(Track, EndNs, EndNs + 1))
      Changes.push_back({EndNs, Track, RunState::Running});
  }
  // What ends at a moment comes before what begins then.
  std::ranges::stable_sort(Changes, {}, [](const RunChange &Of) {
    return std::pair(Of.Ns, Of.To != RunState::Running && Of.To != RunState::Unknown);
  });
  return Changes;
}

std::vector<ThreadRow> threadRows(const Trace &Input) {
  const ThreadTimes Times(Input);
  const auto [Begin, End] = extentWithSums(Input).value_or(TimeRange());
  std::vector<ThreadRow> Rows(Input.Tracks.size());
  for (TrackId Track = 0; Track < Rows.size(); ++Track)
    Rows[Track].Track = Track;
  std::vector<bool> HasSwitches(Rows.size());
  for (const SampledSpan &Span : Input.SampledSpans) {
    HasSwitches[Span.Track] = HasSwitches[Span.Track] || Span.HasSwitches;
    const int64_t From = std::max(Begin, Span.FromNs), To = std::min(End, Span.ToNs);
    if (From >= To)
      continue;
    const OffTime Off = Times.between(Span.Track, From, To);
    Rows[Span.Track].Off += Off;
    int64_t &Running = Rows[Span.Track].RunningNs;
    Running = saturatingSum(Running, To - From - Off.offNs() - Off.UnknownNs);
  }
  for (size_t I = 0; I < Input.Samples.size(); ++I)
    if (Input.Samples.Ns[I] >= Begin && Input.Samples.Ns[I] < End)
      ++Rows[static_cast<size_t>(Input.Samples.Track[I])].Samples;
  std::erase_if(Rows, [&](const ThreadRow &Row) { return !HasSwitches[Row.Track]; });
  std::ranges::stable_sort(Rows, std::greater(), &ThreadRow::RunningNs);
  return Rows;
}

std::vector<OffTime> ownOffTimes(const Trace &Input, const ThreadTimes &Times,
                                 const std::vector<bool> &Wanted) {
  if (!Times.any())
    return {};
  std::vector<OffTime> Own(Input.Events.size());
  const EventColumns &Events = Input.Events;
  const HostNesting Nesting = nestCalls(Input, Wanted);
  for (const uint32_t Event : Nesting.Order) {
    if (!Times.knows(Events.Track[Event]))
      continue;
    const OffTime Of =
        Times.between(Events.Track[Event], Events.BeginNs[Event], Events.endNs(Event));
    Own[Event] += Of;
    if (const uint32_t Outer = Nesting.Parent[Event]; Outer != NoEvent)
      Own[Outer] -= Of;
  }
  // Calls of one thread that overlap have some moments twice.
  for (OffTime &Of : Own)
    Of = {std::max<int64_t>(0, Of.BlockedNs), std::max<int64_t>(0, Of.PreemptedNs),
          std::max<int64_t>(0, Of.UnknownNs)};
  return Own;
}

std::map<std::pair<SiteId, TeamThread>, OffTime> offTimesOfRegions(const Trace &Input,
                                                                   const ThreadTimes &Times) {
  std::map<std::pair<SiteId, TeamThread>, OffTime> Result;
  std::vector<bool> Wanted;
  for (const Site &What : Input.Sites)
    Wanted.push_back(What.Kind == SiteKind::Region || What.Kind == SiteKind::TeamWait ||
                     What.Kind == SiteKind::Task);
  if (!Times.any() || std::ranges::find(Wanted, true) == Wanted.end())
    return Result;
  const EventColumns &Events = Input.Events;
  const auto KindOf = [&](uint32_t Event) { return Input.Sites[Events.Site[Event]].Kind; };
  const Teams Links(Input);
  const HostNesting Nesting = nestCalls(Input, Wanted);
  std::vector<OffTime> Own = ownOffTimes(Input, Times, Wanted);
  const std::vector<uint32_t> Region = Nesting.innermost([&](uint32_t Event) {
    return KindOf(Event) == SiteKind::Region ? Event : Links.endedPart(Event);
  });
  for (const uint32_t Event : Nesting.Order)
    if (const uint32_t Part = Region[Event]; Part != NoEvent && KindOf(Event) != SiteKind::TeamWait)
      Result[{Events.Site[Part], Links.thread(Part)}] += Own[Event];
  return Result;
}

} // namespace seamscope::tools
