//===- Sources.h - traces that a tool has merged into one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SOURCES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SOURCES_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Keeps the numbers of merged traces apart. The merging tool marked them before or after each
/// process name ("[TP00] 4711", "rank0_4711"). Correlations, flows, devices and the like count from
/// the start in each.
void separateSources(Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SOURCES_H
