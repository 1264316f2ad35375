//===- Sources.h - traces that a tool has merged into one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SOURCES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SOURCES_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Keeps apart the numbers of traces that a tool has merged, and told apart by what it wrote before
/// or behind each process ("[TP00] 4711", "rank0_4711"): correlations, flows and the like count in
/// each from the start, and so do devices.
void separateSources(Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SOURCES_H
