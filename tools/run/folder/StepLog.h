//===- StepLog.h - time and page faults of each step of a run --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DIR/steps.bin, which torch/start/steplog.py writes: for each outermost call
// of a compiled function its time, and the page faults and context switches of
// the process meanwhile. Recorded and unrecorded runs write it in the same way,
// so they can be compared. docs/formats.md has its layout.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_STEPLOG_H
#define SEAMSCOPE_TOOLS_RUN_STEPLOG_H

#include "trace/io/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

struct LoggedStep {
  uint32_t Name = 0;       ///< index of StepLog::Names
  bool Compiles = false;   ///< something was compiled meanwhile
  bool Recorded = false;   ///< the run was recording when it began
  int64_t Ns = 0;          ///< by CLOCK_MONOTONIC
  uint64_t PageFaults = 0; ///< without I/O, of all threads, as getrusage counts them
  uint32_t Waits = 0;      ///< voluntary context switches
  uint32_t Preempted = 0;  ///< involuntary ones
  int64_t BeginNs = 0;     ///< by the same clock
  uint32_t Kind = 0;       ///< the same for calls with inputs of the same shapes and types
};

struct StepLog {
  std::vector<std::string> Names;
  std::vector<LoggedStep> Steps; ///< in the order in which they ended
  uint64_t LeftOut = 0;          ///< steps for which there was no room
};

std::string stepLogIn(const std::string &Folder);

/// Nothing if the run left no log; fails if it is damaged.
Result<std::optional<StepLog>> readStepLog(const std::string &Folder);

/// Cuts off the room for further steps, after the program has ended.
void trimStepLog(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_STEPLOG_H
