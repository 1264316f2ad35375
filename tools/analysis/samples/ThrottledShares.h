//===- ThrottledShares.h - the part of throttled sites, by samples ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THROTTLEDSHARES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THROTTLEDSHARES_H

#include "analysis/core/KernelRows.h"
#include "analysis/core/Throttled.h"
#include "analysis/samples/CodeNames.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// Moves the time of untimed calls to their rows as moveUntimed() does, for rows of which samples
/// say how much of their callers they are: short functions take longer when they are timed, so that
/// samples say more than the timed calls. Returns by row what is then known of the untimed calls;
/// nothing: samples do not decide. A sample belongs to the throttled function that is the innermost
/// in its code. Those of other functions than the caller's and the throttled ones may be of either:
/// the interval contains both answers.
std::vector<std::optional<UntimedCalls>> moveBySamples(const Trace &Input, const KernelRows &Rows,
                                                       const CodeNames &Names,
                                                       std::vector<int64_t> &RowNs,
                                                       int64_t &UnattributedNs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_THROTTLEDSHARES_H
