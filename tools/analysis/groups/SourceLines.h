//===- SourceLines.h - the time of each line of compiled code --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SOURCELINES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SOURCELINES_H

#include "analysis/core/LoopTree.h"
#include "analysis/groups/GroupBy.h"

namespace seamscope::tools {

/// Splits the time of kernels by source lines: that of a loop without the loops in it is that of
/// the line at which it begins, what a kernel or region does beside its loops that of its own line,
/// and waiting that of the construct. All rows add up to the time of the outermost calls on each
/// thread.
/// \p Tree: loopTree() of the same trace, of all kernels.
Grouping groupByLine(const Trace &Input, const LoopTree &Tree);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SOURCELINES_H
