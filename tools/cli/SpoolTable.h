//===- SpoolTable.h - the spools that are there, for people -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_SPOOLTABLE_H
#define SEAMSCOPE_TOOLS_CLI_SPOOLTABLE_H

#include "trace/spool/SpoolFile.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// "running", "killed", "exited" (without writing its trace), or "unreadable".
const char *stateOf(const SpoolSummary &Spool);

/// A line for each spool, under a heading.
std::string spoolTable(const std::vector<SpoolSummary> &Spools, bool Colours);

/// Whether \p Text is the number of a process and not a path.
bool isProcessId(const std::string &Text);

/// This user's spools of the process \p Pid, newest first: numbers of processes are used again.
std::vector<std::string> spoolsOfProcess(const std::string &Pid);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_SPOOLTABLE_H
