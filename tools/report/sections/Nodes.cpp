//===- Nodes.cpp - the nodes of a model -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Nodes.h"
#include "report/sections/Sections.h"

namespace seamscope::tools {

void addNodes(Section &To, const Context &In) {
  const auto Text = [In](StringId NodeRow::*Of) {
    return [In, Of](const NodeRow &R) { return textOrNull(In->Source.text(R.*Of)); };
  };
  Table Made = shownIfAny(makeTable<NodeRow>(
      "nodes", "Nodes of the model", nodeRows(In->Source),
      {{column::name("Node"), Text(&NodeRow::Name)},
       {Column("type", "Type", Unit::Name, "its operator").left(), Text(&NodeRow::Type)},
       {Column("provider", "Provider", Unit::Name, "that ran it").left(), Text(&NodeRow::Provider)},
       {column::calls().sum(), &NodeRow::Calls},
       {column::self().keyed("own_ns").sum(), &NodeRow::SelfNs},
       {column::total(), &NodeRow::TotalNs}}));
  constexpr size_t MostRows = 20;
  Made.Top = In->Input.rowsOf(MostRows);
  To.add(std::move(Made));
}

} // namespace seamscope::tools
