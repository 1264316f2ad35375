//===- Clocks.cpp - processes whose clocks are hours or days apart -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/health/Stretches.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {

std::vector<Stretch> stretchesOf(const Trace &Source, const std::vector<bool> &Counts) {
  const EventColumns &Events = Source.Events;
  Stretch Whole{INT64_MAX, INT64_MIN, INT64_MIN, 0};
  for (size_t I = 0; I < Events.size(); ++I) {
    if (!Counts[I])
      continue;
    Whole.BeginNs = std::min(Whole.BeginNs, Events.BeginNs[I]);
    Whole.LastBeginNs = std::max(Whole.LastBeginNs, Events.BeginNs[I]);
    Whole.EndNs = std::max(Whole.EndNs, Events.endNs(I));
    ++Whole.Events;
  }
  if (!Whole.Events || Whole.EndNs - Whole.BeginNs <= FarNs)
    return {Whole};
  std::vector<std::pair<int64_t, int64_t>> Times;
  for (size_t I = 0; I < Events.size(); ++I)
    if (Counts[I])
      Times.emplace_back(Events.BeginNs[I], Events.endNs(I));
  std::ranges::sort(Times);
  std::vector<Stretch> All;
  for (const auto &[Begin, End] : Times) {
    if (All.empty() || Begin - All.back().EndNs > FarNs)
      All.push_back({Begin, End, Begin, 0});
    All.back().EndNs = std::max(All.back().EndNs, End);
    All.back().LastBeginNs = Begin;
    ++All.back().Events;
  }
  // A program that sleeps for hours between short runs is one recording all the same.
  int64_t LongestNs = 0;
  for (const Stretch &Each : All)
    LongestNs = std::max(LongestNs, Each.EndNs - Each.BeginNs);
  for (size_t I = 1; I < All.size(); ++I)
    if ((All[I].BeginNs - All[I - 1].EndNs) / 10 < LongestNs)
      return {Whole};
  return All;
}

const Stretch &mainStretch(const std::vector<Stretch> &All) {
  return *std::ranges::max_element(All, {}, &Stretch::Events);
}

bool ownProcesses(const Trace &Source, const std::vector<Stretch> &All, const Stretch &Of) {
  std::map<StringId, std::pair<size_t, size_t>> Counts; // by process: in it, elsewhere
  for (size_t I = 0; I < Source.Events.size(); ++I) {
    const Site &What = Source.Sites[Source.Events.Site[I]];
    if (isDeviceWork(What.Kind, What.Device))
      continue;
    auto &[Inside, Elsewhere] = Counts[Source.Tracks[Source.Events.Track[I]].Process];
    const int64_t Begin = Source.Events.BeginNs[I];
    if (Of.holds(Begin))
      ++Inside;
    else if (std::ranges::any_of(All, [&](const Stretch &Each) { return Each.holds(Begin); }))
      ++Elsewhere;
  }
  return std::ranges::any_of(
      Counts, [](const auto &Each) { return Each.second.first > 1 && !Each.second.second; });
}

/// Times of such processes do not compare. They are moved so that all begin together, as `combine
/// --align start` does: then each process is what it was, and shares of the window mean something.
void checkClocks(Trace &Source) {
  const std::vector<Stretch> All =
      stretchesOf(Source, std::vector<bool>(Source.Events.size(), true));
  if (All.size() < 2)
    return;
  const Stretch &Main = mainStretch(All);
  EventColumns &Events = Source.Events;
  std::vector<uint32_t> Moved;
  int64_t FarthestNs = 0;
  for (const Stretch &Each : All) {
    if (&Each == &Main)
      continue;
    FarthestNs = std::max({FarthestNs, Main.BeginNs - Each.EndNs, Each.BeginNs - Main.EndNs});
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (Each.holds(Events.BeginNs[I]))
        Moved.push_back(I);
  }
  addFinding(Source, HealthCheck::ClocksApart, Moved, FarthestNs,
             fmt::format("{} of some processes lie up to {} from those of others: their clocks do "
                         "not compare; all processes are shown as if they began together",
                         counted(Moved.size(), "event"), timeText(FarthestNs)));
  for (const Stretch &Each : All) {
    if (&Each == &Main)
      continue;
    const int64_t Shift = Main.BeginNs - Each.BeginNs;
    const auto Move = [&](int64_t &Ns) {
      if (Each.BeginNs <= Ns && Ns <= Each.EndNs)
        Ns += Shift;
    };
    // A moved event lies in the main stretch, which no other overlaps.
    std::ranges::for_each(Events.BeginNs, Move);
    for (FlowEnd &End : Source.Details.Flows)
      Move(End.Ns);
    for (MemoryChange &Change : Source.Details.Memory)
      Move(Change.Ns);
    for (OtherEvent &Other : Source.Details.Others)
      Move(Other.Ns);
    for (ThrottledCalls &Calls : Source.Throttled)
      Move(Calls.SinceNs);
  }
}

} // namespace seamscope::tools
