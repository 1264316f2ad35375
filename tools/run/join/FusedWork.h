//===- FusedWork.h - work of fused kernels, from their graphs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/work.md ("Fused kernels") says what is counted.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_FUSEDWORK_H
#define SEAMSCOPE_TOOLS_RUN_FUSEDWORK_H

#include "analysis/devices/FusedCall.h"
#include "run/join/CallBuffers.h"
#include "run/join/GraphWork.h"
#include "run/join/TorchRun.h"

#include <map>
#include <vector>

namespace seamscope::tools {

/// The work of the calls of one graph.
class GraphFusedWork {
public:
  /// \p Of must outlive this.
  explicit GraphFusedWork(const GraphWork &Of);

  FusedWork of(size_t Call) const;

  const GraphWork &Graph;
  const std::vector<CallMemory> Memory;            ///< by call of the output code
  std::vector<std::vector<uint32_t>> Users;        ///< by node, those that use it
  std::map<uint32_t, std::vector<size_t>> NamedBy; ///< by node, the calls that name it, rising
};

/// By site, the generated kernels of a trace. A kernel with several calls has figures only if they
/// are the same for each.
FusedWorkBySite fusedWork(const TorchRun &Run);

/// Those that rows of a report may have: not of host kernels that counted what they executed, nor
/// of those with the name of another one, whose calls a report sums together.
FusedWorkBySite forRows(FusedWorkBySite Fused, const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_FUSEDWORK_H
