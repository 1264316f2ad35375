//===- HostNesting.cpp - how calls of the host stand inside each other ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/HostNesting.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace seamscope::tools {
namespace {

constexpr int NotOfHost = -1;

/// Of calls that cover the same stretch, the lower rank is outside.
int rankOf(const Site &What) {
  switch (What.Kind) {
  case SiteKind::Span:
  case SiteKind::Annotation:
    return 0;
  case SiteKind::Python:
    return 1;
  case SiteKind::Operator:
    return 2;
  case SiteKind::Kernel:
    return What.Device < 0 ? 3 : NotOfHost;
  case SiteKind::Launch:
    return 4;
  default:
    return NotOfHost;
  }
}

/// Writers of whole us round begins and durations down: what is inside can seem to end later, by
/// less than this.
constexpr int64_t RoundingNs = 1000;

} // namespace

HostNesting nestHost(const Trace &Input, const std::vector<HostMoment> &Moments) {
  const EventColumns &Events = Input.Events;
  std::vector<int> Rank;
  for (const Site &What : Input.Sites)
    Rank.push_back(rankOf(What));
  HostNesting Result;
  Result.Order = ordered(
      Input, eventsWhere(Input, [&](uint32_t I) { return Rank[Events.Site[I]] != NotOfHost; }),
      Input.Tracks.size(), [&](uint32_t I) { return Events.Track[I]; },
      [&](uint32_t I) { return Rank[Events.Site[I]]; });
  Result.Parent.assign(Events.size(), NoEvent);
  Result.AtMoments.assign(Moments.size(), NoEvent);

  std::vector<uint32_t> Asked(Moments.size());
  std::iota(Asked.begin(), Asked.end(), 0);
  std::ranges::sort(Asked, {},
                    [&](uint32_t I) { return std::tuple(Moments[I].Track, Moments[I].Ns, I); });
  size_t NextAsked = 0;
  std::vector<uint32_t> Open;
  /// Answers what is asked for moments before this one.
  const auto AnswerUpTo = [&](TrackId Track, int64_t Ns) {
    for (; NextAsked < Asked.size(); ++NextAsked) {
      const HostMoment &At = Moments[Asked[NextAsked]];
      if (std::pair(At.Track, At.Ns) >= std::pair(Track, Ns))
        return;
      while (!Open.empty() &&
             (Events.Track[Open.back()] != At.Track || Events.endNs(Open.back()) < At.Ns))
        Open.pop_back();
      if (!Open.empty())
        Result.AtMoments[Asked[NextAsked]] = Open.back();
    }
  };
  for (const uint32_t I : Result.Order) {
    const int64_t Begin = Events.BeginNs[I];
    AnswerUpTo(Events.Track[I], Begin);
    const auto Holds = [&](uint32_t Outer) {
      if (Events.Track[Outer] != Events.Track[I])
        return false;
      const int64_t End = Events.endNs(Outer);
      if (End == Begin) // the end of one call and the begin of the next, or empty calls
        return !Events.DurationNs[I] || !Events.DurationNs[Outer];
      return End > Begin && Events.endNs(I) <= End + RoundingNs;
    };
    while (!Open.empty() && !Holds(Open.back()))
      Open.pop_back();
    if (!Open.empty())
      Result.Parent[I] = Open.back();
    Open.push_back(I);
  }
  AnswerUpTo(static_cast<TrackId>(Input.Tracks.size()), 0);
  return Result;
}

} // namespace seamscope::tools
