//===- Provenance.h - Inductor's own map from kernels to nodes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_PROVENANCE_H
#define SEAMSCOPE_TOOLS_TORCH_PROVENANCE_H

#include "torch/SourceLine.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Which nodes the calls of a graph's kernels stand for. Keys are "KERNEL:HANDLE", or "KERNEL"
/// where torch wrote no handles.
struct Provenance {
  using Names = std::map<std::string, std::vector<std::string>, std::less<>>;

  Names KernelToPost; ///< nodes of the graph after autograd and decomposition
  Names PostToPre;    ///< of these, the nodes of the graph that dynamo captured
  std::map<std::string, std::vector<std::vector<SourceLine>>, std::less<>>
      Stacks; ///< of each call's nodes, the frames of Python, outermost first
  /// Of calls of C++ kernels, the nodes by the number of the buffer that statements compute; see
  /// LoopNodes.h. Only where loops are timed.
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> Statements;

  /// Whether torch wrote the map at all.
  bool known() const { return !KernelToPost.empty(); }
};

/// Reads inductor_provenance_tracking_node_mappings into \p Into; false when it is no JSON object.
bool parseNodeMappings(std::string_view Json, Provenance &Into);

/// Reads inductor_provenance_tracking_kernel_stack_traces into \p Into; false likewise.
bool parseStackTraces(std::string_view Json, Provenance &Into);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_PROVENANCE_H
