//===- NvtxText.h - what the text of an NVTX range says -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_NVTXTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_NVTXTEXT_H

#include <string_view>

namespace seamscope::tools {

/// The text of a range, which torch.autograd.profiler.emit_nvtx combines from a name and details of
/// the call: "aten::addmm, seq = 12, op_id = 7, sizes = [[4], [4, 8], [8, 4]]".
struct NvtxText {
  std::string_view Name;   ///< without what follows it
  std::string_view Sizes;  ///< dimensions of the inputs, as a list of lists; empty: not recorded
  bool IsOperator = false; ///< from torch, not a scope named by a user
};

/// Splits \p Text into views of it. A text that does not end like torch's is all name.
NvtxText parseNvtxText(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_NVTXTEXT_H
