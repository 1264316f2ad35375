//===- Enclosing.cpp - what was open around a call ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Enclosing.h"

#include "analysis/core/Order.h"

namespace seamscope::tools {

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
      // Rounding can let an inner one end before what it holds: look further out then.
      const int64_t Until = How == Within::Begin ? Events.BeginNs[I] : Events.endNs(I);
      const auto Behind = std::ranges::partition_point(
          Open, [&](uint32_t Outer) { return Events.endNs(Outer) >= Until; });
      Around[I] = Behind == Open.begin() ? NoEvent : *std::prev(Behind);
    }
    if (!Holds[Events.Site[I]])
      continue;
    // What ends before this one does will not be the innermost again: without it, those further
    // out end later, and the search above need not look at each.
    while (!Open.empty() && Events.endNs(Open.back()) <= Events.endNs(I))
      Open.pop_back();
    Open.push_back(I);
  }
  return Around;
}

} // namespace seamscope::tools
