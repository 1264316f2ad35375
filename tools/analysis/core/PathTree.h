//===- PathTree.h - paths of names, stored as a tree ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PATHTREE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PATHTREE_H

#include "trace/io/SeededHash.h"
#include "trace/model/StringTable.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// Number of a path in a PathTree; 0: the empty one.
using PathId = uint32_t;

/// Paths such as stacks of frames; paths with the same beginning share it.
class PathTree {
public:
  /// \p Outer with one more name inside. Equal paths have one number; a new one gets the next.
  PathId push(PathId Outer, std::string_view Name) {
    const StringId Id = Names.intern(Name);
    const auto [Entry, New] =
        Known.try_emplace(uint64_t{Outer} << 32 | Id, static_cast<PathId>(Nodes.size()));
    if (New)
      Nodes.push_back({Outer, Id});
    return Entry->second;
  }

  size_t size() const { return Nodes.size(); }
  PathId outer(PathId Path) const { return Nodes[Path].Outer; }
  /// The innermost name.
  std::string_view name(PathId Path) const { return Names[Nodes[Path].Name]; }

  /// The names from the outermost on; for a long path, the inner \p Most. \p Path becomes the part
  /// that is left out.
  std::vector<std::string_view> names(PathId &Path, size_t Most) const {
    std::vector<std::string_view> Inner;
    for (; Path && Inner.size() < Most; Path = outer(Path))
      Inner.push_back(name(Path));
    return {Inner.rbegin(), Inner.rend()};
  }

private:
  struct Node {
    PathId Outer = 0;
    StringId Name = 0;
  };
  std::vector<Node> Nodes{Node{}};
  std::unordered_map<uint64_t, PathId, SeededHash> Known; ///< by outer path and name
  StringTable Names;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PATHTREE_H
