//===- CriticalPath.h - what a step's duration depends on -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CRITICALPATH_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CRITICALPATH_H

#include "analysis/core/ThreadTimeline.h"
#include "analysis/torch/DeviceWaits.h"
#include "analysis/torch/Steps.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// What holds up the path in a stretch of time.
enum class PathKind : uint8_t {
  Host,        ///< an operator, or a call of a device's runtime
  Between,     ///< no operator: Python code, or nothing recorded
  LaunchDelay, ///< from the end of the launch to the begin of the work; nothing if the work
               ///< began before the launch ended
  Device,      ///< a kernel, copy or fill
  KernelGap,   ///< from the end of the previous work on the stream to the begin of the next,
               ///< which had been launched
  Sync,        ///< from the end of the awaited work to the return of the waiting call, or
               ///< to the begin of the waiting work on another stream
  Unknown,     ///< before work whose launch and predecessor are both not in the trace
};

/// "host", "between", "launch delay", "device", "kernel gap", "sync", "unknown".
std::string_view pathKindName(PathKind Kind);

struct PathSegment {
  PathKind Kind = PathKind::Host;
  /// Host: the innermost call; Between: the innermost span or Python frame, NoEvent: none is open;
  /// Sync: the waiting call or work; others: the work.
  uint32_t Event = NoEvent;
  int64_t BeginNs = 0;
  int64_t EndNs = 0; ///< above BeginNs
};

/// All segments of one kind and name.
struct PathSum {
  PathKind Kind = PathKind::Host;
  StringId Name = 0; ///< of the event; 0: none
  uint64_t Count = 0;
  int64_t Ns = 0;
};

struct CriticalPath {
  int64_t BeginNs = 0, EndNs = 0;
  std::vector<PathSum> Sums; ///< longest first; together they cover [BeginNs, EndNs)
  // Where the path may be wrong because data is missing:
  /// Calls on the path that waited for a device for an unknown reason: their time counts as Host.
  uint64_t UnknownSyncs = 0;
  /// Calls during the path that let a stream wait for an unknown other one: not followed.
  uint64_t UnknownStreamWaits = 0;
  uint64_t Unlaunched = 0; ///< work on it whose launch is not in the trace

  int64_t wallNs() const { return EndNs - BeginNs; }
};

/// Takes segments.
using SegmentFn = std::function<void(const PathSegment &)>;

/// The path of the whole trace up to the end of the launched work.
struct WholePath : CriticalPath {
  std::vector<std::pair<uint32_t, int64_t>> WorkNs; ///< events of Device, with their time
};

/// Where a path ends.
enum class PathEnd : uint8_t {
  Step,   ///< at the end of the step on its thread
  Device, ///< at the end of the last work launched in the step, if that is later
};

/// Finds critical paths. The idea is from HolisticTraceAnalysis ("Lightweight Critical Path
/// Analysis" in its documentation): begins and ends of operators, calls and work are nodes, joined
/// by the order on a thread, from launch to work, by the order on a stream, and from work to what
/// waits for it. Here the path is followed back from its end, at each moment to the last activity
/// that it had to wait for: it has no holes, and its parts add up to its length. Needs
/// ReadOptions::Syncs. Waits for host threads other than autograd's are not followed: a loader's
/// workers, Gloo's communication.
class CriticalPaths {
public:
  /// \p Links: linkWork() of the same trace.
  CriticalPaths(const Trace &Input, const std::vector<Origin> &Links);

  /// \p Take, if given, gets the parts of the path from the last one to the first, each up to the
  /// begin of the one before: there can be as many as the trace has begins and ends.
  CriticalPath of(const Step &In, PathEnd End = PathEnd::Step, const SegmentFn &Take = {}) const;

  /// The whole trace, as a step of the thread that ran the most operators. Without operators there
  /// is no step: its begin and end are 0.
  const Step &wholeTrace() const { return WholeStep; }
  /// Its path, found once.
  const WholePath &whole() const { return Whole; }

private:
  const Trace &Input;
  DeviceWaits Waits;
  ThreadTimelines Threads;
  std::vector<TrackId> Engines; ///< of autograd
  Step WholeStep;
  WholePath Whole;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CRITICALPATH_H
