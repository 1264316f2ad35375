//===- CallGroups.h - calls that do the work of operators together --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where eager mode runs one operator, the compiled graph may have several
// calls, whose time together replaces the operator's: a group has one ratio,
// and its calls have none.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CALLGROUPS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CALLGROUPS_H

#include "analysis/compare/CallTimes.h"
#include "analysis/compare/ExpectedOps.h"

#include <map>
#include <utility>
#include <vector>

namespace seamscope::tools {

class CallGroups {
public:
  void unite(const GraphCall &A, const GraphCall &B);

  /// Writes CallTimes::Groups for calls that share a group with others. \p Calls: by graph and
  /// call.
  void mark(std::vector<std::vector<CallTimes>> &Calls) const;

private:
  using Key = std::pair<uint32_t, uint32_t>; ///< graph and call
  Key rootOf(Key Of) const;

  std::map<Key, Key> Earlier; ///< an earlier call of the group
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CALLGROUPS_H
