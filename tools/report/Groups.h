//===- Groups.h - renders a trace split by one property -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_GROUPS_H
#define SEAMSCOPE_TOOLS_REPORT_GROUPS_H

#include "analysis/groups/GroupBy.h"
#include "report/Filter.h"

#include <string>

namespace seamscope::tools {

struct GroupsInput {
  const Trace *Source;
  const Grouping *Groups;
  std::string By; ///< name of the key
  int64_t WindowNs;
  size_t Top = SIZE_MAX;     ///< rows shown
  FilteredOut Filtered = {}; ///< rows that are not there by the reader's wish
  size_t Width = 0;          ///< of the text's lines, as Table takes it
};

/// For people; bytes of the input that a terminal would obey are escaped.
std::string groupsText(const GroupsInput &Input, bool Colours);

/// seamscope.groups/1, described in docs/formats.md.
std::string groupsJson(const GroupsInput &Input);

/// One line a row; times in ns.
std::string groupsCsv(const GroupsInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_GROUPS_H
