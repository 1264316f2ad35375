//===- Unreadable.cpp - events that could not be read --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {

void checkReading(Trace &Source) {
  const TraceInfo &Info = Source.Info;
  if (!Info.SkippedEvents && !Info.Damage)
    return;
  HealthFinding &Found = Source.Health.Found.emplace_back();
  Found.Check = HealthCheck::UnreadableEvents;
  Found.Count = Info.SkippedEvents;
  for (size_t I = 0; I < std::min(Info.Skipped.size(), HealthExamples); ++I)
    Found.Events.push_back(
        {Info.Skipped[I].Reason, std::nullopt, std::nullopt, Info.Skipped[I].Offset});
  if (Info.SkippedEvents)
    Found.Consequence =
        fmt::format("{} could not be read and {} in no figure",
                    counted(Info.SkippedEvents, "event"), Info.SkippedEvents == 1 ? "is" : "are");
  if (Info.Damage)
    Found.Consequence +=
        fmt::format("{}the file is not whole ({}): figures cover what precedes the break",
                    Found.Consequence.empty() ? "" : "; ", Info.Damage->Reason);
}

} // namespace seamscope::tools
