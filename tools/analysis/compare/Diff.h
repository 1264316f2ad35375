//===- Diff.h - two traces, row by row ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
#define SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H

#include "analysis/compare/RunTotals.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace seamscope::tools {

/// Its name in reports: "kernel", "renamed", "order", "ambiguous", "op+shape", "op", "path",
/// "none", "unattributed", "blocked", "preempted", "spinning", "recording".
std::string_view diffMatchName(DiffMatch Match);

/// \p Second over \p First; nothing unless both are above 0.
std::optional<double> ratioOf(int64_t First, int64_t Second);
/// The same for one call each.
std::optional<double> callRatioOf(int64_t First, uint64_t FirstCalls, int64_t Second,
                                  uint64_t SecondCalls);

/// Compares kernels of devices. If neither trace has any, it compares the compiled kernels and the
/// operators of the host, on both sides: what is compiled in only one trace is next to the
/// operators that it replaced. If only one has a device, its kernels are next to the other's
/// kernels or operators. \p Texts: the sources, to follow places in kernels from one version to
/// another. \p How: what it has in common with other traces that it is shown with. The names are
/// those of each side's samples, see runTotals().
Difference difference(const Trace &First, const Trace &Second, const SourceTexts &Texts = {},
                      Comparable How = {}, const CodeNames *FirstNames = nullptr,
                      const CodeNames *SecondNames = nullptr);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_DIFF_H
