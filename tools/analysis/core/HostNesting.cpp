//===- HostNesting.cpp - nesting of host calls ----------------------------===//
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

constexpr int Outside = -1;
constexpr int OfOthers = 5; ///< and above: sites that nestHost leaves out

/// If calls cover the same stretch, the one with the lower rank is outside.
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
    return What.Device < 0 ? 3 : Outside;
  case SiteKind::Launch:
    return 4;
  default:
    return Outside;
  }
}

/// Writers of whole us round begins and durations down: an inner call can seem to end later than
/// the outer one, by less than this.
constexpr int64_t RoundingNs = 1000;

/// \p Rank: by site.
HostNesting nest(const Trace &Input, const std::vector<int> &Rank,
                 const std::vector<HostMoment> &Moments) {
  const EventColumns &Events = Input.Events;
  HostNesting Result;
  Result.Order = ordered(
      Input, eventsWhere(Input, [&](uint32_t I) { return Rank[Events.Site[I]] != Outside; }),
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
  /// Answers all questions about moments before this one.
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
      const int64_t Slack = Rank[Events.Site[I]] < OfOthers ? RoundingNs : 0;
      return End > Begin && Events.endNs(I) <= End + Slack;
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

} // namespace

HostNesting nestHost(const Trace &Input, const std::vector<HostMoment> &Moments) {
  std::vector<int> Rank;
  for (const Site &What : Input.Sites)
    Rank.push_back(rankOf(What));
  return nest(Input, Rank, Moments);
}

HostNesting nestCalls(const Trace &Input, const std::vector<bool> &Wanted) {
  std::vector<int> Rank;
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    const int OfHost = rankOf(What);
    Rank.push_back(!Wanted[Id]         ? Outside
                   : OfHost == Outside ? OfOthers + static_cast<int>(What.Kind)
                                       : OfHost);
  }
  return nest(Input, Rank, {});
}

std::vector<uint32_t> innermostAround(const Trace &Input, const std::vector<uint32_t> &Calls,
                                      const std::vector<bool> &Holds, Within How) {
  const EventColumns &Events = Input.Events;
  std::vector<uint32_t> Around(Events.size(), NoEvent);
  constexpr uint32_t Wanted = NoEvent - 1;
  for (const uint32_t Call : Calls)
    Around[Call] = Wanted;
  std::vector<uint32_t> Order =
      eventsWhere(Input, [&](uint32_t I) { return Around[I] == Wanted || Holds[Events.Site[I]]; });
  Order = ordered(
      Input, std::move(Order), Input.Tracks.size(), [&](uint32_t I) { return Events.Track[I]; },
      [&](uint32_t I) { return Around[I] == Wanted; });
  std::vector<uint32_t> Open;
  for (const uint32_t I : Order) {
    while (!Open.empty() && (Events.Track[Open.back()] != Events.Track[I] ||
                             Events.endNs(Open.back()) < Events.BeginNs[I]))
      Open.pop_back();
    if (Around[I] == Wanted) {
      // Rounding can let an inner call end before what it contains: look further out then.
      const int64_t Until = How == Within::Begin ? Events.BeginNs[I] : Events.endNs(I);
      const auto Behind = std::ranges::partition_point(
          Open, [&](uint32_t Outer) { return Events.endNs(Outer) >= Until; });
      Around[I] = Behind == Open.begin() ? NoEvent : *std::prev(Behind);
    }
    if (!Holds[Events.Site[I]])
      continue;
    // A call that ends before this one will not be the innermost again. Without it, calls further
    // out end later, and the search above need not look at each.
    while (!Open.empty() && Events.endNs(Open.back()) <= Events.endNs(I))
      Open.pop_back();
    Open.push_back(I);
  }
  return Around;
}

} // namespace seamscope::tools
