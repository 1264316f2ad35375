//===- WholeWork.h - FLOPs and bytes of calls with all inside them -- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_WHOLEWORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_WHOLEWORK_H

#include "analysis/devices/Work.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// FLOPs and bytes, complete.
struct WholeWork {
  int64_t Flop = 0;
  int64_t Bytes = 0;
};

/// Sums of calls whose work is completely known.
struct WholeWorkSum {
  WholeWork Of;
  uint64_t Calls = 0;

  /// Adds the work of \p Count calls. A sum that does not fit has no calls.
  void add(const WholeWork &Work, uint64_t Count = 1);
};

/// By event: the work of an operator of the host with all operators inside it. Nothing if one of
/// them has no formula or unknown arguments, so that the sum would only be a part.
std::vector<std::optional<WholeWork>> wholeWork(const Trace &Input, const TraceWork &Work);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_WHOLEWORK_H
