//===- StepWork.h - what ran on a step's thread, one after the other -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H

#include "analysis/core/HostNesting.h"
#include "analysis/torch/Steps.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace seamscope::tools {

enum class WorkKind : uint8_t {
  Kernel,   ///< a compiled kernel
  Operator, ///< an operator with all that it calls
};

/// The scope that torch gives to the backward pass of any compiled graph. One of a graph's other
/// code is CompiledRegionName, ": " and the compile id.
constexpr std::string_view CompiledBackward = "CompiledFunctionBackward";

struct TimeSpan {
  int64_t BeginNs = 0;
  int64_t EndNs = 0; ///< not in it
};

/// One stretch of work; those of a step do not overlap.
struct WorkItem {
  uint32_t Event = 0;
  uint32_t Region = NoEvent; ///< the innermost compiled code around it, see CompiledBackward
  SiteId Site = 0;
  WorkKind Kind = WorkKind::Operator;
  bool Backward = false; ///< autograd's engine runs it
  int64_t BeginNs = 0;   ///< inside of the step, as is the time
  int64_t Ns = 0;

  int64_t endNs() const { return BeginNs + Ns; }
};

/// Whose time is counted.
enum class TimeOf : uint8_t {
  Host,   ///< that of operators and kernels on the step's thread
  Device, ///< that of the devices' work, by the operator or kernel that it was launched for
};

/// Device where a trace has work of devices and its launches.
TimeOf timeToCount(const Trace &Input);

/// A step as the devices saw it. It begins with the step on the host, or when the devices were done
/// with what was launched before; it ends when both the host and the devices were done. Times of
/// the items, OverheadNs and IdleNs add up to it.
struct DeviceStep {
  int64_t BeginNs = 0, EndNs = 0;
  /// In the order of the host. Where several devices or streams work at once, that which began
  /// first has the time.
  std::vector<WorkItem> Items;
  int64_t OverheadNs = 0; ///< devices idle: the host had not launched what came next, if anything
  int64_t IdleNs = 0;     ///< devices idle though it was launched: latency, waits of streams
};

/// The outermost work of a trace, looked up by step.
class StepWork {
public:
  explicit StepWork(const Trace &Input, TimeOf Whose = TimeOf::Host);

  /// In the order of time; with TimeOf::Device those of onDevice().
  std::vector<WorkItem> in(const Step &Of) const;

  /// All that a thread did, in the order of time.
  std::vector<WorkItem> onTrack(TrackId Track) const;

  /// With TimeOf::Device: the work that was launched by the step's thread, and in the backward pass
  /// by the threads of autograd's engine in the same process.
  DeviceStep onDevice(const Step &Of) const;

  /// Time of the step in which torch looked for the code that fits the arguments.
  int64_t guardsNs(const Step &Of) const { return timeIn(Guards, Of); }

  /// The stretches of the step in which calls of compiled functions ran, or their backward passes:
  /// in the order of time, without overlaps.
  std::vector<TimeSpan> compiledIn(const Step &Of) const;

  /// Time of the step in which autograd's engine ran nodes.
  int64_t backwardNs(const Step &Of) const { return timeIn(Backward, Of); }

  /// Time of the step in which its thread did not run, outside of \p Known: in the order of time,
  /// without overlaps.
  int64_t idleNs(const Step &Of, const std::vector<TimeSpan> &Known) const;

  /// The compiled code that ran in the step and had no other compiled code inside of it, by event.
  std::vector<uint32_t> regionsIn(const Step &Of) const;

  /// The event of the work that an event is, or is inside; NoEvent: none.
  uint32_t itemOf(uint32_t Event) const { return Item[Event]; }

  /// Whether the trace tells compiled regions at all.
  bool tellsRegions() const { return Regions; }

private:
  struct Place {
    int64_t Ns; ///< when it began on the host
    uint32_t Event;
    uint32_t Region;
    WorkKind Kind;
    bool Backward;
  };
  using Scopes = std::vector<std::vector<uint32_t>>; ///< by track, in the order of time
  /// \p Visit gets the event and what of it is in the step.
  template <typename Fn> void forEachIn(const Scopes &Of, const Step &During, Fn Visit) const;
  int64_t timeIn(const Scopes &Of, const Step &During) const;

  /// A device's work.
  struct Launched {
    int64_t Ns, EndNs; ///< of the launch
    uint32_t Work;     ///< the event
    uint32_t Item;     ///< the event of the WorkItem that it belongs to
  };
  void addLaunched(const std::vector<uint32_t> &Region, const std::vector<bool> &InBackward);
  std::vector<WorkItem> launchedFor(const Step &Of) const;

  const Trace &Input;
  const TimeOf Whose;
  std::vector<Launched> AllLaunched;       ///< in the order of the launches
  std::vector<int64_t> DoneNs;             ///< by AllLaunched, when it and all before it was done
  std::vector<std::vector<Place>> ByTrack; ///< in the order of time
  Scopes Guards, Backward, Waits, InnermostRegions;
  Scopes Compiled;            ///< the outermost calls and regions
  std::vector<uint32_t> Item; ///< by event
  bool Regions = false;
};

/// What the steps of a program are: those that it marks; else calls of compiled functions, or turns
/// of the loop around them where a backward pass runs between the calls. \p Work: of \p Input.
StepsBy stepsBy(const Trace &Input, const StepWork &Work);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H
