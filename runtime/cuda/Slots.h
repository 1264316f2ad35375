//===- Slots.h - reads the stamps of GPU kernels ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the slots that warps wrote (seamscope/gpu.h) to figures of a launch. Memory that a device is
// writing, or that nobody wrote, is not an error: what cannot be a slot is ignored.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_SLOTS_H
#define SEAMSCOPE_CUDA_SLOTS_H

#include "seamscope/gpu.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seamscope::cuda {

/// Times of the loops of a launch, of warps that have left the kernel and all of its loops.
struct LoopTimes {
  struct Loop {
    uint64_t Entries = 0;
    uint64_t Clocks = 0; ///< sum over threads
  };
  std::vector<Loop> Loops;         ///< in the order of SeamscopeGpuKernel
  uint64_t Warps = 0, Threads = 0; ///< that are in the sums
  uint64_t Clocks = 0;             ///< sum over these threads, of their warps' time in the kernel
};

/// The slots of one launch that a segment of the ring holds.
struct LaunchSlots {
  uint32_t Number; ///< lower half of %gridid
  uint32_t Kernel; ///< SeamscopeGpuKernel::id
  std::vector<SeamscopeGpuSlot> Warps;
  uint32_t Open = 0; ///< of these, that have not left
  LoopTimes Loops = {};

  bool isSame(uint32_t OtherNumber, uint32_t OtherKernel) const {
    return Number == OtherNumber && Kernel == OtherKernel;
  }
};

/// Whether a warp wrote it.
constexpr bool isWritten(const SeamscopeGpuSlot &Slot) { return Slot.begin_ns && Slot.kernel; }

/// Sorts the slots of a segment into launches. A later launch may have overwritten a part of an
/// earlier one.
std::vector<LaunchSlots> launchesIn(std::span<const SeamscopeGpuSlot> Segment);

/// Adds the loops of \p Slot, which are \p Records, to \p Sums. Leaves out a warp that is still in
/// the kernel or in a loop, and records that cannot be.
void addLoops(LoopTimes &Sums, const SeamscopeGpuSlot &Slot,
              std::span<const SeamscopeGpuLoop> Records);

/// The same with the records of loops, SEAMSCOPE_GPU_MOST_LOOPS of each slot, that were read
/// between
/// \p Segment and \p Again: records of a slot that changed meanwhile are left out.
std::vector<LaunchSlots> launchesIn(std::span<const SeamscopeGpuSlot> Segment,
                                    std::span<const SeamscopeGpuLoop> Records,
                                    std::span<const SeamscopeGpuSlot> Again);

/// A block of a launch.
struct BlockTimes {
  uint32_t Block, Sm, Warps;
  uint64_t BeginNs, EndNs;       ///< by %globaltimer: of its first warp to begin, and last to leave
  uint64_t BeginClock, EndClock; ///< by its SM's %clock64
};

/// The blocks of a launch, by number. A warp that has not left lasts until the launch's last end.
std::vector<BlockTimes> blocksOf(const LaunchSlots &Launch);

/// What format::DeviceInside says of a launch.
struct LaunchTimes {
  uint64_t BeginNs = 0, EndNs = 0;
  uint32_t Sms = 0;
  uint32_t Resident = 0; ///< blocks that were on one SM at a time, at most
  uint64_t SmNs = 0, MostSmNs = 0, TailNs = 0;
  uint64_t WarpClocks = 0, MostWarpClocks = 0; ///< in 1/1024 clocks
};

LaunchTimes timesOf(const LaunchSlots &Launch, const std::vector<BlockTimes> &Blocks);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_SLOTS_H
