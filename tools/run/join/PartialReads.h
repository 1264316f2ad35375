//===- PartialReads.h - tensors of which a kernel reads a part ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_PARTIALREADS_H
#define SEAMSCOPE_TOOLS_RUN_PARTIALREADS_H

#include "torch/FxGraph.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace seamscope::tools {

/// What the nodes of a kernel read of tensors from elsewhere, where that is not all of them.
class PartialReads {
public:
  /// \p Runs: nodes of \p Graph that the kernel runs. \p Users: by node, those that use it.
  PartialReads(const FxGraph &Graph, const std::vector<std::vector<uint32_t>> &Users,
               const std::set<uint32_t> &Runs);

  /// By node that is computed elsewhere, the elements that are read. A lookup counts the requested
  /// elements, each time.
  std::map<uint32_t, int64_t> Elements;
  /// Why it is not known what is read or written; empty: it is.
  std::string Why;
  /// Why it may compute only a part of a node; empty: it computes all of each.
  std::string ComputesPart;

private:
  void addViews();
  void add(uint32_t Base);
  bool findParts(uint32_t Node, std::set<uint32_t> &Parts) const;
  uint32_t baseOf(uint32_t Node) const;
  std::optional<int64_t> sizeOfPart(uint32_t Node) const;

  const FxGraph &Graph;
  const std::vector<std::vector<uint32_t>> &Users;
  std::set<uint32_t> Used; ///< the nodes, and the views through which they read
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_PARTIALREADS_H
