//===- LateLaunches.cpp - a device that waits for its host -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/LateLaunches.h"

#include <algorithm>

namespace seamscope::tools {

LateLaunches lateLaunchesOf(const Trace &Source, const std::vector<Origin> &Links,
                            const std::vector<IdleGap> &Gaps, int32_t Device) {
  constexpr int64_t SlowCallNs = 100'000, LongNs = 1'000'000; // a launch takes some us
  const EventColumns &Events = Source.Events;
  LateLaunches Late;
  for (const IdleGap &Gap : Gaps) {
    const int64_t Ns = Gap.Why.HostNs;
    if (Ns <= 0 || Source.Sites[Events.Site[Gap.Work]].Device != Device)
      continue;
    const auto Link = std::ranges::lower_bound(Links, Gap.Work, {}, &Origin::Work);
    if (Events.DurationNs[Link->Launch] > SlowCallNs)
      continue;
    ++(Ns < LongNs ? Late.Short : Late.Long);
    (Ns < LongNs ? Late.ShortNs : Late.LongNs) += Ns;
    if (Ns > Late.LongestNs) {
      Late.LongestNs = Ns;
      Late.Longest = Gap.Work;
    }
  }
  return Late;
}

} // namespace seamscope::tools
