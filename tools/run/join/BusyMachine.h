//===- BusyMachine.h - what other work on the machine did to a run ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_BUSYMACHINE_H
#define SEAMSCOPE_TOOLS_RUN_BUSYMACHINE_H

#include "run/folder/StepLog.h"
#include "trace/model/Health.h"

#include <optional>
#include <span>

namespace seamscope::tools {

/// The steps of one run.
struct NamedLog {
  const char *Run; ///< "this run"
  const StepLog *Log;
};

/// Where the steps of any of the runs lost the processor to other work. That of all of them did is
/// no reason to say less: then no time of theirs is the program's alone.
std::optional<HealthFinding> busyMachine(std::span<const NamedLog> Logs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_BUSYMACHINE_H
