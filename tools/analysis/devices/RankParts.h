//===- RankParts.h - what each rank did in its wall time ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_RANKPARTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_RANKPARTS_H

#include "analysis/devices/CollectiveRanks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// One rank's wall time, each moment in one part; ns. What stands first has a moment that two could
/// have.
struct RankParts {
  int64_t ComputeNs = 0;       ///< something was computed: of devices a kernel ran that is no
                               ///< collective, on the host an operator other than c10d's
  int64_t CommunicationNs = 0; ///< a collective transferred, or ran and was not matched
  int64_t WaitNs = 0;          ///< matched collectives ran, whose last rank had not begun
  int64_t CopyNs = 0;          ///< a device copied or filled
  int64_t CompileNs = 0;       ///< torch compiled
  int64_t RestNs = 0;          ///< none of these
};

struct RanksParts {
  bool OfDevices = false; ///< the trace has kernels of devices: what they did counts
  /// By input. Nothing: it is not known, since the trace of this rank has no events, or of devices
  /// nothing where those of others have.
  std::vector<std::optional<RankParts>> Rows;
};

/// \p Ranks: splitByRank() of \p Whole; \p Found: its findCollectives(), \p Match: these, matched.
RanksParts partsOfRanks(const Trace &Whole, const RankReport &Ranks,
                        const std::vector<Collective> &Found, const CollectiveMatch &Match);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RANKPARTS_H
