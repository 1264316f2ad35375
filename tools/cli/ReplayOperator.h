//===- ReplayOperator.h - what torch runs alone -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_REPLAYOPERATOR_H
#define SEAMSCOPE_TOOLS_CLI_REPLAYOPERATOR_H

#include "run/replay/CallLog.h"
#include "run/replay/ReplayResult.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// What is measured, and how.
struct OperatorReplay {
  std::string Operator; ///< "aten::addmm"; of a kernel of Triton its name
  std::string Run;      ///< folder of the run
  std::string Folder;   ///< where the program is written
  std::string Python;   ///< with torch; empty: the run's
  unsigned Threads = 0; ///< 0: torch's choice
  double Seconds = 2;
};

/// Whether \p Traces have calls of \p Operator.
bool callsOperator(const std::vector<Trace> &Traces, const std::string &Operator);

/// Runs the operator alone, with the inputs on which \p Traces spent most time in it.
Result<Replayed> replayOperator(const OperatorReplay &Wanted, const std::vector<Trace> &Traces);

/// Runs a kernel of Triton alone, on the device of the program.
Result<Replayed> replayTriton(const OperatorReplay &Wanted, const KernelCall &Call,
                              const std::vector<Trace> &Traces);

/// Writes the program to \p Folder, with \p Call as call.json. Nothing, or why not.
std::optional<Error> writeMeasure(const std::string &Folder, const std::string &Call);

/// The words that start it there, with the Python and the OpenMP of the run. \p Python: instead.
std::vector<std::string> measureCommand(const std::string &Run, const std::string &Python);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_REPLAYOPERATOR_H
