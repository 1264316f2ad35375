//===- ThrottledShares.h - the part of throttled sites, by samples ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THROTTLEDSHARES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THROTTLEDSHARES_H

#include "analysis/core/KernelRows.h"
#include "analysis/core/MoveUntimed.h"
#include "analysis/core/SelfTime.h"
#include "analysis/core/Throttled.h"
#include "analysis/samples/CodeNames.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// What samples say of untimed calls.
struct SampledMoves {
  /// By row, what is then known of its untimed calls; nothing: samples do not decide.
  std::vector<std::optional<UntimedCalls>> OfRow;
  /// By row, and at the end outside of rows, how far the time that it keeps may be off.
  std::vector<double> ErrorNs;
};

/// Moves the time of untimed calls to their rows as moveUntimed() does, for rows of which samples
/// say how much of their callers they are: short functions take longer when they are timed, so that
/// samples say more than the timed calls. A sample belongs to the throttled function that is the
/// innermost in its code. Those of other functions than the caller's and the throttled ones may be
/// of either: the interval contains both answers, as far as the timed calls allow. \p ByTiming:
/// what moveUntimed() would move. A timed call takes longer than an untimed one, but no longer than
/// a processor can work on other calls meanwhile.
SampledMoves moveBySamples(const Trace &Input, const KernelRows &Rows, const CodeNames &Names,
                           const MovedTimes &ByTiming, SelfTimes &Self);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THROTTLEDSHARES_H
