//===- standin.h - runs kernels of a device module on the CPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks run one after the other. Each thread is a fiber that runs until a barrier, its end, or a
// query of the threads of its warp at the same place, which gives those that come there, or only
// itself. Time is simulated: blocks are scheduled on SMs as on a GPU, and take time for their
// threads' work. Every clock reading is logged, which gives the expected slots.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_STANDIN_H
#define SEAMSCOPE_TEST_STANDIN_H

#include <cstdint>
#include <functional>
#include <vector>

namespace standin {

struct Size {
  uint32_t X = 1, Y = 1, Z = 1;
  uint64_t all() const { return uint64_t(X) * Y * Z; }
};

/// A reading of both clocks by a thread.
struct ClockRead {
  uint32_t Block, Thread;
  bool AtEntry;
  uint64_t Ns, Clock;
  uint32_t Sm;
};

/// A reading of the SM's clock where threads of a warp enter or leave a loop together.
struct BorderRead {
  uint32_t Block, Warp;
  uint32_t Threads; ///< a bit for each thread of the group
  uint64_t Clock;
};

/// A launch and its readings.
struct Launch {
  uint64_t Grid;
  Size Blocks, Threads;
  std::vector<ClockRead> Reads; ///< in the order of time
  std::vector<BorderRead> Borders = {};
  uint32_t Trapped = 0;  ///< threads that left the kernel other than by a return
  uint64_t LengthNs = 0; ///< until the end of the last block
};

/// Runs \p Kernel for each thread of the launch.
Launch launch(Size Blocks, Size Threads, const std::function<void()> &Kernel);

/// Number of SMs, and of blocks for which each has room.
extern uint32_t Sms, BlocksPerSm;

/// Sets both clocks, which continue from there.
void setClocks(uint64_t Ns, uint64_t Clock);

} // namespace standin
#endif // SEAMSCOPE_TEST_STANDIN_H
