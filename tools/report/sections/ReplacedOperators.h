//===- ReplacedOperators.h - eager operators and their work ------- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPLACEDOPERATORS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPLACEDOPERATORS_H

#include "analysis/devices/WholeWork.h"
#include "report/sections/Context.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Calls of an eager operator, of any shapes, that a kernel replaced.
struct ReplacedCalls {
  std::string Name; ///< untrusted
  uint64_t Calls = 0;
  int64_t Ns = 0;                ///< of all calls, as recorded in the eager run
  std::optional<WholeWork> Work; ///< of all calls, by formula; nothing: not known of each
  bool IsShared = false;         ///< other kernels do a part of what it did
};

/// What the kernel in row \p Kernel of the statistics replaced, in the compared steps of the run's
/// folder, else in the trace that --baseline names. Views and the like, which do no work, are left
/// out.
std::vector<ReplacedCalls> replacedCalls(const ReportContext &In, size_t Kernel);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPLACEDOPERATORS_H
