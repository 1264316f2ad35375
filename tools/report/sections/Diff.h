//===- Diff.h - the difference of two traces, as a document --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_DIFF_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_DIFF_H

#include "analysis/compare/Diff.h"
#include "analysis/compare/Repeats.h"
#include "report/model/Document.h"

namespace seamscope::tools {

/// Rows that are not there by the reader's wish.
struct DiffFiltered {
  uint64_t Rows = 0, FirstCalls = 0, SecondCalls = 0;
  int64_t FirstNs = 0, SecondNs = 0;
};

struct DiffInput {
  const Trace *First;
  const Trace *Second;
  const Difference *Result;
  size_t Top = SIZE_MAX; ///< rows shown
  DiffFiltered Filtered = {};
  const RepeatedDifference *Repeats = nullptr; ///< null: one run a side, and no threshold
  double ThresholdPercent = 0;                 ///< of these
};

/// `seamscope.diff/1`, described in docs/formats.md. What it refers to must outlive it.
Document diffDocument(const DiffInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_DIFF_H
