//===- NestedTimes.cpp - self times of calls ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/NestedTimes.h"

#include "analysis/core/SelfTime.h"

#include <algorithm>
#include <utility>

namespace seamscope::tools {

NestedTimes nestedTimes(const Trace &Input, const std::vector<bool> &Wanted) {
  const EventColumns &Events = Input.Events;
  HostNesting Nesting = nestCalls(Input, Wanted);
  NestedTimes Result{std::move(Nesting.Order), std::move(Nesting.Parent),
                     std::vector<int64_t>(Events.size()),
                     ownOffTimes(Input, ThreadTimes(Input), Wanted)};
  for (auto First = Result.Order.begin(); First != Result.Order.end();) {
    const auto Last = std::find_if(First, Result.Order.end(), [&](uint32_t I) {
      return Events.Track[I] != Events.Track[*First];
    });
    const int64_t Begin = Events.BeginNs[*First];
    int64_t End = Begin;
    std::vector<Interval> Calls;
    Calls.reserve(static_cast<size_t>(Last - First));
    for (auto It = First; It != Last; ++It) {
      Calls.push_back({Events.BeginNs[*It], std::max(Events.BeginNs[*It], Events.endNs(*It)),
                       static_cast<uint32_t>(It - First)});
      End = std::max(End, Calls.back().EndNs);
    }
    const size_t Count = Calls.size();
    const SelfTimes Own = selfTimes(std::move(Calls), Count, Begin, End);
    for (size_t I = 0; I < Count; ++I)
      Result.OwnNs[First[static_cast<ptrdiff_t>(I)]] = Own.RowNs[I];
    First = Last;
  }
  for (uint32_t I = 0; I < Result.Off.size(); ++I) {
    OffTime &Off = Result.Off[I];
    if (Input.Sites[Events.Site[I]].Kind == SiteKind::TeamWait)
      Off = {};
    // Calls that overlap without nesting have some of these moments twice.
    Off.BlockedNs = std::min(Off.BlockedNs, Result.OwnNs[I]);
    Off.PreemptedNs = std::min(Off.PreemptedNs, Result.OwnNs[I] - Off.BlockedNs);
    Result.OwnNs[I] -= Off.offNs();
  }
  return Result;
}

std::vector<bool> sitesOfCalls(const Trace &Input) {
  std::vector<bool> AreCalls;
  for (const Site &What : Input.Sites)
    AreCalls.push_back(What.Kind != SiteKind::Other || Input.text(What.Category) != "Trace");
  return AreCalls;
}

} // namespace seamscope::tools
