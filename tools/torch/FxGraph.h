//===- FxGraph.h - a graph of torch.fx, read from its printed form --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch prints a graph as the Python code of a module:
//
//   class GraphModule(torch.nn.Module):
//       def forward(self, arg0_1: "f32[64, 64][64, 1]cpu"):
//           # File: model.py:3 in forward, code: return x.relu() + 1
//           relu: "f32[64, 64][64, 1]cpu" = torch.ops.aten.relu.default(arg0_1);  arg0_1 = None
//           add: "f32[64, 64][64, 1]cpu" = torch.ops.aten.add.Tensor(relu, 1);  relu = None
//           return (add,)
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_FXGRAPH_H
#define SEAMSCOPE_TOOLS_TORCH_FXGRAPH_H

#include "torch/SourceLine.h"
#include "trace/io/SeededHash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// How a node came to be written.
enum class FxNodeKind : uint8_t {
  Placeholder, ///< an input of the graph
  Call,        ///< torch.relu(x)
  Method,      ///< x.relu()
  Operator,    ///< x + y, x += y, -x
  Item,        ///< x[0]
  Attribute,   ///< x.shape, self.weight
};

struct FxNode {
  std::string Name;
  std::string Type; ///< "f32[64, 64][64, 1]cpu": element type, sizes, strides, device; may be empty
  std::string Target; ///< "torch.ops.aten.relu.default", "relu", "+", "+="; empty for placeholders
  std::string Text;   ///< the expression
  std::vector<uint32_t> Inputs; ///< nodes that it uses, in the order in which they are written
  uint32_t Line = 0;            ///< index of FxGraph::Lines; see FxGraph::lineOf
  FxNodeKind Kind = FxNodeKind::Call;
  bool HasLine = false;
  std::string Within; ///< the call of a nested graph that it is part of; empty: of none
  std::string Apart;  ///< the nested graph that it is of, where that stands behind the whole

  /// The name that no other node of the graph has: "mul", "true_graph_0.mul".
  std::string fullName() const { return Apart.empty() ? Name : Apart + "." + Name; }

  /// Element type and sizes, "f32[64, 64]"; what there is of it.
  std::string_view shape() const;
};

struct FxGraph {
  std::vector<FxNode> Nodes; ///< in the order of execution
  std::vector<SourceLine> Lines;
  std::vector<std::string> Outputs; ///< what the graph returns, as written

  /// The nested graphs that a node, a call of a higher-order operator, runs, by name, in the order
  /// in which they are written.
  std::vector<std::string> graphsOf(const FxNode &Node) const;

  /// The node's number, by its name or its full name; nothing if no node has that name.
  std::optional<uint32_t> find(std::string_view Name) const;

  /// The line of Python that the node stands for; null when torch did not tell.
  const SourceLine *lineOf(uint32_t Node) const {
    return Nodes[Node].HasLine ? &Lines[Nodes[Node].Line] : nullptr;
  }

  std::unordered_map<std::string, uint32_t, SeededHash> ByName;
};

/// Reads the printed form. Lines that are not understood are passed over. A nested graph that runs
/// where it is called, as that of a checkpoint or the forward one of an autograd.Function, stands
/// before its call, its nodes named `body__node`; others are behind the whole, and of their nodes
/// with one name the first one is found by it.
FxGraph parseFxGraph(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_FXGRAPH_H
