//===- CallerTimes.cpp - what callers take between their calls ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/CallerTimes.h"

#include "analysis/core/HostNesting.h"

#include <algorithm>
#include <limits>

namespace seamscope::tools {

/// Whether a hook records the calls of a site.
static bool isHooked(const Site &What) {
  return What.Device < 0 && (What.Kind == SiteKind::Kernel || What.Kind == SiteKind::Region ||
                             What.Kind == SiteKind::Loop || What.Kind == SiteKind::Launch ||
                             What.Kind == SiteKind::TeamWait || What.Kind == SiteKind::Task);
}

CallerTimes::CallerTimes(const Trace &Input, const std::function<bool(SiteId)> &IsEntered)
    : Input(Input), FirstSinceNs(Input.Tracks.size(), std::numeric_limits<int64_t>::min()) {
  if (Input.Throttled.empty() || !(Input.Info.CallCostNs > 0))
    return; // not known what recording took
  for (const ThrottledCalls &Of : Input.Throttled)
    if (int64_t &Since = FirstSinceNs[Of.Track];
        Since == std::numeric_limits<int64_t>::min() || Of.SinceNs < Since)
      Since = Of.SinceNs;
  std::vector<bool> IsOther;
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    IsOther.push_back(isHooked(Input.Sites[Id]) && !IsEntered(Id));
  const EventColumns &Events = Input.Events;
  for (size_t I = 0; I < Events.size(); ++I)
    if (IsOther[Events.Site[I]] && Events.BeginNs[I] < FirstSinceNs[Events.Track[I]])
      Others[Events.Track[I]].push_back(Events.BeginNs[I]);
  for (auto &[Thread, Begins] : Others)
    std::ranges::sort(Begins);
}

void CallerTimes::enter(uint32_t Event, size_t Depth, uint32_t Caller) {
  const EventColumns &Events = Input.Events;
  if (Events.Track[Event] != Track)
    Last.clear();
  Track = Events.Track[Event];
  // A call further in belongs to a caller that has ended.
  const uint32_t Before = Last.size() > Depth ? Last[Depth] : NoEvent;
  Last.resize(Depth, NoEvent);
  Last.push_back(Event);
  if (Before == NoEvent || Events.BeginNs[Event] >= FirstSinceNs[Track])
    return;
  const int64_t From = Events.endNs(Before), To = Events.BeginNs[Event];
  double Recorded = 1;
  if (const auto Found = Others.find(Track); Found != Others.end())
    Recorded += static_cast<double>(std::ranges::lower_bound(Found->second, To) -
                                    std::ranges::lower_bound(Found->second, From));
  Between &Its = OfCaller[Caller];
  Its.RawNs += static_cast<double>(To - From);
  Its.Ns.push_back(static_cast<double>(To - From + Input.Info.StampBiasNs) -
                   Recorded * Input.Info.CallCostNs);
}

Room CallerTimes::room(uint32_t Caller, double HasNs, double EstimateNs, double Calls) const {
  double OwnNs = 0;
  if (const auto Found = OfCaller.find(Caller); Found != OfCaller.end()) {
    const Between &Its = Found->second;
    const double Most = outlierLimit(Its.Ns);
    DurationSample Usual;
    for (const double Ns : Its.Ns)
      Usual.add(std::min(Ns, Most));
    OwnNs = Calls * Usual.mean();
    HasNs -= Its.RawNs;
  }
  HasNs = std::max(0.0, HasNs);
  Room Its;
  Its.MostNs = HasNs;
  if (EstimateNs > 0 && EstimateNs + OwnNs > HasNs) {
    Its.Part = HasNs / (EstimateNs + OwnNs);
    Its.Least = std::clamp((HasNs - OwnNs) / EstimateNs, 0.0, Its.Part);
  }
  return Its;
}

} // namespace seamscope::tools
