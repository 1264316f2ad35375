//===- Rings.h - the memory that GPU kernels write stamps into -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each context has a ring of segments in its device's memory, a launch a segment (seamscope/gpu.h).
// Every few ms a thread reads the first slot of each segment, and fetches the segments that have
// new launches: nothing is put into the program's streams, and nobody waits. A launch that others
// overwrote before it was fetched is lost; the trace has the number of these.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_RINGS_H
#define SEAMSCOPE_CUDA_RINGS_H

#include "seamscope/gpu.h"

#include <cuda.h>

namespace seamscope::cuda {

/// Before a launch: sets the control block of the kernel's module if that was not done. Null:
/// nothing is known of the kernel.
void observeLaunch(SeamscopeGpuLaunch *Launch);

/// How many launches were observed.
uint64_t observedLaunches();

/// Sets the control block of a loaded module of the current context. False: it has none, or there
/// is no memory for a ring. \p JustLoaded: its handle may be that of a module that was unloaded.
bool setUpModule(CUmodule Module, bool JustLoaded = false);

/// Reads what all rings hold.
enum class Drain {
  Gone, ///< and writes what is known of launches that they hold no more
  All,  ///< and writes what is known of all
  AtEnd ///< once their devices have done all their work, and writes all
};
void drainRings(Drain How);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_RINGS_H
