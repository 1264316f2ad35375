//===- KernelTraffic.h - memory traffic of compiled kernels ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_KERNELTRAFFIC_H
#define SEAMSCOPE_TOOLS_RUN_KERNELTRAFFIC_H

#include "torch/FxGraph.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Whether a node only refers to data of other nodes: a view, or an entry of a tuple.
bool isViewNode(const FxGraph &Graph, uint32_t Node);

/// Bytes of a tensor of the type "f32[512, 256][256, 1]cpu"; nothing if a size is a symbol, the
/// type is not known, or the product overflows.
std::optional<int64_t> bytesOfType(std::string_view Type);

/// The traffic between the calls of a graph: each tensor that a call needs from elsewhere is read
/// once, each that is needed elsewhere is written once. Tensors that only the computing call uses
/// stay inside.
class KernelTraffic {
public:
  /// \p Work: by call, in the order of execution, the nodes of \p Graph that it computes, rising.
  /// Both must outlive it.
  KernelTraffic(const FxGraph &Graph, const std::vector<std::vector<uint32_t>> &Work);

  /// Lower bound of the bytes that one execution of a call reads and writes; nothing if a size is
  /// not known.
  std::optional<int64_t> bytesOf(size_t Call) const;

private:
  /// A tensor that a node uses; through views, at most the part that they show.
  struct Tensor {
    uint32_t Node = 0;
    std::optional<int64_t> Bytes;
  };
  Tensor held(uint32_t Node) const;
  uint32_t makerOf(uint32_t Node) const;
  bool computes(size_t Call, uint32_t Node) const;
  bool isNeededElsewhere(size_t Call, uint32_t Node) const;
  std::vector<Tensor> inputsOf(uint32_t Node) const;

  const FxGraph &Graph;
  const std::vector<std::vector<uint32_t>> &Work;
  std::vector<bool> View;                   ///< by node, see isViewNode()
  std::vector<std::vector<uint32_t>> Users; ///< by node
  std::vector<std::vector<size_t>> Makers;  ///< by node, the calls that compute it
  std::vector<bool> Returned;               ///< by node: the graph returns it
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_KERNELTRAFFIC_H
