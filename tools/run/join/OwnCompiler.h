//===- OwnCompiler.h - a run beside one as torch alone would have it -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_OWNCOMPILER_H
#define SEAMSCOPE_TOOLS_RUN_OWNCOMPILER_H

#include "analysis/compare/PairedTimes.h"
#include "trace/io/Error.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace seamscope::tools {

/// Where `seamscope run --own-compiler` keeps the run with torch's own choice of compiler.
std::string ownCompilerIn(const std::string &Folder);

/// Steady steps of a run and of the one with torch's own choice of compiler and OpenMP runtime.
struct OwnCompiler {
  PairedTimes Steps;    ///< that both runs have, at least 1: there, and here
  int64_t MedianNs = 0; ///< of a step here
  int64_t OwnNs = 0;    ///< of a step there

  /// Eager over compiled time there, where it is \p Here in this run; nothing for less than 3
  /// steps. The two ratios are taken for independent.
  std::optional<RatioEstimate> speedup(const RatioEstimate &Here) const;

  /// Whether a step takes another time there, by more than its interval and than is worth a word.
  bool matters() const;

  /// A sentence for people. \p Speedup: eager over compiled time here, if there is an eager run.
  std::string text(const std::optional<RatioEstimate> &Speedup) const;
};

/// Nothing where \p Folder holds no such run, or no steady step is in both. Fails when its trace
/// cannot be read.
Result<std::optional<OwnCompiler>>
compareOwnCompiler(const std::string &Folder, const Trace &Source, const ReadOptions &Options);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_OWNCOMPILER_H
