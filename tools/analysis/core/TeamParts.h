//===- TeamParts.h - what teams do for the calls that started them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that starts a team may sleep until the others are done: they work
// for its call, which runs on no thread then.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_TEAMPARTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_TEAMPARTS_H

#include "analysis/core/KernelRows.h"
#include "analysis/core/SelfTime.h"
#include "trace/model/Trace.h"

#include <vector>

namespace seamscope::tools {

/// Appends the threads' parts of regions, and the tasks and waits inside or behind them. A part's
/// row is that of the innermost kernel around the call that started its team; parts of which that
/// call or that kernel is not in the trace are left out.
void addTeamParts(const Trace &Input, const KernelRows &Rows, std::vector<Interval> &To);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_TEAMPARTS_H
