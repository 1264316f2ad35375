//===- LaunchOrder.cpp - work that begins before it is launched ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {

void checkLaunchOrder(Trace &Source, const std::vector<Origin> &Links) {
  const EventColumns &Events = Source.Events;
  struct Counts {
    size_t Launched = 0, Early = 0;
  };
  std::map<int32_t, Counts> ByDevice;
  std::vector<uint32_t> Early;
  int64_t MostNs = 0;
  size_t Launched = 0;
  for (const Origin &Link : Links) {
    if (Link.Launch == NoEvent)
      continue;
    ++Launched;
    Counts &Of = ByDevice[Source.Sites[Events.Site[Link.Work]].Device];
    ++Of.Launched;
    if (!beginsBeforeLaunch(Events, Link))
      continue;
    ++Of.Early;
    Early.push_back(Link.Work);
    MostNs = std::max(MostNs, Events.BeginNs[Link.Launch] - Events.BeginNs[Link.Work]);
  }
  if (Early.empty())
    return;
  // Of fewer the rest of the split holds.
  constexpr size_t OneIn = 100;
  for (const auto &[Device, Of] : ByDevice)
    if (Of.Early * OneIn >= Of.Launched && Of.Early)
      Source.Health.SkewedDevices.push_back(Device);
  const bool Skewed = !Source.Health.SkewedDevices.empty();
  addFinding(Source, HealthCheck::WorkBeforeLaunch, Early, MostNs,
             fmt::format("{} of {} kernels and copies begin before their launch, by up to {}: the "
                         "clocks of host and device do not agree; {}",
                         Early.size(), Launched, timeText(MostNs),
                         Skewed ? "why the device is idle, and how long launches take, is unknown"
                                : "why the device is idle before these is unknown"));
}

} // namespace seamscope::tools
