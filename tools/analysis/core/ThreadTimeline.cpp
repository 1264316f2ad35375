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

/// The first call of the track that begins at \p Ns or later. Looks around \p Near, in steps that
/// double.
size_t ThreadTimelines::firstFrom(TrackId Track, int64_t Ns, size_t Near) const {
  const auto IsBefore = [&](size_t At) { return Input.Events.BeginNs[Nesting.Order[At]] < Ns; };
  size_t From = First[Track], To = First[Track + 1]; // what is wanted is from From to To
  if (Near < To && IsBefore(Near)) {
    From = Near + 1;
    for (size_t Step = 1; Step < To - From; Step *= 2) {
      if (!IsBefore(From + Step)) {
        To = From + Step;
        break;
      }
      From += Step + 1;
    }
  } else {
    To = Near;
    for (size_t Step = 1; Step <= To - From; Step *= 2) {
      if (IsBefore(To - Step)) {
        From = To - Step + 1;
        break;
      }
      To -= Step;
    }
  }
  while (From < To)
    if (const size_t Middle = From + (To - From) / 2; IsBefore(Middle))
      From = Middle + 1;
    else
      To = Middle;
  return From;
}

std::optional<TimelinePart> ThreadTimelines::before(TrackId Track, int64_t Ns, Place &Near) const {
  const EventColumns &Events = Input.Events;
  const size_t Next = Near.Next[Track] = firstFrom(Track, Ns, Near.Next[Track]);
  if (Next == First[Track])
    return std::nullopt;
  // From the last that began, outwards, to the first that had not ended.
  TimelinePart Part;
  Part.BeginNs = std::numeric_limits<int64_t>::min();
  Part.EndNs = Next == First[Track + 1] ? std::numeric_limits<int64_t>::max()
                                        : Events.BeginNs[Nesting.Order[Next]];
  for (uint32_t I = Nesting.Order[Next - 1]; I != NoEvent; I = Nesting.Parent[I]) {
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
