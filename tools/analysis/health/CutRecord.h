//===- CutRecord.h - what was found in a whole trace, for a part of it ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part cannot be judged by itself: a launch whose kernel ran later has none in
// the part. What judge() found in the whole goes along with the part.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_HEALTH_CUTRECORD_H
#define SEAMSCOPE_TOOLS_ANALYSIS_HEALTH_CUTRECORD_H

#include "trace/model/Trace.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// The sites by which checks and producers are recognised, whether or not a part has events of
/// them. For a trace that was not judged yet.
std::vector<Site> decidingSites(const Trace &Read);

/// What was found in the trace of which \p Part is left. \p Sites gets the sites that the
/// part needs and has no events of.
TraceCut recordOfCut(const Trace &Part, std::vector<Site> &Sites);

/// Gives a trace that was read, and has TraceInfo::Cut, what was found in the whole.
void recallCut(Trace &Read);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_HEALTH_CUTRECORD_H
