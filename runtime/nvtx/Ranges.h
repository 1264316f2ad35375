//===- Ranges.h - open ranges, and what is recorded of them ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_NVTX_RANGES_H
#define SEAMSCOPE_NVTX_RANGES_H

#include "nvtx/Names.h"

namespace seamscope::nvtx {

/// Opens a range of this thread. \returns how many of its domain were open on the thread, as NVTX
/// does.
int push(const Domain &D, uint32_t Site);

/// Closes the innermost range of this thread and domain. \returns how many of the domain stay open;
/// -2 when none was.
int pop(const Domain &D);

/// Opens a range that any thread may close. \p Id: that of the other tool, or 0 for one of our own.
uint64_t start(uint32_t Site, uint64_t Id);

/// Closes it. Nothing for an id that is not open.
void end(uint64_t Id);

/// A moment.
void mark(uint32_t Site);

/// The kernels of a thread that the other tool was told of, by their frames.
struct KernelFrames {
  static constexpr uint32_t Capacity = 510; ///< deeper ones it is not told of
  uint32_t Count;
  const void *At[Capacity];
};

/// Those of this thread; null when there is no memory.
KernelFrames *kernelFrames();

/// Has the ends of threads and forks watched. Once.
void watchThreads();

} // namespace seamscope::nvtx
#endif // SEAMSCOPE_NVTX_RANGES_H
