//===- Activities.h - CUPTI's records, into the spool ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, copies, fills, waits and calls of the runtime and the driver, by CUPTI's activity
// interface alone. No subscriber: there can be but one in a process, and torch.profiler, nsys and
// ncu want to be it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_ACTIVITIES_H
#define SEAMSCOPE_CUDA_ACTIVITIES_H

namespace seamscope::cuda {

/// Has CUPTI record. False: it cannot, and one line on stderr says why.
bool startActivities();

/// Has CUPTI hand over the records of work that has ended; with \p All of all work.
void flushActivities(bool All);

/// How many records of any kind have come.
unsigned long long recordsSeen();

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_ACTIVITIES_H
