//===- NodeOrigins.h - modules and callers of captured nodes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What torch prints of a captured graph has one line for each node, the innermost, which is often a
// library's: the same for each layer of a model. `seamscope run` has torch write the rest, too: the
// nn.Module that the node ran in and the stack of Python.
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
  std::string Path;  ///< "h.2.mlp.act", from the module or variable that was compiled
  std::string Class; ///< "NewGELUActivation"; empty: unknown

  auto operator<=>(const ModulePath &) const = default;
};

struct NodeOrigin {
  ModulePath Module;           ///< empty where the node ran in none that dynamo names
  std::optional<size_t> Stack; ///< index of NodeOrigins::Stacks
};

struct NodeOrigins {
  std::vector<std::vector<SourceLine>> Stacks;                   ///< frames, outermost first
  std::unordered_map<std::string, NodeOrigin, SeededHash> Nodes; ///< by name
  /// What was compiled, where torch's log names a function of torch's around it. Without a file
  /// where it is not Python's; without a name: the log has it.
  SourceLine Function;

  /// Null: nothing is known of the node.
  const NodeOrigin *find(const std::string &Node) const;

  /// The frames that led to \p Line in \p Node, innermost first and without \p Line's own; empty
  /// where the node's stack does not end there.
  std::vector<SourceLine> callersOf(const std::string &Node, const SourceLine &Line) const;

  /// The frames of a node, innermost first; empty: unknown.
  std::vector<SourceLine> stackOf(const std::string &Node) const;
};

/// Reads `{"stacks": ["TRACEBACK", ...], "nodes": {"NAME": {"module", "class", "stack"}},
/// "function": {"name", "file", "line"}}`, the last where there is one; nothing when \p Json is
/// something else. Entries that are not understood are left out.
std::optional<NodeOrigins> parseNodeOrigins(std::string_view Json);

/// The path in torch's expression for a module: "h.2.mlp" for `L['self'].h[2].mlp`, "net.0" for
/// `G['net'][0]`.
std::string modulePath(std::string_view Expression);

void addOnce(std::vector<ModulePath> &Modules, const ModulePath &Module);

/// \p Paths, those that differ in one number together: "h.[0-2].mlp". In the order of first
/// appearance.
std::vector<std::string> groupedPaths(const std::vector<ModulePath> &Paths);

/// Whether a file of Python belongs to torch, another installed package, Python itself or
/// Seamscope, and not to the program that is looked at.
bool isOfLibrary(std::string_view File);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_NODEORIGINS_H
