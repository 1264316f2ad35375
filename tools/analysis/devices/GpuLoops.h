//===- GpuLoops.h - the loops of GPU kernels, summed ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GPULOOPS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GPULOOPS_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A loop of a kernel, over all launches that recorded it.
struct GpuLoop {
  static constexpr uint32_t None = UINT32_MAX;

  SiteId Site = 0;
  uint32_t Parent = None; ///< index among the kernel's loops
  uint32_t Depth = 1;
  uint64_t Calls = 0; ///< entries of warps, or of the threads of a warp that entered together
  /// Each launch's time, by the share of it that the threads of its warps spent in the loop.
  int64_t TotalNs = 0, SelfNs = 0; ///< self: without inner loops
  double Clocks = 0;               ///< of a thread in one launch: the mean
};

/// The loops of one kernel on one device.
struct GpuKernelLoops {
  uint64_t Launches = 0;      ///< those with times of loops
  int64_t TotalNs = 0;        ///< of these
  int64_t SelfNs = 0;         ///< without the loops
  std::vector<GpuLoop> Loops; ///< each before its inner loops
};

/// By name and device, as in GpuKernels.
using GpuLoops = std::map<std::pair<StringId, int32_t>, GpuKernelLoops>;

GpuLoops gpuLoops(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GPULOOPS_H
