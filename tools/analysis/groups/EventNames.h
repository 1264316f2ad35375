//===- EventNames.h - the events of a trace by category and name ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EVENTNAMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EVENTNAMES_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

struct EventNameRow {
  StringId Category = 0, Name = 0;
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< with nested calls, whose time counts again
  int64_t MinNs = 0, MaxNs = 0;
  std::optional<int64_t> SelfNs; ///< without nested calls; only for host spans
};

/// Longest first.
std::vector<EventNameRow> eventNames(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EVENTNAMES_H
