//===- ReplayChange.h - a changed kernel next to it as it is ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_REPLAYCHANGE_H
#define SEAMSCOPE_TOOLS_CLI_REPLAYCHANGE_H

#include "run/replay/ReplayResult.h"

#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A change, and the programs that together do what the kernel does.
struct ReplayChange {
  ReplayVaried Row;
  /// Folder, and words of a command there.
  std::vector<std::pair<std::string, std::vector<std::string>>> Programs;
  unsigned Threads = 0; ///< 0: as in the program
};

/// Measures the \p Changes without a problem with hot caches, in turns with the program in \p
/// Folder, which has \p Threads. Their rows, or why that failed.
Result<std::vector<ReplayVaried>> measureChanges(const std::string &Folder,
                                                 std::vector<ReplayChange> Changes,
                                                 unsigned Threads, double Seconds);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_REPLAYCHANGE_H
