//===- MembersByKey.h - members of one side of a comparison, by key -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `diff` and `report --baseline` match two traces by names with this class.
// `run --baseline` knows the order in which both sides ran and matches by that
// (Alignment.h).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_MEMBERSBYKEY_H
#define SEAMSCOPE_TOOLS_ANALYSIS_MEMBERSBYKEY_H

#include "trace/io/SeededHash.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The members of one side of a comparison, as numbers, by their keys. A member may have several
/// keys, and a key several members.
class MembersByKey {
public:
  /// \p Key: empty if the member has none.
  void add(std::string Key, size_t Member) {
    if (!Key.empty())
      Members[std::move(Key)].push_back(Member);
  }

  /// In the order in which they were added; none for an empty key.
  const std::vector<size_t> &of(const std::string &Key) const {
    static const std::vector<size_t> None;
    const auto Found = Members.find(Key);
    return Found == Members.end() ? None : Found->second;
  }

private:
  std::unordered_map<std::string, std::vector<size_t>, SeededHash> Members;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_MEMBERSBYKEY_H
