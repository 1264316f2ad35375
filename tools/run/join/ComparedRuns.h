//===- ComparedRuns.h - the runs in a folder, compared --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_COMPAREDRUNS_H
#define SEAMSCOPE_TOOLS_RUN_COMPAREDRUNS_H

#include "analysis/compare/Attribution.h"
#include "run/folder/RunFolder.h"
#include "run/join/TorchRun.h"
#include "trace/model/ReadOptions.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The compiled and the eager runs of a folder, pair by pair.
struct ComparedRuns {
  /// All pairs: steps in the order of the pairs, calls numbered as in the first compiled run.
  Attribution All;
  size_t Pairs = 0;
  bool ForwardOnly = false;       ///< the program trains, and its steps contain no backward pass
  RunTools Tools;                 ///< of the compiled run
  std::vector<std::string> Notes; ///< sentences on what could not be compared
};

/// How the traces of a folder are read: a comparison does not know file formats.
struct TraceAccess {
  std::function<Result<Trace>(const std::string &Path, const ReadOptions &Keep)> Read;
  /// The rank that a trace has; nothing: none.
  std::function<std::optional<int64_t>(const std::string &Path)> RankOf;
};

/// Compares the runs in \p Folder, of which \p Source and \p Torch are the first compiled one.
/// Nothing if there is no eager run. Fails if a trace cannot be read.
Result<std::optional<ComparedRuns>> compareRuns(const std::string &Folder, const Trace &Source,
                                                const TorchRun &Torch, const TraceAccess &Traces,
                                                const ReadOptions &Options);

/// The time of one kernel's calls in the compared steps, and that of the operators that they
/// replaced.
CallTimes timesOf(const Attribution &All, const TorchRun &Torch, const GeneratedKernel &Kernel);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_COMPAREDRUNS_H
