//===- TeamAdvice.h - threads of parallel regions that wait for each other -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_TEAMADVICE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_TEAMADVICE_H

#include "analysis/core/LoopTree.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// A region in which the same thread has more work than the others in most calls ("imbalance"), or
/// whose threads wait for each other at a critical section or a lock ("contention").
struct TeamFinding {
  const char *Kind;
  std::string Evidence;
  const char *Remedy;
  int64_t SavingNs; ///< per thread: what equal work, or no turns, would save the waiting threads
};

/// \p Tree shows in which loop the work is uneven; null: not known. \p Processors: available to the
/// program; 0: not known.
std::vector<TeamFinding> teamFindings(const Statistics &Numbers, const Trace &Source,
                                      const LoopTree *Tree, unsigned Processors);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAMADVICE_H
