//===- Activities.h - stores CUPTI's records in the spool -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, copies, fills, waits and calls of the runtime and the driver, by CUPTI's activity
// interface alone. A process can have one subscriber of CUPTI; that place is left to
// torch.profiler, nsys and ncu.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_ACTIVITIES_H
#define SEAMSCOPE_CUDA_ACTIVITIES_H

namespace seamscope::cuda {

/// Starts CUPTI's recording. On failure, prints one line to stderr and returns false.
bool startActivities();

/// Makes CUPTI hand over the records of work that has ended; with \p All, of all work.
void flushActivities(bool All);

/// The number of records of any kind that CUPTI has handed over.
unsigned long long recordsSeen();

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_ACTIVITIES_H
