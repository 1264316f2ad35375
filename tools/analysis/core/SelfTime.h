//===- SelfTime.h - attributes the window to the kernels ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SELFTIME_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SELFTIME_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// How a thread counts while an interval is its innermost.
enum class OpenAs : uint8_t {
  Call,    ///< works while it runs
  CallOff, ///< works also while it does not run
  Part,    ///< of a team that another thread's call started: works while it runs and no call does
  Wait,    ///< inside a part: does not work
};

/// One call, or one part of a team.
struct Interval {
  int64_t BeginNs;
  int64_t EndNs;      ///< not before BeginNs
  uint32_t Row;       ///< its time is attributed to this row
  uint32_t Track = 0; ///< the thread or stream that ran it
  OpenAs Kind = OpenAs::Call;
};

/// What the processor did with a thread.
enum class RunState : uint8_t {
  Unknown,   ///< it is taken to run where it has calls open
  Running,   ///< it runs, with calls open or without
  Blocked,   ///< it waits for something
  Preempted, ///< it is ready, and another thread runs
};

/// A thread's state from a moment on.
struct RunChange {
  int64_t Ns;
  uint32_t Track;
  RunState To;
};

/// How much of a window each row had.
struct SelfTimes {
  std::vector<int64_t> RowNs; ///< by Interval::Row
  int64_t UnattributedNs = 0;
  int64_t IdleNs = 0; ///< of UnattributedNs, in which no thread ran: some were blocked or preempted
  /// Moments in which threads with open calls did not run, and no other thread did, as far as is
  /// known: all of them were blocked, or some of them were preempted.
  int64_t BlockedNs = 0, PreemptedNs = 0;
  /// The moments of UnattributedNs, [begin, end); empty without changes of state.
  std::vector<std::pair<int64_t, int64_t>> Unattributed;
};

/// Attributes each moment of the window to the calls that run then: a thread with open calls works
/// for the innermost of them, and the moment is shared equally among the threads that work. The
/// innermost call of a thread is the one that began last; of calls that began together, the one
/// that ends first; of equal ones, the later in \p Calls. The sum of all RowNs and UnattributedNs
/// is exactly \p WindowEndNs - \p WindowBeginNs: a row's share, in general a fraction, is rounded
/// down, and the remaining ns go to the rows with the largest remainders, of equal ones to those
/// with the lowest numbers. All calls must lie in the window. Takes O(n log n). \p Changes, by
/// time: a thread that is blocked or preempted does not work (but see OpenAs); the moments that no
/// row has are in UnattributedNs, BlockedNs and PreemptedNs. A moment in which no call works is
/// shared among the threads that work for a team. Parts and waits inside calls do not count.
SelfTimes selfTimes(std::vector<Interval> Calls, size_t Rows, int64_t WindowBeginNs,
                    int64_t WindowEndNs, std::span<const RunChange> Changes = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SELFTIME_H
