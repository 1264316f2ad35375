//===- KernelRuns.h - kernels that one kernel could replace ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_KERNELRUNS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_KERNELRUNS_H

#include "analysis/groups/SavingBounds.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// Consecutive kernels on a stream that one fused kernel could replace.
struct KernelRuns {
  uint64_t Runs = 0, Kernels = 0;
  int64_t Ns = 0;
  int64_t SavedNs = 0;           ///< if each run took as long as its longest kernel
  std::vector<uint32_t> Example; ///< the run with the largest saving
  int64_t ExampleNs = -1;        ///< that
};

/// Finds in \p Work, which is in order on each stream, runs of events for which \p Belongs is true
/// and which contain one for which \p Needed is true.
KernelRuns runsOf(const Trace &Source, const std::vector<uint32_t> &Work, const WorkFilter &Belongs,
                  const WorkFilter &Needed);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELRUNS_H
