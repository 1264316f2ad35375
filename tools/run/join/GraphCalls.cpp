//===- GraphCalls.cpp - maps events to calls of compiled graphs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/GraphCalls.h"

#include "analysis/compare/GraphRuns.h"
#include "run/join/AttributionPlan.h"

#include <memory>

namespace seamscope::tools {

GraphCalls::GraphCalls(const TorchRun &Run, const Trace &Input) : Run(Run), Input(Input) {
  const std::vector<PlannedGraph> Graphs = planGraphs(Run, Input);
  const StepWork Work(Input, timeToCount(Input));
  const GraphRuns Runs(Input, Graphs, Work.tellsRegions());
  const auto *First = Run.Graphs.uses().data();
  for (TrackId Track = 0; Track < Input.Tracks.size(); ++Track) {
    const std::vector<WorkItem> Items = Work.onTrack(Track);
    for (const GraphRun &Found : Runs.find(Items))
      for (uint32_t I = Found.First; I < Found.End; ++I)
        if (const int32_t Call = Found.CallOf[I - Found.First]; Call >= 0)
          UseOf[Items[I].Event] =
              static_cast<uint32_t>(&Run.Graphs.usesIn(Found.Graph)[Call] - First);
  }
}

std::span<const uint32_t> GraphCalls::usesOf(uint32_t Event) const {
  if (const auto Found = UseOf.find(Event); Found != UseOf.end())
    return {&Found->second, 1};
  const GeneratedKernel *Kernel = Run.kernel(Input.Events.Site[Event]);
  return Kernel ? std::span<const uint32_t>(Kernel->Uses) : std::span<const uint32_t>();
}

KernelModules kernelModules(const TorchRun &Run, const Trace &Input) {
  return [&Run, Calls = std::make_shared<const GraphCalls>(Run, Input)](uint32_t Event) {
    std::vector<std::string> Paths;
    for (const uint32_t Number : Calls->usesOf(Event))
      for (const ModulePath &Each : Run.Graphs.uses()[Number].Modules)
        Paths.push_back(Each.Path);
    return Paths;
  };
}

} // namespace seamscope::tools
