//===- Team.h - the threads that work on a kernel ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_TEAM_H
#define SEAMSCOPE_TOOLS_ANALYSIS_TEAM_H

#include "analysis/core/Statistics.h"

#include <cstddef>
#include <optional>

namespace seamscope::tools {

/// The threads that worked on a kernel's parallel regions.
struct Team {
  size_t Threads = 1;              ///< 1 also for a kernel without such regions
  std::optional<double> Imbalance; ///< largest over mean busy time, of all regions together
};

Team teamOf(const KernelRow &Kernel);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_TEAM_H
