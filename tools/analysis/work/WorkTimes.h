//===- WorkTimes.h - the time in which counted work was executed -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel or a loop has its own work only, so its rates are over its own time: without the
// kernels that it calls, and for a loop also without the loops inside it that have rows.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_WORK_WORKTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_WORK_WORKTIMES_H

#include "analysis/core/KernelIds.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/RecordingCost.h"
#include "trace/model/Trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

struct WorkTime {
  int64_t Ns = 0;       ///< sum over the calls
  unsigned Threads = 1; ///< that shared the work, at most
  /// It may be more than a twentieth shorter: recording, or kernels whose time in it is not known,
  /// took a part. Rates over it are lower bounds.
  bool IsAtMost = false;

  void add(const WorkTime &More) {
    Ns += More.Ns;
    Threads = std::max(Threads, More.Threads);
    IsAtMost |= More.IsAtMost;
  }
};

/// Threads that ran a kernel at most: those of its teams.
unsigned threadsOf(const KernelRow &Row);

class WorkTimes {
public:
  /// \p All: the tree of all kernels. \p Recording: null if its cost is not known. All must
  /// outlive it.
  WorkTimes(const Trace &Input, const LoopTree &All, const RecordingCost *Recording);

  /// That of the calls of a kernel of the host, with the time in which it did not run.
  WorkTime ofKernel(const KernelRow &Row) const;
  /// That of the thread that was longest in the loop itself, without waits and the time in which it
  /// did not run; nothing: the calls were not all timed.
  std::optional<WorkTime> ofLoop(const KernelId &Kernel, std::string_view Loop) const;

private:
  std::optional<WorkTime> nodeTime(uint32_t Node) const;
  bool isInRegion(uint32_t Node) const;
  void takeInnerKernels(const KernelRow &Row, WorkTime &From) const;
  bool mayContainSums(const KernelRow &Row) const;

  const Trace &Input;
  const LoopTree &Tree;
  const RecordingCost *Recording;
  std::vector<uint64_t> CallsInside; ///< by node, recorded in it and in no inner node
  std::map<std::pair<KernelId, std::string_view>, std::optional<WorkTime>> Loops;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_WORK_WORKTIMES_H
