//===- Ranges.h - opens, closes and records ranges ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_NVTX_RANGES_H
#define SEAMSCOPE_NVTX_RANGES_H

#include "nvtx/Names.h"

namespace seamscope::nvtx {

/// Opens a range of this thread. \returns the number of ranges of the domain that were open on the
/// thread, as NVTX does.
int push(const Domain &D, uint32_t Site);

/// Closes the innermost range of this thread and domain. \returns the number of ranges of the
/// domain that stay open; -2 if none was open.
int pop(const Domain &D);

/// Opens a range that any thread may close. \p Id: the other tool's id; 0: choose an id.
uint64_t start(uint32_t Site, uint64_t Id);

/// Closes a range of start(). Does nothing if \p Id is not open.
void end(uint64_t Id);

/// Records a mark, a range without length.
void mark(uint32_t Site);

/// Frames of the open kernels of a thread that were reported to the other tool.
struct KernelFrames {
  static constexpr uint32_t Capacity = 510; ///< deeper kernels are not reported
  uint32_t Count;
  const void *At[Capacity];
};

/// The frames of this thread; null when there is no memory.
KernelFrames *kernelFrames();

/// Installs the handlers for the end of threads and for forks. Further calls do nothing.
void watchThreads();

} // namespace seamscope::nvtx
#endif // SEAMSCOPE_NVTX_RANGES_H
