//===- standin.h - runs kernels of a device module on the CPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block after the other, each thread a fiber that runs until a barrier or its end, or until it
// asks which threads of its warp are with it: those that come to the same place, or it is alone.
// Time is made up: blocks are scheduled on SMs as a GPU does it, and take time for what their
// threads do. Every read of a clock is written down: what the slots should hold is known from that.
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

/// A read of both clocks by a thread.
struct ClockRead {
  uint32_t Block, Thread;
  bool AtEntry;
  uint64_t Ns, Clock;
  uint32_t Sm;
};

/// A read of the SM's clock where threads of a warp enter or leave a loop together.
struct BorderRead {
  uint32_t Block, Warp;
  uint32_t Threads; ///< a bit for each that is there
  uint64_t Clock;
};

/// A launch, as it ran.
struct Launch {
  uint64_t Grid;
  Size Blocks, Threads;
  std::vector<ClockRead> Reads; ///< in the order of time
  std::vector<BorderRead> Borders = {};
  uint32_t Trapped = 0;  ///< threads that did not leave the kernel by a return
  uint64_t LengthNs = 0; ///< until the last block was done
};

/// Runs \p Kernel for each thread of the launch.
Launch launch(Size Blocks, Size Threads, const std::function<void()> &Kernel);

/// SMs of the device, and how many blocks each has room for.
extern uint32_t Sms, BlocksPerSm;

/// Sets both clocks; they go on from there.
void setClocks(uint64_t Ns, uint64_t Clock);

} // namespace standin
#endif // SEAMSCOPE_TEST_STANDIN_H
