//===- EventNames.cpp - the events of a trace by category and name -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/EventNames.h"

#include "analysis/devices/OperatorTimes.h"

#include <algorithm>
#include <map>

namespace seamscope::tools {

std::vector<EventNameRow> eventNames(const Trace &Input) {
  std::map<std::pair<StringId, StringId>, EventNameRow> ByName;
  const OperatorNesting Nesting = operatorNesting(Input);
  for (size_t I = 0; I < Input.Events.size(); ++I) {
    const Site &What = Input.Sites[Input.Events.Site[I]];
    const int64_t Ns = Input.Events.DurationNs[I];
    EventNameRow &Row = ByName[{What.Category, What.Name}];
    Row.MinNs = Row.Calls ? std::min(Row.MinNs, Ns) : Ns;
    Row.MaxNs = std::max(Row.MaxNs, Ns);
    ++Row.Calls;
    Row.TotalNs += Ns;
    if (What.Kind == SiteKind::Span)
      Row.SelfNs = Row.SelfNs.value_or(0) + Nesting.SelfNs[I];
  }
  std::vector<EventNameRow> Rows;
  for (auto &[Key, Row] : ByName) {
    Row.Category = Key.first;
    Row.Name = Key.second;
    Rows.push_back(Row);
  }
  std::ranges::stable_sort(Rows, std::greater(), &EventNameRow::TotalNs);
  return Rows;
}

} // namespace seamscope::tools
