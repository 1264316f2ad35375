//===- OwnCalls.h - tells Seamscope's calls of CUDA from the program's -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI records every call of the process, and so those that read stamps. They are not the
// program's work: their records are left out.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_OWNCALLS_H
#define SEAMSCOPE_CUDA_OWNCALLS_H

#include <cuda.h>

#include <cstdint>

namespace seamscope::cuda {

/// While it lives, the thread's calls are Seamscope's. May be nested.
class OwnCalls {
public:
  OwnCalls();
  ~OwnCalls();
  OwnCalls(const OwnCalls &) = delete;
  OwnCalls &operator=(const OwnCalls &) = delete;
};

/// From now on there are records. Before that, OwnCalls does nothing.
void watchOwnCalls();

/// All work of a stream is Seamscope's.
void addOwnStream(CUcontext Context, CUstream Stream);

/// Whether a call at this time, by CUPTI's clock, is Seamscope's.
bool isOwnCall(uint32_t Thread, uint64_t BeginNs);

/// Work of an own call that is on no stream. Kept for good, so not for each reading of stamps.
void addOwnWork(uint32_t Correlation);

/// \p Context and \p Stream are CUPTI's numbers.
bool isOwnWork(uint32_t Context, uint32_t Stream, uint32_t Correlation);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_OWNCALLS_H
