//===- LoopDiff.cpp - the loops of two traces, row by row -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"

#include "analysis/core/LoopTree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// A loop in terms that two traces have in common.
struct LoopKey {
  std::string Kernel;
  std::string Path;     ///< loops around it and itself, by name, place and inlining
  uint32_t Ordinal = 0; ///< among loops that agree in these

  auto operator<=>(const LoopKey &) const = default;
};

/// The calls through which a loop was inlined, with the bare names of their files.
std::string callsWithoutFolders(const Trace &Input, const Site &Loop) {
  std::string Text;
  for (const std::string_view Call : inlinedFrom(Input, Loop)) {
    const size_t At = Call.rfind(" at "), Folder = Call.rfind('/');
    Text += Text.empty() ? "" : "\n";
    Text += Call.substr(0, At);
    if (At != Call.npos)
      Text += " at " +
              std::string(Call.substr(Folder == Call.npos || Folder < At ? At + 4 : Folder + 1));
  }
  return Text;
}

std::string shownLoop(const Trace &Input, const Site &Loop) {
  std::string Text(Input.text(Loop.Name));
  if (const auto Calls = inlinedFrom(Input, Loop); !Calls.empty())
    Text += fmt::format(" in {}", Calls.front());
  return Text;
}

/// Calls \p Visit(LoopKey, const LoopNode &, depth below the kernel) for each loop, outer ones
/// first.
template <typename FnT> void forEachLoop(const Trace &Input, const LoopTree &Tree, FnT Visit) {
  std::map<std::pair<std::string, std::string>, uint32_t> Known;
  std::vector<std::pair<std::string, uint32_t>> Paths(Tree.Nodes.size()); // and loops in them
  std::string Kernel;
  for (uint32_t I = 0; I < Tree.Nodes.size(); ++I) {
    const LoopNode &Node = Tree.Nodes[I];
    const Site &What = Input.Sites[Node.Site];
    if (Node.Parent == LoopNode::None) {
      Kernel = Input.text(What.Name);
      continue;
    }
    Paths[I] = Paths[Node.Parent];
    if (What.Kind != SiteKind::Loop)
      continue;
    // Folders differ between checkouts; sorted, lines stand in their order.
    std::string_view File = Input.text(What.File);
    File.remove_prefix(File.rfind('/') + 1);
    Paths[I].first += fmt::format("\n{}:{:08}:{:05} {} {}", File, What.Line, What.Column,
                                  Input.text(What.Name), callsWithoutFolders(Input, What));
    ++Paths[I].second;
    Visit(LoopKey{Kernel, Paths[I].first, Known[{Kernel, Paths[I].first}]++}, Node,
          Paths[I].second);
  }
}

} // namespace

void addLoopDifference(Difference &To, const Trace &First, const Trace &Second) {
  const LoopTree Before = loopTree(First), After = loopTree(Second);
  To.FirstHasLoops = !Before.Nodes.empty();
  To.SecondHasLoops = !After.Nodes.empty();
  if (!To.FirstHasLoops || !To.SecondHasLoops)
    return;
  std::map<LoopKey, LoopDiffRow> Rows;
  const auto RowOf = [&](const Trace &Input, LoopKey Key, const LoopNode &Node,
                         uint32_t Depth) -> LoopDiffRow & {
    LoopDiffRow &Row = Rows[Key];
    Row.Kernel = std::move(Key.Kernel);
    Row.Loop = shownLoop(Input, Input.Sites[Node.Site]);
    Row.Depth = Depth;
    return Row;
  };
  forEachLoop(First, Before, [&](LoopKey Key, const LoopNode &Node, uint32_t Depth) {
    LoopDiffRow &Row = RowOf(First, std::move(Key), Node, Depth);
    Row.FirstNs = Node.TotalNs;
    Row.FirstSelfNs = Node.SelfNs.value_or(0);
    Row.FirstCalls = Node.Calls;
  });
  forEachLoop(Second, After, [&](LoopKey Key, const LoopNode &Node, uint32_t Depth) {
    LoopDiffRow &Row = RowOf(Second, std::move(Key), Node, Depth);
    Row.SecondNs = Node.TotalNs;
    Row.SecondSelfNs = Node.SelfNs.value_or(0);
    Row.SecondCalls = Node.Calls;
  });
  // Of kernels that one trace alone has, the kernel's row says all there is to say.
  std::map<std::string, std::pair<bool, bool>> Kernels;
  std::map<std::string, int64_t> Change;
  for (const auto &[Key, Row] : Rows) {
    Kernels[Row.Kernel].first |= Row.FirstCalls > 0;
    Kernels[Row.Kernel].second |= Row.SecondCalls > 0;
    Change[Row.Kernel] += std::abs(Row.SecondSelfNs - Row.FirstSelfNs);
  }
  for (auto &[Key, Row] : Rows)
    if (Kernels[Row.Kernel] == std::pair(true, true))
      To.Loops.push_back(std::move(Row));
  std::ranges::stable_sort(To.Loops, [&](const LoopDiffRow &A, const LoopDiffRow &B) {
    return std::tuple(-Change[A.Kernel], A.Kernel) < std::tuple(-Change[B.Kernel], B.Kernel);
  });
}

} // namespace seamscope::tools
