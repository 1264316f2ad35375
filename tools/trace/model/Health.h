//===- Health.h - what is wrong with a trace ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks (analysis/health) fill this; analyses use it to see which claims still
// hold.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_HEALTH_H
#define SEAMSCOPE_TOOLS_TRACE_HEALTH_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What can be wrong. The list is complete: its names are part of the JSON.
enum class HealthCheck : uint8_t {
  UnreadableEvents,
  UnknownCategories,
  ImpossibleTimes,
  OverlappingWork,
  WorkBeforeLaunch,
  AmbiguousLaunches,
  LaunchesWithoutWork,
  StepsWithoutWork,
  ClocksApart,
  Compilation,
  Initialisation,
  BusyMachine,
  FailedRun,
};

constexpr const char *nameOf(HealthCheck Check) {
  constexpr const char *Names[] = {
      "unreadable-events",  "unknown-categories", "impossible-times",      "overlapping-work",
      "work-before-launch", "ambiguous-launches", "launches-without-work", "steps-without-work",
      "clocks-apart",       "compilation",        "initialisation",        "busy-machine",
      "failed-run"};
  return Names[static_cast<size_t>(Check)];
}

/// An event that a check found. It may no longer be in the trace.
struct HealthExample {
  std::string Name; ///< or the reason why it could not be read
  std::optional<int64_t> BeginNs, DurationNs;
  std::optional<uint64_t> Offset; ///< in the file; nothing: the event could be read
};

/// What a check found.
struct HealthFinding {
  HealthCheck Check;
  uint64_t Count = 0;                ///< of events
  int64_t Ns = 0;                    ///< time concerned
  std::vector<HealthExample> Events; ///< the first of them
  std::string Consequence;           ///< a sentence for the user: what was found, what follows
};

/// Most events that a finding names.
constexpr size_t HealthExamples = 5;

/// All that was found.
struct TraceHealth {
  std::vector<HealthFinding> Found;   ///< in the order of HealthCheck
  std::vector<int32_t> SkewedDevices; ///< devices whose clocks disagree with the host's

  const HealthFinding *find(HealthCheck Check) const {
    const auto It = std::ranges::find(Found, Check, &HealthFinding::Check);
    return It == Found.end() ? nullptr : &*It;
  }
  bool isSkewed(int32_t Device) const {
    return std::ranges::find(SkewedDevices, Device) != SkewedDevices.end();
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_HEALTH_H
