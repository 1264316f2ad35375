//===- CallGroups.cpp - calls that do the work of operators together ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/CallGroups.h"

#include <algorithm>

namespace seamscope::tools {

CallGroups::Key CallGroups::rootOf(Key Of) const {
  for (auto Found = Earlier.find(Of); Found != Earlier.end(); Found = Earlier.find(Of))
    Of = Found->second;
  return Of;
}

void CallGroups::unite(const GraphCall &A, const GraphCall &B) {
  const auto [First, Second] = std::minmax({rootOf({A.Graph, A.Call}), rootOf({B.Graph, B.Call})});
  if (First != Second)
    Earlier[Second] = First;
}

void CallGroups::mark(std::vector<std::vector<CallTimes>> &Calls) const {
  for (const auto &[Each, _] : Earlier) {
    const Key Root = rootOf(Each);
    Calls[Each.first][Each.second].Groups.insert(Root);
    Calls[Root.first][Root.second].Groups.insert(Root);
  }
}

} // namespace seamscope::tools
