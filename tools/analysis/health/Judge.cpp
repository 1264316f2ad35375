//===- Judge.cpp - what is wrong with a trace, before any figure is made -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Judge.h"

#include "analysis/core/Sources.h"
#include "analysis/health/Checks.h"
#include "analysis/health/CutRecord.h"
#include "analysis/producers/Producers.h"
#include "analysis/samples/MessageWaits.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace seamscope::tools {

EventsFound sumUp(const Trace &Source, const std::vector<uint32_t> &Events) {
  EventsFound Found;
  for (const uint32_t I : Events) {
    Found.Ns += Source.Events.DurationNs[I];
    Found.Names.insert(Source.text(Source.Sites[Source.Events.Site[I]].Name));
  }
  return Found;
}

std::string counted(uint64_t Count, const char *What) {
  return fmt::format("{} {}{}", Count, What, Count == 1 ? "" : "s");
}

std::string timeText(int64_t Ns) {
  struct Step {
    double Ns;
    const char *Name;
  };
  static constexpr std::array<Step, 5> Units = {
      {{86400e9, "days"}, {3600e9, "hours"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  const auto Value = static_cast<double>(Ns);
  for (const Step &Unit : Units)
    if (Value >= Unit.Ns)
      return fmt::format("{:.1f} {}", Value / Unit.Ns, Unit.Name);
  return fmt::format("{} ns", Ns);
}

void addFinding(Trace &Source, HealthCheck Check, const std::vector<uint32_t> &Events, int64_t Ns,
                std::string Consequence) {
  HealthFinding &Found = Source.Health.Found.emplace_back();
  Found.Check = Check;
  Found.Count = Events.size();
  Found.Ns = Ns;
  Found.Consequence = std::move(Consequence);
  for (size_t I = 0; I < std::min(Events.size(), HealthExamples); ++I)
    Found.Events.push_back(
        {std::string(Source.text(Source.Sites[Source.Events.Site[Events[I]]].Name)),
         Source.Events.BeginNs[Events[I]], Source.Events.DurationNs[Events[I]], std::nullopt});
}

static void check(Trace &Source) {
  checkReading(Source);
  checkCategories(Source);
  // What is taken out, moved or clipped first: the others see the trace as reports do.
  if (!hasPlainTimes(Source)) {
    checkTimes(Source);
    checkClocks(Source);
  }
  checkOverlaps(Source);
  const std::vector<Origin> Links = linkLaunches(Source);
  checkLaunches(Source, Links);
  checkLaunchOrder(Source, Links);
  checkAmbiguity(Source, Links);
  checkSteps(Source, Links);
  checkCompilation(Source);
  checkInitialisation(Source, Links);
  std::ranges::stable_sort(Source.Health.Found, {}, &HealthFinding::Check);
}

void judge(Trace &Source) {
  separateSources(Source);
  recogniseProducers(Source);
  if (Source.Info.Cut)
    recallCut(Source);
  else
    check(Source);
  addMessageWaits(Source);
}

} // namespace seamscope::tools
