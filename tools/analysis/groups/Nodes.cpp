//===- Nodes.cpp - the nodes of a model, as its runtime names them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Nodes.h"

#include "analysis/devices/OperatorTimes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace seamscope::tools {

std::vector<NodeRow> nodeRows(const Trace &Input) {
  std::map<std::tuple<StringId, StringId, StringId>, size_t> RowOfNode;
  std::vector<NodeRow> Rows;
  constexpr size_t None = SIZE_MAX;
  std::vector<size_t> RowOf(Input.Sites.size(), None);
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    if (What.Kind != SiteKind::Operator || Input.text(What.Category) != NodeCategory)
      continue;
    const auto [Place, IsNew] =
        RowOfNode.try_emplace({What.Node, What.Name, What.LinkageName}, Rows.size());
    if (IsNew)
      Rows.push_back({What.Node, What.Name, What.LinkageName});
    RowOf[Id] = Place->second;
  }
  if (Rows.empty())
    return Rows;
  const OperatorNesting Nesting = operatorNesting(Input);
  for (size_t I = 0; I < Input.Events.size(); ++I)
    if (const size_t At = RowOf[Input.Events.Site[I]]; At != None) {
      ++Rows[At].Calls;
      Rows[At].TotalNs += Input.Events.DurationNs[I];
      Rows[At].SelfNs += Nesting.SelfNs[I];
    }
  std::erase_if(Rows, [](const NodeRow &Row) { return !Row.Calls; });
  std::ranges::stable_sort(Rows, std::greater(), &NodeRow::SelfNs);
  return Rows;
}

} // namespace seamscope::tools
