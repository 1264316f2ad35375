//===- Lanes.cpp - calls as stacks --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Lanes.h"

#include "analysis/core/Order.h"

#include <fmt/format.h>

namespace seamscope::tools {

Result<std::vector<Lane>> lanesOf(const Trace &Input) {
  const EventColumns &Events = Input.Events;
  std::vector<Lane> Lanes;
  std::vector<std::vector<int64_t>> Open; // ends of open calls, by lane of the track
  size_t First = 0;                       // lane of the track
  for (const uint32_t Event :
       orderedByTrack(Input, eventsWhere(Input, [](uint32_t) { return true; }))) {
    const TrackId Track = Events.Track[Event];
    if (First == Lanes.size() || Lanes[First].Track != Track) {
      First = Lanes.size();
      Open.clear();
    }
    const int64_t Begin = Events.BeginNs[Event], End = Events.endNs(Event);
    size_t Which = 0;
    for (; Which < Open.size(); ++Which) {
      std::vector<int64_t> &Ends = Open[Which];
      while (!Ends.empty() && Ends.back() <= Begin)
        Ends.pop_back();
      if (Ends.empty() || Ends.back() >= End)
        break;
    }
    if (Which == MostLanes)
      return Error{Input.Info.Path,
                   {},
                   fmt::format("more than {} calls of thread {} overlap at a time: no stacks",
                               MostLanes, Input.text(Input.Tracks[Track].Thread))};
    if (Which == Open.size()) {
      Open.emplace_back();
      Lanes.push_back({Track, {}});
    }
    Open[Which].push_back(End);
    Lanes[First + Which].Events.push_back(Event);
  }
  return Lanes;
}

} // namespace seamscope::tools
