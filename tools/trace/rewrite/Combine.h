//===- Combine.h - several traces as one ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COMBINE_H
#define SEAMSCOPE_TOOLS_TRACE_COMBINE_H

#include "trace/rewrite/CombinePlan.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// What was found in the inputs of a common trace, and how they are kept apart in it.
struct Combination {
  std::vector<TraceSurvey> Surveys; ///< by input
  CombinePlan Plan;
};

/// Writes the traces \p Paths as one to \p Out, whole or not at all. Fails when one of them cannot
/// be read to its end or holds sums of mode profile. \p Correct may change the plan's times.
Result<Combination> combineTraces(const std::vector<std::string> &Paths,
                                  const CombineOptions &Options, const std::string &Out,
                                  const CorrectTimes &Correct = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COMBINE_H
