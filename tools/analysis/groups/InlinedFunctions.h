//===- InlinedFunctions.h - functions that are left as loops ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_INLINEDFUNCTIONS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_INLINEDFUNCTIONS_H

#include "analysis/core/LoopTree.h"

#include <set>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A function whose calls the optimiser inlined, by its loops and those of what was inlined into
/// it.
struct InlinedFunction {
  std::string Name;
  SiteId Place = 0;              ///< its first loop
  uint64_t Loops = 0;            ///< of the source, those that are in no other one of the function
  uint64_t Calls = 0;            ///< of these: they were entered so often
  int64_t TotalNs = 0;           ///< in these, of all threads
  std::set<std::string> Kernels; ///< that it was inlined into
};

/// Longest first. Their time is also that of the kernels; of a function within another one it is
/// that one's as well.
std::vector<InlinedFunction> inlinedFunctions(const Trace &Input, const LoopTree &Tree);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_INLINEDFUNCTIONS_H
