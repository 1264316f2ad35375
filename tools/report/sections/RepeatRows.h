//===- RepeatRows.h - two sides of several runs each ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPEATROWS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPEATROWS_H

#include "analysis/compare/Repeats.h"
#include "report/model/Document.h"

namespace seamscope::tools {

/// `repeats`: changes of means with their intervals, and whether they exceed \p ThresholdPercent.
void addRepeats(Section &To, const RepeatedDifference &Of, double ThresholdPercent, size_t Top);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPEATROWS_H
