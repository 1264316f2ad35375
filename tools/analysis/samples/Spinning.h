//===- Spinning.h - waits that look again and again --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SPINNING_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SPINNING_H

#include "analysis/core/KernelRows.h"
#include "analysis/samples/CodeNames.h"
#include "analysis/samples/Proportion.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Whether code waits, although its thread runs. \p Function: with the namespaces and arguments of
/// a symbol; empty: not known.
bool isSpinning(std::string_view Library, const std::string &Function);

/// The time in which threads spun in a kernel, in one function: an estimate by samples.
struct SpinRow {
  SiteId Kernel = 0;   ///< the first site of its row
  std::string Symbol;  ///< empty: not known
  std::string Library; ///< that has it
  uint64_t Samples = 0;
  int64_t Ns = 0, LowNs = 0, HighNs = 0; ///< with its 95 % interval
};
std::vector<SpinRow> spinRows(const Trace &Input, const CodeNames &Names);

/// By row, the part of its running time that is spinning; nothing: none, or too few samples hit it.
std::vector<std::optional<Proportion>> spinShares(const Trace &Input, const KernelRows &Rows,
                                                  const CodeNames &Names);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SPINNING_H
