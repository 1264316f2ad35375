//===- NodeOrigins.h - modules and callers of captured nodes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch's printed graph has only the innermost line of each node, which is often in a library and
// the same for each layer of a model. `seamscope run` makes torch also write the nn.Module that the
// node ran in and the Python stack.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_NODEORIGINS_H
#define SEAMSCOPE_TOOLS_TORCH_NODEORIGINS_H

#include "torch/SourceLine.h"
#include "trace/io/SeededHash.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// The nn.Module that a node ran in.
struct ModulePath {
  std::string Path;  ///< "h.2.mlp.act", relative to the compiled module or variable
  std::string Class; ///< "NewGELUActivation"; empty: unknown

  auto operator<=>(const ModulePath &) const = default;
};

struct NodeOrigin {
  ModulePath Module;           ///< empty if the node did not run in a module that dynamo names
  std::optional<size_t> Stack; ///< index in NodeOrigins::Stacks
};

struct NodeOrigins {
  std::vector<std::vector<SourceLine>> Stacks;                   ///< frames, outermost first
  std::unordered_map<std::string, NodeOrigin, SeededHash> Nodes; ///< by name
  /// The compiled function, if torch's log names a torch function around it. The file is empty if
  /// it is not Python code; the name is empty if the log's function is right.
  SourceLine Function;

  /// The origin of a node, or null.
  const NodeOrigin *find(const std::string &Node) const;

  /// The callers of \p Line in \p Node, innermost first; empty if the node's stack does not end at
  /// that line.
  std::vector<SourceLine> callersOf(const std::string &Node, const SourceLine &Line) const;

  /// The frames of a node, innermost first; empty: unknown.
  std::vector<SourceLine> stackOf(const std::string &Node) const;
};

/// Reads `{"stacks": ["TRACEBACK", ...], "nodes": {"NAME": {"module", "class", "stack"}},
/// "function": {"name", "file", "line"}}`; "function" is optional. None if \p Json is something
/// else. Skips malformed entries.
std::optional<NodeOrigins> parseNodeOrigins(std::string_view Json);

/// The path in torch's expression for a module: "h.2.mlp" for `L['self'].h[2].mlp`, "net.0" for
/// `G['net'][0]`.
std::string modulePath(std::string_view Expression);

void addOnce(std::vector<ModulePath> &Modules, const ModulePath &Module);

/// Merges \p Paths that differ in one number: "h.[0-2].mlp". In the order of first appearance.
std::vector<std::string> groupedPaths(const std::vector<ModulePath> &Paths);

/// Whether a Python file belongs to torch, another installed package, Python itself or Seamscope,
/// and not to the user's program.
bool isOfLibrary(std::string_view File);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_NODEORIGINS_H
