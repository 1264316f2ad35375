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

/// One rank's wall time, with each moment in one part; ns. Earlier parts take precedence.
struct RankParts {
  /// Something was computed: on devices, a kernel ran that is not a collective; on the host, an
  /// operator other than c10d's.
  int64_t ComputeNs = 0;
  int64_t CommunicationNs = 0; ///< a collective transferred, or an unmatched one ran
  int64_t WaitNs = 0;          ///< a matched collective ran whose last rank had not begun
  int64_t CopyNs = 0;          ///< a device copied or filled
  int64_t CompileNs = 0;       ///< torch compiled
  int64_t RestNs = 0;          ///< none of these
};

struct RanksParts {
  bool OfDevices = false; ///< the trace has device kernels: only device work counts
  /// By input. Nothing: not known, since this rank's trace has no events, or no device work
  /// although those of others have.
  std::vector<std::optional<RankParts>> Rows;
};

/// \p Ranks: splitByRank() of \p Whole; \p Found: its findCollectives(), \p Match: these matched
/// across ranks.
RanksParts partsOfRanks(const Trace &Whole, const RankReport &Ranks,
                        const std::vector<Collective> &Found, const CollectiveMatch &Match);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RANKPARTS_H
