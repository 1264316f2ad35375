//===- Compiled.h - compiled and eager parts of steps ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COMPILED_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COMPILED_H

#include "analysis/devices/Devices.h"
#include "trace/model/StepName.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// torch's scope around compiled code; ": " and the compile id follow.
constexpr std::string_view CompiledRegionName = "Torch-Compiled Region";
/// torch's scope around a call of a graph that Inductor compiled.
constexpr std::string_view CompiledGraphName = "## Call CompiledFxGraph";

/// Calls of one compiled region ("Torch-Compiled Region: 0/0") or graph ("## Call
/// CompiledFxGraph").
struct CompiledRow {
  StringId Name = 0;
  bool IsGraph = false;
  std::optional<int64_t> Frame; ///< regions: the number of the frame
  int64_t Recompile = 0;        ///< regions: 0 for the first compilation, then counting up
  uint64_t Calls = 0;
  int64_t TotalNs = 0;  ///< on the host
  int64_t DeviceNs = 0; ///< of the work launched inside
};

/// One step, or all of a thread that runs compiled code outside of steps, without the time in which
/// something was compiled.
struct CompiledStep {
  StringId Name = 0; ///< 0: no step
  int64_t WallNs = 0;
  int64_t CompiledNs = 0; ///< on the thread of the step, inside of regions
  int64_t OutsideNs = 0;  ///< WallNs less CompiledNs
  uint64_t Regions = 0;   ///< entered, not counting those inside others
  /// Returns to Python between two regions of a step. A region that runs again begins another call
  /// of the program, so the time before it does not count. Without steps the end of a pass through
  /// the program is not known, and this is 0.
  uint64_t GraphBreaks = 0;
  int64_t BreaksNs = 0;  ///< time of these, from the end of one region to the begin of the next
  uint64_t EagerOps = 0; ///< outermost operators outside of regions
  int64_t EagerNs = 0;   ///< their time on the host
  /// Of these, the operators between the first and the last region, which broke the graph or
  /// resulted from a break, by time: at most eight names.
  std::vector<StringId> Between;
};

struct CompiledView {
  std::vector<CompiledRow> Rows;   ///< longest first
  std::vector<CompiledStep> Steps; ///< in order of time; only those with a region
  uint64_t Recompiled = 0;         ///< regions that were compiled again

  bool any() const { return !Rows.empty(); }
};

/// \p Links: linkWork() of the trace.
CompiledView compiledView(const Trace &Input, const std::vector<Origin> &Links);

/// By site, whether it is a compiled region; in a trace without regions, whether it is a graph.
std::vector<bool> compiledSites(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COMPILED_H
