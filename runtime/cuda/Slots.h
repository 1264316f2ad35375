//===- Slots.h - reads the stamps of GPU kernels ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the figures of a launch from the slots that its warps wrote (seamscope/gpu.h). Memory
// that a device is writing, or that nobody wrote, is not an error: what cannot be a slot is
// ignored.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_SLOTS_H
#define SEAMSCOPE_CUDA_SLOTS_H

#include "seamscope/gpu.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seamscope::cuda {

/// Times of the loops of a launch, for warps that have left the kernel and all of its loops.
struct LoopTimes {
  struct Loop {
    uint64_t Entries = 0;
    uint64_t Clocks = 0; ///< sum over threads
  };
  std::vector<Loop> Loops;         ///< in the order of SeamscopeGpuKernel
  uint64_t Warps = 0, Threads = 0; ///< warps and threads that the sums include
  uint64_t Clocks = 0;             ///< sum over these threads of their warps' time in the kernel
};

/// The slots of one launch that a segment of the ring holds.
struct LaunchSlots {
  uint32_t Number; ///< lower half of %gridid
  uint32_t Kernel; ///< SeamscopeGpuKernel::id
  std::vector<SeamscopeGpuSlot> Warps;
  uint32_t Open = 0; ///< warps that have not left
  LoopTimes Loops = {};

  bool isSame(uint32_t OtherNumber, uint32_t OtherKernel) const {
    return Number == OtherNumber && Kernel == OtherKernel;
  }
};

/// Whether a warp wrote the slot.
constexpr bool isWritten(const SeamscopeGpuSlot &Slot) { return Slot.begin_ns && Slot.kernel; }

/// Sorts the slots of a segment into launches. A later launch may have overwritten a part of an
/// earlier one.
std::vector<LaunchSlots> launchesIn(std::span<const SeamscopeGpuSlot> Segment);

/// Adds the loops of \p Slot, whose records are \p Records, to \p Sums. Leaves out a warp that is
/// still in the kernel or in a loop, and impossible records.
void addLoops(LoopTimes &Sums, const SeamscopeGpuSlot &Slot,
              std::span<const SeamscopeGpuLoop> Records);

/// The same with the records of loops, SEAMSCOPE_GPU_MOST_LOOPS for each slot, which were read
/// between \p Segment and \p Again. Leaves out the records of slots that changed meanwhile.
std::vector<LaunchSlots> launchesIn(std::span<const SeamscopeGpuSlot> Segment,
                                    std::span<const SeamscopeGpuLoop> Records,
                                    std::span<const SeamscopeGpuSlot> Again);

/// A block of a launch.
struct BlockTimes {
  uint32_t Block, Sm, Warps;
  uint64_t BeginNs, EndNs;       ///< by %globaltimer: begin of its first warp, and end of its last
  uint64_t BeginClock, EndClock; ///< by its SM's %clock64
};

/// The blocks of a launch, by number. A warp that has not left counts until the launch's last end.
std::vector<BlockTimes> blocksOf(const LaunchSlots &Launch);

/// The figures for format::DeviceInside.
struct LaunchTimes {
  uint64_t BeginNs = 0, EndNs = 0;
  uint32_t Sms = 0;
  uint32_t Resident = 0; ///< the most blocks on one SM at a time
  uint64_t SmNs = 0, MostSmNs = 0, TailNs = 0;
  uint64_t WarpClocks = 0, MostWarpClocks = 0; ///< in 1/1024 clocks
};

LaunchTimes timesOf(const LaunchSlots &Launch, const std::vector<BlockTimes> &Blocks);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_SLOTS_H
