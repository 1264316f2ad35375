//===- Launch.h - starts the program of a run ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_LAUNCH_H
#define SEAMSCOPE_TOOLS_RUN_LAUNCH_H

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace seamscope::tools {

/// How a program began and ended.
struct Ended {
  pid_t Child = 0;
  int Why = 0;        ///< errno of the failure to start; 0: it started
  int Status = 0;     ///< as from waitpid
  uint64_t EndNs = 0; ///< when its end was noticed, by CLOCK_MONOTONIC
  // For the program and the processes that it waited for.
  int64_t CpuNs = 0;      ///< processor time
  uint64_t Preempted = 0; ///< involuntary context switches
};

/// Starts \p Command with the current environment, forwards signals of other processes to it, and
/// waits for its end. With a file \p Output, its output goes there and its input is empty; else
/// both are the caller's.
Ended launch(const std::vector<std::string> &Command, const std::string &Output = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_LAUNCH_H
