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

/// A region in which the same thread has more work than others, call for call.
struct TeamFinding {
  std::string Evidence;
  const char *Remedy;
  int64_t SavingNs; ///< per thread, were the work equal: others waited that long
};

/// \p Tree tells in which loop the work is unequal; null: it is not known. \p Processors: that the
/// program could use; 0: not known.
std::vector<TeamFinding> teamFindings(const Statistics &Numbers, const Trace &Source,
                                      const LoopTree *Tree, unsigned Processors);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAMADVICE_H
