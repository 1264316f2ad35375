//===- TeamOverhead.h - teams of threads that cost too much ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_TEAMOVERHEAD_H
#define SEAMSCOPE_TOOLS_RUN_TEAMOVERHEAD_H

#include "analysis/groups/Advice.h"
#include "run/join/ComparedRuns.h"
#include "run/join/TorchRun.h"

#include <vector>

namespace seamscope::tools {

struct TeamOverheadInput {
  const Trace *Source;
  const Statistics *Numbers;
  unsigned Processors = 0;                ///< available to the program; 0: unknown
  const TorchRun *Torch = nullptr;        ///< null: torch compiled nothing
  const ComparedRuns *Compared = nullptr; ///< null: shares are of the window
};

/// Teams with more threads than processors ("oversubscribed"), and regions that give a thread less
/// work than starting a team takes ("team-overhead"). Times are the calling thread's, so the saving
/// is a part of the kernel's own time.
std::vector<Advice> adviseOnTeams(const TeamOverheadInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_TEAMOVERHEAD_H
