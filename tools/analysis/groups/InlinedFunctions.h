//===- InlinedFunctions.h - inlined functions, by their loops ---*- C++ -*-===//
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

/// A function whose calls the optimiser inlined, described by its loops and those of functions
/// inlined into it.
struct InlinedFunction {
  std::string Name;
  SiteId Place = 0;    ///< its first loop
  uint64_t Loops = 0;  ///< loops in the source that are not inside another one of the function
  uint64_t Calls = 0;  ///< how often these were entered
  int64_t TotalNs = 0; ///< time in these, over all threads
  std::set<std::string> Kernels; ///< kernels that it was inlined into
};

/// Longest first. Their time is also part of the kernels'; a function inside another one is part of
/// that one's time too.
std::vector<InlinedFunction> inlinedFunctions(const Trace &Input, const LoopTree &Tree);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_INLINEDFUNCTIONS_H
