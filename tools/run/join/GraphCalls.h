//===- GraphCalls.h - maps events to calls of compiled graphs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_GRAPHCALLS_H
#define SEAMSCOPE_TOOLS_RUN_GRAPHCALLS_H

#include "analysis/groups/Modules.h"
#include "run/join/TorchRun.h"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace seamscope::tools {

/// For each event of a kernel or library call, the calls in the compiled graphs that it may be. If
/// a graph calls a kernel in several places, each event has its one place; or all places if that is
/// not known, as in a truncated run of a graph.
class GraphCalls {
public:
  /// \p Run and \p Input must outlive it.
  GraphCalls(const TorchRun &Run, const Trace &Input);

  /// Indices of CompiledGraphs::uses(); empty: not a call of a graph.
  std::span<const uint32_t> usesOf(uint32_t Event) const;

private:
  const TorchRun &Run;
  const Trace &Input;
  std::unordered_map<uint32_t, uint32_t> UseOf; ///< by event, where the place is known
};

/// The modules that the events of \p Input ran for, from the compiled graphs of \p Run. Both must
/// outlive the result.
KernelModules kernelModules(const TorchRun &Run, const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_GRAPHCALLS_H
