//===- Occupancy.cpp - how many warps of a kernel an SM has room for ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures by compute capability are from the CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability", and from the occupancy
// calculator in CUDA.
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Occupancy.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace seamscope::tools {
namespace {

/// Limits that are not among the device properties.
struct Generation {
  int64_t Blocks;         ///< resident on one SM
  int64_t Partitions;     ///< of an SM, each with registers of its own
  int64_t SharedUnit;     ///< shared memory is given out in multiples of this
  int64_t SharedReserved; ///< that the system reserves for each block
  int64_t MostRegisters;  ///< per thread
};

std::optional<Generation> generationOf(int64_t Major, int64_t Minor) {
  switch (Major) {
  case 5:
    return Generation{32, 4, 256, 0, 255};
  case 6:
    return Generation{32, Minor ? 4 : 2, 256, 0, 255};
  case 7:
    return Generation{Minor == 5 ? 16 : 32, 4, 256, 0, 256};
  case 8:
    return Generation{Minor == 0 ? 32 : Minor == 9 ? 24 : 16, 4, 128, 1024, 256};
  case 9:
    return Generation{32, 4, 128, 1024, 256};
  case 10:
    return Generation{Minor == 1 ? 24 : 32, 4, 128, 1024, 256};
  case 11:
    return Generation{Minor == 0 ? 24 : 32, 4, 128, 1024, 256};
  case 12:
    return Generation{24, 4, 128, 1024, 256};
  default:
    return std::nullopt;
  }
}

int64_t roundedUp(int64_t Value, int64_t Unit) { return (Value + Unit - 1) / Unit * Unit; }

int64_t blocksByRegisters(const SmLimits &Limits, const Generation &Of, int64_t Registers,
                          int64_t Warps) {
  constexpr int64_t Unit = 256; // registers are given to a warp in this unit, on all listed devices
  const int64_t OfWarp = roundedUp(Registers * Limits.WarpSize, Unit);
  if (!OfWarp)
    return std::numeric_limits<int64_t>::max();
  // The launch is checked as if each of four partitions took equally many warps, even if there are
  // two.
  constexpr int64_t Checked = 4;
  if (Registers > Of.MostRegisters || OfWarp * roundedUp(Warps, Checked) > Limits.Registers)
    return 0;
  return Limits.Registers / Of.Partitions / OfWarp * Of.Partitions / Warps;
}

int64_t blocksByShared(const SmLimits &Limits, const Generation &Of, int64_t SharedBytes) {
  const int64_t OfBlock = roundedUp(SharedBytes + Of.SharedReserved, Of.SharedUnit);
  return OfBlock ? Limits.SharedBytes / OfBlock : std::numeric_limits<int64_t>::max();
}

/// No device has larger figures; products of these do not overflow.
bool isSane(int64_t Value) { return Value > 0 && Value < int64_t{1} << 31; }

} // namespace

const char *nameOf(OccupancyLimiter Limiter) {
  switch (Limiter) {
  case OccupancyLimiter::Warps:
    return "warps";
  case OccupancyLimiter::Blocks:
    return "blocks";
  case OccupancyLimiter::Registers:
    return "registers";
  case OccupancyLimiter::SharedMemory:
    return "shared_memory";
  case OccupancyLimiter::Grid:
    return "grid";
  }
  return "";
}

std::optional<Occupancy> occupancyOf(const SmLimits &Limits, const LaunchNeeds &Needs) {
  const auto Of = generationOf(Limits.Major, Limits.Minor);
  if (!Of || Limits.WarpSize != 32 || !isSane(Limits.Sms) || !isSane(Limits.Threads) ||
      !isSane(Limits.Registers) || !isSane(Limits.SharedBytes) || !isSane(Needs.BlockThreads) ||
      !isSane(Needs.Registers) || Needs.GridBlocks <= 0 ||
      (Needs.SharedBytes && !isSane(Needs.SharedBytes)))
    return std::nullopt;
  const int64_t Warps = roundedUp(Needs.BlockThreads, Limits.WarpSize) / Limits.WarpSize;
  const int64_t MostWarps = Limits.Threads / Limits.WarpSize;
  const std::pair<int64_t, OccupancyLimiter> Allowed[] = {
      {MostWarps / Warps, OccupancyLimiter::Warps},
      {Of->Blocks, OccupancyLimiter::Blocks},
      {blocksByRegisters(Limits, *Of, Needs.Registers, Warps), OccupancyLimiter::Registers},
      {blocksByShared(Limits, *Of, Needs.SharedBytes), OccupancyLimiter::SharedMemory}};
  const auto &[Blocks, Limiter] =
      *std::ranges::min_element(Allowed, {}, &std::pair<int64_t, OccupancyLimiter>::first);
  if (!Blocks)
    return std::nullopt;
  Occupancy Known;
  Known.BlocksPerSm = Blocks;
  Known.WarpsPerSm = Blocks * Warps;
  Known.TheoreticalShare = static_cast<double>(Known.WarpsPerSm) / static_cast<double>(MostWarps);
  const double OnEach = static_cast<double>(Needs.GridBlocks) / static_cast<double>(Limits.Sms);
  const bool Small = OnEach < static_cast<double>(Blocks);
  Known.GridShare = Small ? OnEach * static_cast<double>(Warps) / static_cast<double>(MostWarps)
                          : Known.TheoreticalShare;
  Known.Limiter = Small ? OccupancyLimiter::Grid : Limiter;
  return Known;
}

} // namespace seamscope::tools
