//===- KernelRuns.cpp - kernels that one kernel could replace --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/KernelRuns.h"

#include <algorithm>

namespace seamscope::tools {

KernelRuns runsOf(const Trace &Source, const std::vector<uint32_t> &Work, const WorkFilter &Belongs,
                  const WorkFilter &Needed) {
  const EventColumns &Events = Source.Events;
  KernelRuns Found;
  std::vector<uint32_t> Run;
  int64_t RunNs = 0, LongestNs = 0;
  bool Has = false;
  TrackId Where = 0;
  const auto Close = [&] {
    if (Run.size() > 1 && Has) {
      ++Found.Runs;
      Found.Kernels += Run.size();
      Found.Ns += RunNs;
      Found.SavedNs += RunNs - LongestNs;
      if (RunNs - LongestNs > Found.ExampleNs) {
        Found.ExampleNs = RunNs - LongestNs;
        Found.Example = Run;
      }
    }
    Run.clear();
    RunNs = LongestNs = 0;
    Has = false;
  };
  for (const uint32_t I : Work) {
    if (!Run.empty() && (Events.Track[I] != Where || !Belongs(I)))
      Close();
    Where = Events.Track[I];
    if (!Belongs(I))
      continue;
    Run.push_back(I);
    RunNs += Events.DurationNs[I];
    LongestNs = std::max(LongestNs, Events.DurationNs[I]);
    Has |= Needed(I);
  }
  Close();
  return Found;
}

} // namespace seamscope::tools
