//===- AttributionPlan.h - what compiled graphs run, and what for --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_ATTRIBUTIONPLAN_H
#define SEAMSCOPE_TOOLS_RUN_ATTRIBUTIONPLAN_H

#include "analysis/compare/Attribution.h"
#include "run/join/TorchRun.h"

#include <vector>

namespace seamscope::tools {

/// One plan for each graph of the log, in its order; graphs of other processes than the trace's are
/// empty. After them, one without calls for each captured graph that computes nothing.
///
/// A node of the captured graph that several calls work on is owned by one of them: the library's
/// or the template's if there is one, else the first that completes it. (A cheap node is computed
/// again wherever it is needed.)
std::vector<PlannedGraph> planGraphs(const TorchRun &Run, const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_ATTRIBUTIONPLAN_H
