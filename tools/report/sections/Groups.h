//===- Groups.h - a trace split by one property, as a document -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_GROUPS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_GROUPS_H

#include "analysis/groups/GroupBy.h"
#include "report/model/Document.h"
#include "report/sections/Filter.h"

#include <string>

namespace seamscope::tools {

struct GroupsInput {
  const Trace *Source;
  const Grouping *Groups;
  std::string By; ///< name of the key
  int64_t WindowNs;
  size_t Top = SIZE_MAX;     ///< rows shown
  FilteredOut Filtered = {}; ///< rows that are not there by the reader's wish
};

/// `seamscope.groups/1`, described in docs/formats.md. What it refers to must outlive it.
Document groupsDocument(const GroupsInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_GROUPS_H
