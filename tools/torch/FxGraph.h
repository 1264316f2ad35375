//===- FxGraph.h - parser of printed torch.fx graphs ----------------------===//
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

/// The form of a node's expression.
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
  std::vector<uint32_t> Inputs; ///< nodes that it uses, in the order of the text
  uint32_t Line = 0;            ///< index in FxGraph::Lines; see FxGraph::lineOf
  FxNodeKind Kind = FxNodeKind::Call;
  bool HasLine = false;
  std::string Within; ///< the call whose nested graph contains it, inserted at the call; or empty
  std::string Apart;  ///< the nested graph that contains it, appended to the main graph; or empty

  /// The node's unique name: "mul", "true_graph_0.mul".
  std::string fullName() const { return Apart.empty() ? Name : Apart + "." + Name; }

  /// Element type and sizes, "f32[64, 64]", as far as known.
  std::string_view shape() const;
};

struct FxGraph {
  std::vector<FxNode> Nodes; ///< in the order of execution
  std::vector<SourceLine> Lines;
  std::vector<std::string> Outputs; ///< the returned expressions

  /// The names of the nested graphs that a node runs if it calls a higher-order operator, in order.
  std::vector<std::string> graphsOf(const FxNode &Node) const;

  /// The index of a node by its name or full name; None if there is none.
  std::optional<uint32_t> find(std::string_view Name) const;

  /// The Python line of the node; null if torch did not record it.
  const SourceLine *lineOf(uint32_t Node) const {
    return Nodes[Node].HasLine ? &Lines[Nodes[Node].Line] : nullptr;
  }

  std::unordered_map<std::string, uint32_t, SeededHash> ByName;
};

/// Reads a printed graph; skips unknown lines. A nested graph that runs where it is called (of a
/// checkpoint, an autograd.Function's forward) is inserted before its call, its nodes named
/// `body__node`. Others are appended; if several nodes have one name, find() returns the first.
FxGraph parseFxGraph(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_FXGRAPH_H
