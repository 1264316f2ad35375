//===- ClockAlignment.h - clocks of ranks, by their collectives -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CLOCKALIGNMENT_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CLOCKALIGNMENT_H

#include "analysis/core/Ranks.h"
#include "analysis/devices/RankCalls.h"

#include <optional>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// Finds the clocks of inputs, whose collectives are \p Calls, matched by order; \p Ranks: by
/// input. No rank can end a collective that needs all before all have begun, so each gives an
/// interval for the difference of two clocks. Differences that grow evenly are fitted to all of
/// them. The rank with the lowest number is the reference; for those that share no group with it,
/// by way of others.
/// \p AreGiven: the times are said to be of one clock. They stay unless a collective contradicts
/// them.
std::vector<RankClock> alignClocks(const RankCalls &Calls,
                                   const std::vector<std::optional<int64_t>> &Ranks, bool AreGiven);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CLOCKALIGNMENT_H
