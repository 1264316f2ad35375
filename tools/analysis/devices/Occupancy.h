//===- Occupancy.h - how many warps of a kernel an SM has room for --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_OCCUPANCY_H
#define SEAMSCOPE_TOOLS_ANALYSIS_OCCUPANCY_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>

namespace seamscope::tools {

/// One launch.
struct LaunchNeeds {
  int64_t GridBlocks = 0;
  int64_t BlockThreads = 0;
  int64_t Registers = 0;   ///< per thread
  int64_t SharedBytes = 0; ///< per block, static and dynamic
};

/// What keeps more blocks from an SM. If several limits allow equally few, the first is named.
enum class OccupancyLimiter : uint8_t { Warps, Blocks, Registers, SharedMemory, Grid };

/// "warps", "blocks", "registers", "shared_memory", "grid".
const char *nameOf(OccupancyLimiter Limiter);

struct Occupancy {
  int64_t BlocksPerSm = 0;     ///< that fit at the same time
  int64_t WarpsPerSm = 0;      ///< of these blocks
  double TheoreticalShare = 0; ///< share of the warps that an SM can hold: 0 to 1
  double GridShare = 0;        ///< the same if all SMs share the blocks of the grid equally
  OccupancyLimiter Limiter = OccupancyLimiter::Warps;
};

/// Nothing if a figure is missing, the compute capability is not known or no block fits.
std::optional<Occupancy> occupancyOf(const SmLimits &Limits, const LaunchNeeds &Needs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_OCCUPANCY_H
