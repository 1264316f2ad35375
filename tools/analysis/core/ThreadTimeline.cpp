//===- ThreadTimeline.cpp - what a thread did at a moment -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/ThreadTimeline.h"

#include <algorithm>
#include <limits>

namespace seamscope::tools {

ThreadTimelines::ThreadTimelines(const Trace &Input)
    : Input(Input), Nesting(nestHost(Input)), First(Input.Tracks.size() + 1),
      InWork(Input.Events.size()) {
  const EventColumns &Events = Input.Events;
  std::erase_if(Nesting.Order, [&](uint32_t I) { return !Events.DurationNs[I]; });
  int64_t Begin = std::numeric_limits<int64_t>::max(), End = std::numeric_limits<int64_t>::min();
  for (const uint32_t I : Nesting.Order) {
    const Site &What = Input.Sites[Events.Site[I]];
    const uint32_t Outer = Nesting.Parent[I];
    InWork[I] = isHostOperator(What) || What.Kind == SiteKind::Launch ||
                (Outer != NoEvent && InWork[Outer]);
    ++First[Events.Track[I] + 1];
    Begin = std::min(Begin, Events.BeginNs[I]);
    End = std::max(End, Events.endNs(I));
  }
  for (size_t Track = 0; Track < Input.Tracks.size(); ++Track)
    First[Track + 1] += First[Track];
  if (!Nesting.Order.empty()) {
    BeginNs = Begin;
    EndNs = End;
  }
}

std::optional<TimelinePart> ThreadTimelines::before(TrackId Track, int64_t Ns) const {
  const EventColumns &Events = Input.Events;
  const auto At = [&](size_t Place) {
    return Nesting.Order.begin() + static_cast<ptrdiff_t>(Place);
  };
  const auto Next = std::ranges::lower_bound(At(First[Track]), At(First[Track + 1]), Ns, {},
                                             [&](uint32_t I) { return Events.BeginNs[I]; });
  if (Next == At(First[Track]))
    return std::nullopt;
  // From the last that began, outwards, to the first that had not ended.
  TimelinePart Part;
  Part.BeginNs = std::numeric_limits<int64_t>::min();
  Part.EndNs =
      Next == At(First[Track + 1]) ? std::numeric_limits<int64_t>::max() : Events.BeginNs[*Next];
  for (uint32_t I = *std::prev(Next); I != NoEvent; I = Nesting.Parent[I]) {
    if (Events.endNs(I) >= Ns) {
      Part.Event = I;
      Part.InWork = InWork[I];
      Part.BeginNs = std::max(Part.BeginNs, Events.BeginNs[I]);
      Part.EndNs = std::min(Part.EndNs, Events.endNs(I));
      break;
    }
    Part.BeginNs = std::max(Part.BeginNs, Events.endNs(I));
  }
  return Part;
}

} // namespace seamscope::tools
