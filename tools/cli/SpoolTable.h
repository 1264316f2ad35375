//===- SpoolTable.h - existing spools, as a document --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_SPOOLTABLE_H
#define SEAMSCOPE_TOOLS_CLI_SPOOLTABLE_H

#include "report/model/Document.h"
#include "trace/spool/SpoolFile.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// "running", "killed", "exited" (without writing its trace), or "unreadable".
std::string_view stateOf(const SpoolSummary &Spool);

/// `seamscope.spools/1`: a row for each.
Document spoolsDocument(std::vector<SpoolSummary> Spools);

/// Whether \p Text is the number of a process and not a path.
bool isProcessId(const std::string &Text);

/// This user's spools of process \p Pid, newest first: process ids are reused.
std::vector<std::string> spoolsOfProcess(const std::string &Pid);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_SPOOLTABLE_H
