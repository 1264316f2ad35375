//===- FusedCall.h - work of fused kernels, from a trace ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/work.md ("Fused kernels") says what is counted.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_FUSEDCALL_H
#define SEAMSCOPE_TOOLS_ANALYSIS_FUSEDCALL_H

#include "trace/model/Trace.h"
#include "work/DType.h"
#include "work/OpArguments.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace seamscope::tools {

/// The work of one call of a fused kernel. A figure that is not known has a reason.
struct FusedWork {
  std::optional<int64_t> Flop = {};  ///< operations that it runs
  std::optional<int64_t> Bytes = {}; ///< buffers that it reads, once each, and those that it writes
  std::string FlopWhy = {}, BytesWhy = {};
  DType Compute = DType::Unknown; ///< the type of most of the operations
  bool BytesAtLeast = false;      ///< it may move more than Bytes

  bool operator==(const FusedWork &) const = default;
};
using FusedWorkBySite = std::unordered_map<SiteId, FusedWork>;

/// Whether \p Kernel is the name of a fused loop that Inductor wrote in Triton:
/// triton_poi_fused_add_0 (pointwise), triton_red_... and triton_per_... (reductions).
bool isFusedTritonLoop(std::string_view Kernel);

/// The work of a call of such a kernel, by its recorded arguments and the operators in its name.
FusedWork fusedCallWork(std::string_view Kernel, const OpArguments &Arguments);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_FUSEDCALL_H
