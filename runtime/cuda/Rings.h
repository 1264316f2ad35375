//===- Rings.h - the memory that GPU kernels write stamps into -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each context has a ring of segments in its device's memory, one segment per launch
// (seamscope/gpu.h). Every few ms a thread reads the first slot of each segment and fetches the
// segments with new launches: nothing is put into the program's streams, and nobody waits. A launch
// that others overwrote before it was fetched is lost; the trace has the number of lost launches.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_RINGS_H
#define SEAMSCOPE_CUDA_RINGS_H

#include "seamscope/gpu.h"

#include <cuda.h>

namespace seamscope::cuda {

/// Before a launch: sets the control block of the kernel's module, unless it is set. Null: the
/// kernel is unknown.
void observeLaunch(SeamscopeGpuLaunch *Launch);

uint64_t observedLaunches();

/// Sets the control block of a loaded module of the current context. Returns false if the module
/// has none or there is no memory for a ring. \p JustLoaded: its handle may be that of an unloaded
/// module.
bool setUpModule(CUmodule Module, bool JustLoaded = false);

/// Returns when no thread reads rings any more, after setOver().
void waitForDrains();

/// Which launches drainRings() writes after reading all rings.
enum class Drain {
  Gone, ///< those that the rings no longer hold
  All,  ///< all
  AtEnd ///< all, after the devices have done all their work
};
void drainRings(Drain How);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_RINGS_H
