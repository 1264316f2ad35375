//===- EagerRows.h - operators of a trace, without those inside others ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EAGERROWS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EAGERROWS_H

#include "analysis/devices/WholeWork.h"
#include "trace/model/Trace.h"

#include <set>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A row of the eager trace: calls of a kernel or operator that count as a whole. An ATen operator
/// that runs inside another one on the same thread is part of that one's time and has no row. An
/// operator that only calls one other (aten::softmax calls aten::_softmax) has the names of both,
/// and so on down the line.
struct EagerRow {
  std::vector<StringId>
      Names;       ///< the outermost call's, then those of the operators that it only forwards to
  SiteId Site = 0; ///< of one of its outermost calls: has its operators
  std::set<std::array<StringId, 4>> Inputs; ///< of its calls, as recorded
  uint64_t Calls = 0;                       ///< never 0
  int64_t TotalNs = 0;
  int64_t OffNs = 0; ///< of TotalNs, its thread is known to have been blocked or preempted

  /// By formula, of the calls that TotalNs has the time of, and whose work is completely known.
  /// None of calls of the host in a trace of devices: these did the work.
  WholeWorkSum Work = {};

  /// "aten::softmax > aten::_softmax".
  std::string title(const Trace &Eager) const;
};

/// The rows of \p Eager, longest total first.
std::vector<EagerRow> eagerRows(const Trace &Eager);

/// The operators that a row stands for, as bare names. If it has a list of one operator: that one.
/// None if the list has more, as the row is a fused kernel itself. Without a list: its names.
std::vector<std::string> operatorsCarried(const Trace &Eager, const EagerRow &Row);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EAGERROWS_H
