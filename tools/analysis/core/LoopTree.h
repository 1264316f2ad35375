//===- LoopTree.h - the nested loops of each kernel -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_LOOPTREE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_LOOPTREE_H

#include "analysis/core/Statistics.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A kernel, a region or a loop. Times are ns, summed over the threads that ran it.
struct LoopNode {
  static constexpr uint32_t None = UINT32_MAX;

  SiteId Site = 0;        ///< the first of its row, for a kernel
  uint32_t Parent = None; ///< a region's is its kernel, whatever thread it is on
  uint32_t Depth = 0;     ///< 0: a kernel
  uint64_t Calls = 0;     ///< of a loop: how often it was entered
  int64_t TotalNs = 0; ///< sum of durations; of calls inside another of the node on their thread,
                       ///< only the outermost's
  /// Without the kernels, regions, loops and waits inside it on its thread, and without the time in
  /// which that did not run; nothing if parts of the trace are sums.
  std::optional<int64_t> SelfNs;
  /// Of TotalNs, waiting for others of the team, including in inner loops; without the tasks and
  /// regions that ran meanwhile.
  int64_t WaitNs = 0;
  /// Of TotalNs, as in WaitNs: of its waits, those elsewhere, in which a thread did not run until
  /// something happened; and the time in which it was ready and another thread ran.
  int64_t BlockedNs = 0, PreemptedNs = 0;
  /// The parts of these that are in no node inside it, nor in its waits for the team.
  int64_t OwnBlockedNs = 0, OwnPreemptedNs = 0;
  uint64_t Open = 0;     ///< calls that had not ended
  bool Recurses = false; ///< some calls were inside another one on their thread
  UntimedCalls Untimed;  ///< calls that were not timed: an estimate
  /// Waits at which threads stood inside a loop but not inside an inner loop, or next after they
  /// left it.
  std::map<SiteId, int64_t> WaitsNs;
  bool EndsInWait = false; ///< some of these waits, for all threads of the team, came after it
  /// By thread number; only for regions and the loops inside them.
  std::vector<ThreadShare> Threads;
  std::optional<double> Imbalance; ///< busiest over mean of the threads, if there are several
};

/// Waits for others of the team at one place, without what ran meanwhile.
struct WaitTime {
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

/// Time of a task's body in a node, without the loops, kernels, waits and tasks inside it. It is
/// part of the node's SelfNs.
struct TaskTime {
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

/// Calls of a kernel by a node of another one, on the same thread.
struct InnerCalls {
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

/// The kernels that have loops, or call kernels that have, each followed by its contents, in the
/// order of first begin.
struct LoopTree {
  std::vector<LoopNode> Nodes;
  std::map<SiteId, uint32_t> Kernels; ///< nodes of kernels, by the first site of their row
  std::map<std::pair<SiteId, uint32_t>, WaitTime> Waits; ///< by place and node around it
  std::map<std::pair<SiteId, uint32_t>, TaskTime> Tasks; ///< by body and node
  /// By the kernel's node and the node around the calls. Calls inside another call of the same
  /// kernel, and untimed ones, are not in it.
  std::map<std::pair<uint32_t, uint32_t>, InnerCalls> Inner;

  /// The kernel's only caller, a node, if all calls are in one node of another kernel; else None.
  uint32_t callerOf(uint32_t Kernel) const;
  /// One past the last node inside node \p Kernel.
  uint32_t endOf(uint32_t Kernel) const;
  /// The kernel's node and all nodes inside it; empty if there is no such kernel.
  std::span<const LoopNode> of(SiteId Kernel) const;
};

/// The calls through which a loop was inlined, "CALLER at FILE:LINE:COLUMN", innermost first.
std::vector<std::string_view> inlinedFrom(const Trace &Input, const Site &Loop);

/// A loop belongs to the innermost kernel, region or loop that is open on its thread when it
/// begins. On each thread, the self times of all nodes, their waits, and the time in which it
/// did not run otherwise, add up to the time of its outermost calls. For sums (mode profile) only
/// the kernel's name is known: loops are below it. Untimed calls (Throttled.h) take as long as
/// timed ones, but no longer than the calls around them leave room for. \p AllKernels: also those
/// without loops, with their regions.
LoopTree loopTree(const Trace &Input, bool AllKernels = false);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_LOOPTREE_H
