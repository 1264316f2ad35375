//===- Order.h - events thread by thread, outer ones first ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_ORDER_H
#define SEAMSCOPE_TOOLS_ANALYSIS_ORDER_H

#include "trace/model/Trace.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The events for which \p Matters is true, in the order of the trace.
template <typename Fn> std::vector<uint32_t> eventsWhere(const Trace &Input, Fn Matters) {
  const auto All = std::views::iota(uint32_t{0}, static_cast<uint32_t>(Input.Events.size()));
  std::vector<uint32_t> Result;
  // These lists are as long as the trace, so their capacity must not be half empty.
  Result.reserve(static_cast<size_t>(std::ranges::count_if(All, Matters)));
  std::ranges::copy_if(All, std::back_inserter(Result), Matters);
  return Result;
}

/// Groups \p Selected, events in the order of the trace, by \p GroupOf (numbers below \p Groups),
/// and sorts each group by begin, longer ones first, then by \p Rank, then as in the trace. Most
/// writers keep this order already; then nothing is sorted.
template <typename GroupFn, typename RankFn>
std::vector<uint32_t> ordered(const Trace &Input, std::vector<uint32_t> Selected, size_t Groups,
                              GroupFn GroupOf, RankFn Rank) {
  const EventColumns &Events = Input.Events;
  const auto IsBefore = [&](uint32_t A, uint32_t B) {
    if (Events.BeginNs[A] != Events.BeginNs[B])
      return Events.BeginNs[A] < Events.BeginNs[B];
    if (Events.DurationNs[A] != Events.DurationNs[B])
      return Events.DurationNs[A] > Events.DurationNs[B];
    return std::tuple(Rank(A), A) < std::tuple(Rank(B), B);
  };
  if (std::ranges::is_sorted(Selected, [&](uint32_t A, uint32_t B) {
        return GroupOf(A) != GroupOf(B) ? GroupOf(A) < GroupOf(B) : IsBefore(A, B);
      }))
    return Selected;
  std::vector<size_t> Ends(Groups + 1);
  for (const uint32_t I : Selected)
    ++Ends[GroupOf(I) + 1];
  for (size_t Group = 0; Group < Groups; ++Group)
    Ends[Group + 1] += Ends[Group];
  std::vector<uint32_t> Order(Selected.size());
  for (const uint32_t I : Selected)
    Order[Ends[GroupOf(I)]++] = I;
  // Now Ends[G] is where group G ends.
  auto First = Order.begin();
  for (size_t Group = 0; Group < Groups; ++Group) {
    const auto Last = Order.begin() + static_cast<ptrdiff_t>(Ends[Group]);
    if (!std::is_sorted(First, Last, IsBefore))
      std::sort(First, Last, IsBefore);
    First = Last;
  }
  return Order;
}

/// By thread.
inline std::vector<uint32_t> orderedByTrack(const Trace &Input, std::vector<uint32_t> Selected) {
  return ordered(
      Input, std::move(Selected), Input.Tracks.size(),
      [&](uint32_t I) { return Input.Events.Track[I]; }, [](uint32_t) { return 0; });
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ORDER_H
