//===- Overlaps.cpp - work that lasts over later work of its stream ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Whether some work of a stream begins before what stands before it in the file has ended. Writers
/// keep to the order of each stream: of most traces nothing is sorted to find out.
bool mayOverlap(const Trace &Source, const std::vector<bool> &IsWork) {
  const EventColumns &Events = Source.Events;
  std::vector<int64_t> EndOf(Source.Tracks.size(), INT64_MIN);
  for (size_t I = 0; I < Events.size(); ++I) {
    if (!IsWork[Events.Site[I]])
      continue;
    int64_t &End = EndOf[Events.Track[I]];
    if (Events.BeginNs[I] < End)
      return true;
    End = std::max(End, Events.endNs(I));
  }
  return false;
}

} // namespace

/// A stream runs its work in order, so that work which contains several later pieces, or ends
/// long after one, has a wrong end. What
/// one launch started, a graph, may overlap; and the next kernel may begin a little early
/// (programmatic dependent launch), but does not end before the one that it depends on.
void checkOverlaps(Trace &Source) {
  EventColumns &Events = Source.Events;
  std::vector<bool> IsWork(Source.Sites.size());
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id)
    IsWork[Id] = isDeviceWork(Source.Sites[Id].Kind, Source.Sites[Id].Device);
  if (!mayOverlap(Source, IsWork))
    return;
  std::unordered_map<uint32_t, int64_t> LaunchOf, StreamOf;
  for (const Correlation &Of : Source.Correlations)
    if (IsWork[Events.Site[Of.Event]])
      LaunchOf.emplace(Of.Event, Of.Id);
  for (const LaunchShape &Shape : Source.Details.Launches)
    if (Shape.Stream >= 0)
      StreamOf.emplace(Shape.Event, Shape.Stream);
  const auto Same = [](const auto &Of, uint32_t A, uint32_t B, bool Else) {
    const auto First = Of.find(A), Second = Of.find(B);
    return First == Of.end() || Second == Of.end() ? Else : First->second == Second->second;
  };
  const std::vector<uint32_t> Order = orderedByTrack(
      Source, eventsWhere(Source, [&](uint32_t I) { return IsWork[Events.Site[I]]; }));
  // Of the rest of the stream, the first end: whether anything at all is contained.
  std::vector<int64_t> FirstEnd(Order.size(), INT64_MAX);
  for (size_t At = Order.size(); At-- > 1;)
    if (Events.Track[Order[At - 1]] == Events.Track[Order[At]])
      FirstEnd[At - 1] = std::min(FirstEnd[At], Events.endNs(Order[At]));
  constexpr size_t MostLooked = 4096; // a graph has fewer nodes
  std::vector<uint32_t> Clipped;
  std::vector<int64_t> NewEnds;
  uint64_t Later = 0;
  int64_t LostNs = 0;
  for (size_t At = 0; At < Order.size(); ++At) {
    const uint32_t I = Order[At];
    const int64_t End = Events.endNs(I);
    // Without a thread the track is not that of a stream.
    if (FirstEnd[At] >= End || !Source.Tracks[Events.Track[I]].Thread)
      continue;
    int64_t ClipNs = INT64_MAX, ContainedEndNs = INT64_MIN;
    size_t Contained = 0;
    size_t Next = At + 1;
    for (; Next < std::min(Order.size(), At + MostLooked) && Contained < 2; ++Next) {
      const uint32_t J = Order[Next];
      if (Events.Track[J] != Events.Track[I] || Events.BeginNs[J] >= End)
        break;
      if (Events.BeginNs[J] == Events.BeginNs[I] || Same(LaunchOf, I, J, false) ||
          !Same(StreamOf, I, J, true))
        continue;
      ClipNs = std::min(ClipNs, Events.BeginNs[J]);
      if (Events.endNs(J) < End) {
        ++Contained;
        ContainedEndNs = Events.endNs(J);
      }
    }
    // A single one may be an odd one itself, unless it is a small part of what contains it.
    constexpr int64_t FarLonger = 10;
    if (!Contained ||
        (Contained == 1 && Events.DurationNs[I] / FarLonger < ContainedEndNs - Events.BeginNs[I]))
      continue;
    Clipped.push_back(I);
    NewEnds.push_back(ClipNs);
    LostNs += End - ClipNs;
    for (Next = At + 1;
         Next < std::min(Order.size(), At + MostLooked) &&
         Events.Track[Order[Next]] == Events.Track[I] && Events.BeginNs[Order[Next]] < End;
         ++Next)
      ++Later;
  }
  if (Clipped.empty())
    return;
  const bool One = Clipped.size() == 1;
  addFinding(Source, HealthCheck::OverlappingWork, Clipped, LostNs,
             fmt::format("{} {} {} of {} stream, which runs its work in order: clipped where the "
                         "next begins, {} less",
                         counted(Clipped.size(), One ? "kernel or copy" : "kernels and copie"),
                         One ? "lasts over" : "last over", counted(Later, "later one"),
                         One ? "its" : "their", timeText(LostNs)));
  for (size_t I = 0; I < Clipped.size(); ++I) {
    Source.Details.Clipped.push_back({Clipped[I], Events.endNs(Clipped[I])});
    Events.DurationNs[Clipped[I]] = NewEnds[I] - Events.BeginNs[Clipped[I]];
  }
}

} // namespace seamscope::tools
