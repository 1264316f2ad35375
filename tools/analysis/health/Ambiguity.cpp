//===- Ambiguity.cpp - work of which it is not known who launched it ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Devices.h"
#include "analysis/health/Checks.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {

void checkAmbiguity(Trace &Source, const std::vector<Origin> &Links) {
  std::vector<uint32_t> Unlinked;
  for (const Origin &Link : Links)
    if (Link.Launch == NoEvent)
      Unlinked.push_back(Link.Work);
  if (Unlinked.empty())
    return;
  std::vector<int64_t> Launched;
  for (const Correlation &Of : Source.Correlations)
    if (Source.Sites[Source.Events.Site[Of.Event]].Kind == SiteKind::Launch)
      Launched.push_back(Of.Id);
  std::ranges::sort(Launched);
  std::vector<uint32_t> Ambiguous;
  int64_t Ns = 0;
  for (const Correlation &Of : Source.Correlations)
    if (std::ranges::binary_search(Unlinked, Of.Event) &&
        std::ranges::binary_search(Launched, Of.Id)) {
      Ambiguous.push_back(Of.Event);
      Ns += Source.Events.DurationNs[Of.Event];
    }
  if (!Ambiguous.empty())
    addFinding(
        Source, HealthCheck::AmbiguousLaunches, Ambiguous, Ns,
        fmt::format("{} of {} kernels and copies share their correlation with several launches, as "
                    "in merged traces of several processes; their launches are unknown",
                    Ambiguous.size(), Links.size()));
}

} // namespace seamscope::tools
