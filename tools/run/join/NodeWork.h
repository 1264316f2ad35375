//===- NodeWork.h - operations of the nodes of a graph --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_NODEWORK_H
#define SEAMSCOPE_TOOLS_RUN_NODEWORK_H

#include "torch/FxGraph.h"
#include "work/WorkFigures.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A tensor as a graph describes it.
struct GraphTensor {
  DType Type = DType::Unknown;
  std::vector<int64_t> Dims;
  std::vector<int64_t> Strides; ///< in elements; empty: not known
  std::string Symbol; ///< the first size that is not a number ("s77"): then Dims is not complete
};

/// The number from 0 on that all of \p Text is; nothing: a symbol, or no size.
std::optional<int64_t> sizeIn(std::string_view Text);

/// Parses "f32[512, 256][256, 1]cpu"; nothing if it is not the type of a tensor.
std::optional<GraphTensor> tensorOfType(std::string_view Type);

/// The operator of a node after autograd, named as in traces: "aten::add", "prims::iota". Empty for
/// nodes that do not call one.
std::string operatorOfNode(const FxNode &Node);

/// Operations of one execution of a node.
struct NodeFlop {
  std::optional<int64_t> Flop; ///< unit: FLOP, as docs/work.md counts them
  DType Compute = DType::Unknown;
  std::string Why; ///< why Flop is not known: "aten::sort: depends on ..."
};

/// By the formula of its operator (work/OpRules.def), from the shapes of its inputs. 0 for inputs,
/// views, entries of tuples, and operators that only move or convert elements.
NodeFlop flopOfNode(const FxGraph &Graph, uint32_t Node);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_NODEWORK_H
