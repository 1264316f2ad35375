//===- WaitAdvice.h - threads that sleep while others work ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GROUPS_WAITADVICE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GROUPS_WAITADVICE_H

#include "analysis/groups/Advice.h"
#include "analysis/samples/CodeNames.h"

#include <vector>

namespace seamscope::tools {

/// Threads that run kernels and are blocked at one place for a large part of the window, outside of
/// OpenMP, while other threads run, but fewer than there are processors. \p Processors: 0: not
/// known, then as many as threads. \p Names: of the trace's samples and waits.
std::vector<Advice> adviseOnWaits(const Trace &Input, const CodeNames &Names, int64_t WindowNs,
                                  unsigned Processors);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GROUPS_WAITADVICE_H
