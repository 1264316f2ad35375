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

/// Kernels one after the other on a stream, which one fused kernel could do.
struct KernelRuns {
  uint64_t Runs = 0, Kernels = 0;
  int64_t Ns = 0;
  int64_t SavedNs = 0;           ///< if each run took as long as its longest kernel
  std::vector<uint32_t> Example; ///< the run of which most would be saved
  int64_t ExampleNs = -1;        ///< that
};

/// Of \p Work, in order on each stream, the runs of what \p Belongs to them and of which some
/// kernel is one that \p Needed is true of.
KernelRuns runsOf(const Trace &Source, const std::vector<uint32_t> &Work, const WorkFilter &Belongs,
                  const WorkFilter &Needed);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELRUNS_H
