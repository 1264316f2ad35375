//===- SourceLines.cpp - the time of each line of compiled code -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/SourceLines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

struct LineTime {
  uint64_t Calls = 0;
  int64_t TotalNs = 0, SelfNs = 0, WaitNs = 0;
  std::set<std::string_view> Kernels;
};

} // namespace

Grouping groupByLine(const Trace &Input, const LoopTree &Tree) {
  std::map<std::pair<StringId, uint32_t>, LineTime> Lines;
  const auto LineOf = [&](const Site &What) -> LineTime & {
    LineTime &Line = Lines[{What.Line ? What.File : 0, What.File ? What.Line : 0}];
    Line.Kernels.insert(Input.text(What.Kernel ? What.Kernel : What.Name));
    return Line;
  };
  for (const LoopNode &Node : Tree.Nodes) {
    if (!Node.Calls)
      continue; // a kernel that was not recorded, with loops that were
    LineTime &Line = LineOf(Input.Sites[Node.Site]);
    Line.Calls += Node.Calls;
    Line.TotalNs += Node.TotalNs;
    Line.SelfNs += Node.SelfNs.value_or(0);
  }
  for (const auto &[Site, Wait] : Tree.Waits) {
    LineTime &Line = LineOf(Input.Sites[Site]);
    Line.Calls += Wait.Calls;
    Line.TotalNs += Wait.Ns;
    Line.WaitNs += Wait.Ns;
  }
  Grouping Result;
  Result.What = GroupedTime::Lines;
  for (const auto &[Place, Line] : Lines) {
    GroupRow &Row = Result.Rows.emplace_back();
    Row.Key = Place.second ? fmt::format("{}:{}", Input.text(Place.first), Place.second)
                           : "[unknown line]";
    Row.Calls = Line.Calls;
    Row.TotalNs = Line.TotalNs;
    Row.SumNs = Line.TotalNs;
    Row.SelfNs = Line.SelfNs;
    Row.WaitNs = Line.WaitNs;
    Row.Kernels.assign(Line.Kernels.begin(), Line.Kernels.end());
    Result.Calls += Line.Calls;
    Result.SelfNs += Line.SelfNs;
  }
  std::ranges::stable_sort(Result.Rows, std::greater(),
                           [](const GroupRow &Row) { return Row.SelfNs + Row.WaitNs; });
  return Result;
}

} // namespace seamscope::tools
