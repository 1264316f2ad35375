//===- Times.cpp - events at times that cannot be ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Cut.h"
#include "analysis/core/Order.h"
#include "analysis/health/Stretches.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Those whose writer had no time to write: at 0, without a duration, while all others are later by
/// far more than they last.
std::vector<uint32_t> withoutTime(const Trace &Source) {
  const EventColumns &Events = Source.Events;
  const auto HasNone = [&](uint32_t I) { return !Events.BeginNs[I] && !Events.DurationNs[I]; };
  int64_t First = INT64_MAX, Last = INT64_MIN;
  bool Any = false;
  for (uint32_t I = 0; I < Events.size(); ++I) {
    if (HasNone(I)) {
      Any = true;
      continue;
    }
    First = std::min(First, Events.BeginNs[I]);
    Last = std::max(Last, Events.endNs(I));
  }
  constexpr int64_t LeastNs = 1'000'000'000;
  if (!Any || First == INT64_MAX || First < LeastNs || First / 10 < Last - First)
    return {};
  return eventsWhere(Source, HasNone);
}

/// Whether the writer's times have parts of a us: those of others round short work down to 0.
bool hasFineTimes(const Trace &Source) {
  return std::ranges::any_of(Source.Events.DurationNs, [](int64_t Ns) { return Ns % 1000; });
}

} // namespace

bool hasPlainTimes(const Trace &Source) {
  const std::optional<TimeRange> Whole = extentOf(Source);
  return !Whole || (std::ranges::min(Source.Events.DurationNs) > 0 &&
                    Whole->EndNs - Whole->BeginNs <= FarNs && !Source.Info.NegativeDurations);
}

void checkTimes(Trace &Source) {
  const EventColumns &Events = Source.Events;
  std::vector<uint32_t> Gone = withoutTime(Source);
  std::vector<bool> Stays(Events.size(), true);
  for (const uint32_t I : Gone)
    Stays[I] = false;
  const size_t AtZero = Gone.size();
  // Those that lie far from the rest, and are not all that their process has.
  const std::vector<Stretch> Stretches = stretchesOf(Source, Stays);
  int64_t FarthestNs = 0;
  if (Stretches.size() > 1) {
    const Stretch &Main = mainStretch(Stretches);
    for (const Stretch &Each : Stretches) {
      if (&Each == &Main || ownProcesses(Source, Stretches, Each))
        continue;
      FarthestNs = std::max({FarthestNs, Main.BeginNs - Each.EndNs, Each.BeginNs - Main.EndNs});
      for (uint32_t I = 0; I < Events.size(); ++I)
        if (Stays[I] && Each.holds(Events.BeginNs[I])) {
          Stays[I] = false;
          Gone.push_back(I);
        }
    }
  }
  std::vector<uint32_t> Empty;
  if (hasFineTimes(Source))
    Empty = eventsWhere(Source, [&](uint32_t I) {
      const Site &What = Source.Sites[Events.Site[I]];
      return Stays[I] && !Events.DurationNs[I] && What.Kind == SiteKind::Kernel && What.Device >= 0;
    });
  const uint64_t Negative = Source.Info.NegativeDurations;
  if (Gone.empty() && Empty.empty() && !Negative)
    return;
  std::string Why;
  const auto Add = [&](const std::string &Part) { Why += (Why.empty() ? "" : "; ") + Part; };
  if (AtZero)
    Add(fmt::format("{} at time 0 without a duration left out", counted(AtZero, "event")));
  if (const size_t Far = Gone.size() - AtZero)
    Add(fmt::format("{} left out, up to {} from the rest", counted(Far, "event"),
                    timeText(FarthestNs)));
  if (!Empty.empty())
    Add(fmt::format("{} of 0 ns: shares and percentiles of kernels are too low",
                    counted(Empty.size(), "kernel")));
  if (Negative)
    Add(fmt::format("{} with a negative duration taken to last 0 ns", counted(Negative, "event")));
  std::vector<uint32_t> All = Gone;
  All.insert(All.end(), Empty.begin(), Empty.end());
  int64_t Ns = 0;
  for (const uint32_t I : Gone)
    Ns += Events.DurationNs[I];
  addFinding(Source, HealthCheck::ImpossibleTimes, All, Ns, std::move(Why));
  Source.Health.Found.back().Count += Negative;
  if (!Gone.empty())
    keepEvents(Source, Stays);
}

} // namespace seamscope::tools
