//===- SourceLines.h - the time of each line of compiled code --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SOURCELINES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SOURCELINES_H

#include "analysis/core/LoopTree.h"
#include "analysis/groups/GroupBy.h"

#include <compare>
#include <map>

namespace seamscope::tools {

/// A line of one kernel's code. Zeros if the line is unknown.
struct KernelLine {
  SiteId Kernel = 0; ///< the first site of its row
  StringId File = 0;
  uint32_t Line = 0;

  auto operator<=>(const KernelLine &) const = default;
};

struct LineTime {
  uint64_t Calls = 0;
  int64_t TotalNs = 0;     ///< with what runs inside
  int64_t SelfNs = 0;      ///< without time on other lines, and without what follows
  int64_t WaitNs = 0;      ///< waiting for other threads of the team, or blocked elsewhere
  int64_t PreemptedNs = 0; ///< ready, while another thread ran

  void add(const LineTime &Other);
};

/// The time of host kernels by line, over all threads: each moment of a thread counts on one line.
/// A loop's own time is on the line where it begins, a task's body on the body's line, other time
/// of a kernel or region on its own line, and waiting on the line of the construct. Nothing for
/// sums (mode profile), which do not show nesting.
std::map<KernelLine, LineTime> lineTimes(const Trace &Input, const LoopTree &Tree);

/// lineTimes() of all kernels together. Self times, waits and preempted times of all rows add up to
/// the time of the outermost calls on each thread. \p Tree: loopTree() of the same trace, with all
/// kernels.
Grouping groupByLine(const Trace &Input, const LoopTree &Tree);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SOURCELINES_H
