//===- Combine.h - several traces as one ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINE_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINE_H

#include "trace/CombinePlan.h"
#include "trace/ReadOptions.h"
#include "trace/Trace.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// What was found in the inputs of a common trace, and how they are kept apart in it.
struct Combination {
  std::vector<TraceSurvey> Surveys; ///< by input
  CombinePlan Plan;
};

/// Writes the traces \p Paths as one to \p Out, whole or not at all. Fails when one of them cannot
/// be read to its end or holds sums of mode profile.
Result<Combination> combineTraces(const std::vector<std::string> &Paths,
                                  const CombineOptions &Options, const std::string &Out);

/// Several traces, read as one.
struct JoinedTrace {
  Trace Whole;
  Combination Inputs;
};

/// The same, read in place of written: the common trace lies in a file in TMPDIR meanwhile.
Result<JoinedTrace> readTogether(const std::vector<std::string> &Paths, const ReadOptions &Keep);

/// The rank that a trace tells before its events, where Seamscope writes it; nothing where it tells
/// none or cannot be read.
std::optional<int64_t> rankOfTrace(const std::string &Path);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINE_H
