//===- OwnCompiler.h - a run beside one as torch alone would have it -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_OWNCOMPILER_H
#define SEAMSCOPE_TOOLS_RUN_OWNCOMPILER_H

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
  size_t Steps = 0;     ///< that both runs have; at least 1
  int64_t MedianNs = 0; ///< of a step here
  int64_t OwnNs = 0;    ///< of a step there

  /// How much longer a step takes here: 0.1 is a tenth.
  double difference() const;
  /// A sentence for people. \p EagerNs: the median step of the eager run; 0: there is none.
  std::string text(int64_t EagerNs = 0) const;
};

/// From which difference on it is worth a word: less is what two runs of one program differ by.
constexpr double OwnCompilerMatters = 0.05;

/// Nothing where \p Folder holds no such run, or no steady step is in both. Fails when its trace
/// cannot be read.
Result<std::optional<OwnCompiler>>
compareOwnCompiler(const std::string &Folder, const Trace &Source, const ReadOptions &Options);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_OWNCOMPILER_H
