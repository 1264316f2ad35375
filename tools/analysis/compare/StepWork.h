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

/// torch's scope around the backward pass of any compiled graph. The scope of other code of a graph
/// is CompiledRegionName, ": " and the compile id.
constexpr std::string_view CompiledBackward = "CompiledFunctionBackward";

struct TimeSpan {
  int64_t BeginNs = 0;
  int64_t EndNs = 0; ///< the end is not in the stretch
};

/// One stretch of work; those of a step do not overlap.
struct WorkItem {
  uint32_t Event = 0;
  uint32_t Region = NoEvent; ///< the innermost compiled code around it, see CompiledBackward
  SiteId Site = 0;
  WorkKind Kind = WorkKind::Operator;
  bool Backward = false; ///< autograd's engine runs it
  int64_t BeginNs = 0;   ///< within the step, as is its time
  int64_t Ns = 0;

  int64_t endNs() const { return BeginNs + Ns; }
};

/// Whose time counts.
enum class TimeOf : uint8_t {
  Host,   ///< operators and kernels on the step's thread
  Device, ///< device work, by the operator or kernel that launched it
};

/// Device if a trace has device work and its launches.
TimeOf timeToCount(const Trace &Input);

/// A step as the devices saw it. It begins with the step on the host, or when the devices finished
/// what was launched before; it ends when both the host and the devices are done. Times of the
/// items, OverheadNs and IdleNs add up to it.
struct DeviceStep {
  int64_t BeginNs = 0, EndNs = 0;
  /// In the order of the host. If several devices or streams work at the same time, the time
  /// belongs to the one that began first.
  std::vector<WorkItem> Items;
  int64_t OverheadNs = 0; ///< devices idle: the host had not launched the next work
  int64_t IdleNs = 0;     ///< devices idle although it was launched: latency, waits of streams
};

/// The outermost work of a trace, by step.
class StepWork {
public:
  explicit StepWork(const Trace &Input, TimeOf Whose = TimeOf::Host);

  /// In the order of time; with TimeOf::Device as in onDevice().
  std::vector<WorkItem> in(const Step &Of) const;

  /// All work of a thread, in the order of time.
  std::vector<WorkItem> onTrack(TrackId Track) const;

  /// With TimeOf::Device: the work that the step's thread launched, and in the backward pass the
  /// threads of autograd's engine in the same process.
  DeviceStep onDevice(const Step &Of) const;

  /// Time of the step in which torch looked up the code that fits the arguments.
  int64_t guardsNs(const Step &Of) const { return timeIn(Guards, Of); }

  /// The stretches of the step in which calls of compiled functions or their backward passes ran:
  /// in the order of time, without overlaps.
  std::vector<TimeSpan> compiledIn(const Step &Of) const;

  /// Time of the step in which autograd's engine ran nodes.
  int64_t backwardNs(const Step &Of) const { return timeIn(Backward, Of); }

  /// Time of the step in which its thread did not run, outside of \p Known: in the order of time,
  /// without overlaps.
  int64_t idleNs(const Step &Of, const std::vector<TimeSpan> &Known) const;

  /// The innermost compiled code that ran in the step, by event.
  std::vector<uint32_t> regionsIn(const Step &Of) const;

  /// The event of the work that contains an event, or is it; NoEvent: none.
  uint32_t itemOf(uint32_t Event) const { return Item[Event]; }

  /// Whether the trace has compiled regions.
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
  /// \p Visit gets the event and its part in the step.
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
  std::vector<int64_t> DoneNs;             ///< by AllLaunched, when it and all before it were done
  std::vector<std::vector<Place>> ByTrack; ///< in the order of time
  Scopes Guards, Backward, Waits, InnermostRegions;
  Scopes Compiled;            ///< the outermost calls and regions
  std::vector<uint32_t> Item; ///< by event
  bool Regions = false;
};

/// What the steps of a program are: those that it marks; else calls of compiled functions, or, if a
/// backward pass runs between the calls, turns of the loop around them. \p Work: of \p Input.
StepsBy stepsBy(const Trace &Input, const StepWork &Work);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H
