//===- Provenance.h - Inductor's map from kernels to nodes ----------------===//
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

/// The nodes that the kernel calls of a graph compute. Keys are "KERNEL:HANDLE", or "KERNEL" if
/// torch did not write handles.
struct Provenance {
  using Names = std::map<std::string, std::vector<std::string>, std::less<>>;

  Names KernelToPost; ///< nodes of the graph after autograd and decomposition
  Names PostToPre;    ///< from these to the nodes of the graph that dynamo captured
  std::map<std::string, std::vector<std::vector<SourceLine>>, std::less<>>
      Stacks; ///< for each call, the Python frames of its nodes, outermost first
  /// For calls of C++ kernels, the nodes by the buffer number that statements compute; see
  /// LoopNodes.h. Only if loops are timed.
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> Statements;
  /// By buffer of the output code, the node whose value it holds, as far as known. Only of runs
  /// that `seamscope run` started.
  std::map<std::string, std::string, std::less<>> Buffers;
  /// The same by the number of the nodes that a statement itself computes.
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> Operators;

  /// Whether torch wrote the map.
  bool known() const { return !KernelToPost.empty(); }
};

/// Reads inductor_provenance_tracking_node_mappings into \p Into; false if it is not a JSON object.
bool parseNodeMappings(std::string_view Json, Provenance &Into);

/// Reads inductor_provenance_tracking_kernel_stack_traces into \p Into; false if it is not a JSON
/// object.
bool parseStackTraces(std::string_view Json, Provenance &Into);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_PROVENANCE_H
