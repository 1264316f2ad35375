//===- BusyMachine.h - disturbance by other work on the machine -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_BUSYMACHINE_H
#define SEAMSCOPE_TOOLS_RUN_BUSYMACHINE_H

#include "run/folder/HostLoad.h"
#include "run/folder/StepLog.h"
#include "trace/model/Health.h"

#include <optional>
#include <span>
#include <string>

namespace seamscope::tools {

/// What is known of one run.
struct NamedRun {
  std::string Run;              ///< "this run"
  const StepLog *Log = nullptr; ///< its steps; null: none
  std::optional<HostLoad> Host; ///< of the whole run
};

/// Finds runs that had less than the machine's processors: their steps, or the whole of a run
/// without steps, lost them to other programs, a hypervisor, a quota or heat. Also reported if all
/// runs lost them equally: then no time measures the program alone.
std::optional<HealthFinding> busyMachine(std::span<const NamedRun> Runs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_BUSYMACHINE_H
