//===- Places.h - a trace as the places of its source ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PLACES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PLACES_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

enum class PlaceKind : uint8_t { Kernel, Region, Loop, Wait, Task, Fork, Join, Blocked, Preempted };

/// "kernel", "region", "loop", "wait", "task", "fork", "join", "blocked", "preempted".
std::string_view placeKindName(PlaceKind Kind);

/// A place has at most one of this kind, and is matched with it.
inline bool isPartOfParent(PlaceKind Kind) { return Kind >= PlaceKind::Fork; }

/// Times are ns, summed over the threads that ran it.
struct PlaceTimes {
  uint64_t Calls = 0; ///< 0: the trace has no such place
  int64_t Ns = 0;     ///< with the places in it
  /// Without the places in it. A wait's is all of it; a fork's or join's is the part of the thread
  /// that starts the team. The sum over one kernel is the time of its threads. Nothing: it is a
  /// part of the place around it.
  std::optional<int64_t> SelfNs;
  int64_t WaitNs = 0; ///< of Ns, time spent waiting for others of the team
  size_t Threads = 0; ///< 0: not known
  std::optional<double> Imbalance;
  bool IsEstimate = false;       ///< some calls were not timed
  std::string_view File;         ///< as the trace has it; empty: not known
  uint32_t Line = 0, Column = 0; ///< 0: not known
};

/// A kernel, a region, a loop, or what threads did in one of them: "blocked" is the time in which
/// they waited outside of waits for the team, "preempted" that in which they were ready. These have
/// the calls of the place around them, whose time they are not part of.
struct CodePlace {
  static constexpr uint32_t None = UINT32_MAX;

  PlaceKind Kind = PlaceKind::Kernel;
  uint32_t Parent = None;
  uint32_t Depth = 0;
  std::string Name; ///< as it is shown
  /// Its name, and the functions through which it was inlined, without the lines.
  std::string Function;
  ///< and numbers that change with other code
  std::string Construct; ///< of a wait: "critical"; else empty
  std::string Schedule;  ///< of a wait; empty: it has none
  /// Line and column of the calls through which it was inlined, outermost first, and its own.
  std::vector<std::pair<uint32_t, uint32_t>> Position;
  PlaceTimes Times;
};

/// All kernels of the host, each followed by its places, in source order. Without loops, their own
/// time is part of what is around them. \p SplitOff: without it, time in which threads did not run
/// is part of the places. The trace must outlive it.
std::vector<CodePlace> placesOf(const Trace &Input, bool WithLoops, bool SplitOff);

/// \p Name without parts that change when code is added elsewhere: lines in names of lambdas and
/// outlined functions, numbers of lambdas.
std::string withoutNumbers(std::string_view Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PLACES_H
