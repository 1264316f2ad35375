//===- Steps.cpp - steps of which no work of a device is there -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Order.h"
#include "analysis/torch/Steps.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {

void checkSteps(Trace &Source, const std::vector<Origin> &Links) {
  const EventColumns &Events = Source.Events;
  const bool AnyLaunch =
      std::ranges::any_of(Links, [](const Origin &Link) { return Link.Launch != NoEvent; });
  if (!AnyLaunch && Source.Details.Unserved.empty())
    return;
  // Steps of one process follow each other; those of ranks run at the same time.
  struct Seen {
    uint32_t Event;
    StringId Process;
    int64_t BeginNs, EndNs;
    bool Served = false, Used = false;
  };
  std::vector<Seen> Steps;
  for (const uint32_t I : markedSteps(Source))
    Steps.push_back(
        {I, Source.Tracks[Events.Track[I]].Process, Events.BeginNs[I], Events.endNs(I)});
  const auto Key = [](const Seen &Step) { return std::pair(Step.Process, Step.BeginNs); };
  std::ranges::sort(Steps, {}, Key);
  const auto Around = [&](uint32_t Event) -> Seen * {
    const StringId Process = Source.Tracks[Events.Track[Event]].Process;
    const int64_t Ns = Events.BeginNs[Event];
    const auto Next = std::ranges::upper_bound(Steps, std::pair(Process, Ns), {}, Key);
    if (Next == Steps.begin())
      return nullptr;
    Seen &Last = *std::prev(Next);
    return Last.Process == Process && Last.EndNs > Ns ? &Last : nullptr;
  };
  for (const Origin &Link : Links)
    if (Link.Launch != NoEvent)
      if (Seen *const Step = Around(Link.Launch))
        Step->Served = true;
  if (std::ranges::all_of(Steps, &Seen::Served))
    return;
  // A step in which nothing ran lacks nothing.
  for (uint32_t I = 0; I < Events.size(); ++I)
    if (const SiteKind Kind = Source.Sites[Events.Site[I]].Kind;
        Kind == SiteKind::Operator || Kind == SiteKind::Launch)
      if (Seen *const Step = Around(I))
        Step->Used = true;
  std::vector<uint32_t> Lacking;
  int64_t Ns = 0;
  for (const Seen &Step : Steps)
    if (Step.Used && !Step.Served) {
      Lacking.push_back(Step.Event);
      Ns += Step.EndNs - Step.BeginNs;
    }
  if (Lacking.empty())
    return;
  addFinding(Source, HealthCheck::StepsWithoutWork, Lacking, Ns,
             fmt::format("{} of {} steps {} no work of a device in the trace; what the device did "
                         "for {} is unknown",
                         Lacking.size(), Steps.size(), Lacking.size() == 1 ? "has" : "have",
                         Lacking.size() == 1 ? "it" : "them"));
}

} // namespace seamscope::tools
