//===- EagerRows.h - operators of a trace, without those inside others ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EAGERROWS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EAGERROWS_H

#include "trace/model/Trace.h"

#include <set>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A row of the eager trace: calls of a kernel or operator that count as a whole.
///
/// An ATen operator that runs inside another one on the same thread is part of that one's time and
/// has no row. One that does nothing but call one other (aten::softmax calls aten::_softmax) goes
/// by the names of both, and so on down the line.
struct EagerRow {
  std::vector<StringId> Names; ///< the outermost call's, then those of what it merely calls
  SiteId Site = 0;             ///< of one of its outermost calls: its own operators
  std::set<std::array<StringId, 4>> Inputs; ///< of its calls, as recorded
  uint64_t Calls = 0;                       ///< never 0
  int64_t TotalNs = 0;

  /// "aten::softmax > aten::_softmax".
  std::string title(const Trace &Eager) const;
};

/// The rows of \p Eager, longest total first.
std::vector<EagerRow> eagerRows(const Trace &Eager);

/// The operators by which a row goes, as bare names: its list if it has one and that holds a single
/// operator; none if it holds more, as the row is a fused kernel itself; without a list its names.
std::vector<std::string> operatorsCarried(const Trace &Eager, const EagerRow &Row);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EAGERROWS_H
