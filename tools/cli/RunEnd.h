//===- RunEnd.h - work after the program's end ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_RUNEND_H
#define SEAMSCOPE_TOOLS_CLI_RUNEND_H

#include "cli/RunEnvironment.h"
#include "run/folder/RunFolder.h"
#include "run/launch/Launch.h"

#include <string>

namespace seamscope::tools {

/// Where a run writes to.
struct RunOutput {
  std::string Trace;  ///< the program's own
  std::string Folder; ///< empty: the trace alone was asked for
};

/// How a run of the program ended.
struct RunEnd {
  Ended How;
  bool SpoolsStay = false; ///< the trace of a process could not be written
};

/// Writes the traces of processes that left their spools, and completes the run's folder, if there
/// is one. Returns whether spools stay. \p HadTemporaryCache: the cache of Inductor is removed.
bool completeRun(const RunOutput &To, RunManifest &Manifest, const Ended &How,
                 bool HadTemporaryCache);

/// Says where the trace is, or why there is none, and prints the report if asked to. Returns the
/// exit status.
int finishRun(const RunOptions &Options, const RunOutput &To, const RunManifest &Manifest,
              const RunEnd &End);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_RUNEND_H
