//===- StepWork.h - what ran on a step's thread, one after the other -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H

#include "analysis/Enclosing.h"
#include "analysis/Steps.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

enum class WorkKind : uint8_t {
  Kernel,    ///< a compiled kernel
  Operator,  ///< an operator with all that it calls
  Backward,  ///< a node of autograd's graph with all that it runs
  Optimizer, ///< a scope of torch.optim
};

/// One stretch of work; those of a step do not overlap.
struct WorkItem {
  uint32_t Event = 0;
  uint32_t Region = NoEvent; ///< the innermost "Torch-Compiled Region" around it
  SiteId Site = 0;
  WorkKind Kind = WorkKind::Operator;
  int64_t Ns = 0; ///< inside of the step
};

/// The outermost work of a trace, looked up by step.
class StepWork {
public:
  explicit StepWork(const Trace &Input);

  /// In the order of time.
  std::vector<WorkItem> in(const Step &Of) const;

  /// Time of the step in which torch looked for the code that fits the arguments.
  int64_t guardsNs(const Step &Of) const;

  /// Whether the trace tells compiled regions at all.
  bool tellsRegions() const { return Regions; }

private:
  struct Place {
    uint32_t Event;
    uint32_t Region;
    WorkKind Kind;
  };
  const Trace &Input;
  std::vector<std::vector<Place>> ByTrack; ///< in the order of time
  std::vector<std::vector<uint32_t>> Guards;
  bool Regions = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPWORK_H
