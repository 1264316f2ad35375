//===- CallGroups.h - calls that do the work of operators together --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eager mode runs one operator where the compiled graph has several calls. Its
// time is that of all of them: a group has one ratio, and its calls have none.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CALLGROUPS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CALLGROUPS_H

#include "analysis/compare/ExpectedOps.h"

#include <map>
#include <utility>
#include <vector>

namespace seamscope::tools {

class CallGroups {
public:
  void unite(const GraphCall &A, const GraphCall &B);

  /// Writes CallTimes::Groups of calls that are in a group with others. \p Calls: by graph and
  /// call.
  void mark(std::vector<std::vector<CallTimes>> &Calls) const;

private:
  using Key = std::pair<uint32_t, uint32_t>; ///< graph and call
  Key rootOf(Key Of) const;

  std::map<Key, Key> Earlier; ///< of a group, an earlier call
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CALLGROUPS_H
