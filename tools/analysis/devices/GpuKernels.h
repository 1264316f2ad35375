//===- GpuKernels.h - GPU kernels: stamps, launches -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GPUKERNELS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GPUKERNELS_H

#include "analysis/devices/Devices.h"
#include "analysis/devices/Occupancy.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A mean over launches, weighted by their time; nothing until a launch has the figure.
class WeightedMean {
public:
  void add(const std::optional<double> &Value, double Weight);
  std::optional<double> value() const;

private:
  double Sum = 0, Weights = 0;
  bool Any = false;
};

/// Launches of one kernel on one device.
struct GpuKernel {
  uint64_t Calls = 0;
  /// Idle time of the device before calls, summed over the calls.
  IdleReasons Gap;
  /// From the begin of the call on the host to the begin of the kernel. Nothing if no call that
  /// launched only this kernel is in the trace: the kernels of a graph wait for one another.
  std::optional<int64_t> MedianLatencyNs;
  /// For launches with known shape and known device limits: the percentage of an SM's warps that
  /// the kernel's needs allow, and what limits it for most of their time.
  WeightedMean OccupancyPercent;
  std::optional<OccupancyLimiter> Limiter;
  uint64_t Stamped = 0; ///< launches with stamps
  int64_t Sms = 0;      ///< SMs that ran blocks, at most
  uint64_t OpenWarps = 0, LostWarps = 0;
  /// For launches with stamps: see KernelInside.
  WeightedMean Blocks, ResidentBlocks, Waves, TailPercent, SmImbalance, WarpImbalance, Share;
  /// Sites in host code that launched it, by calls; for all launches.
  std::vector<std::pair<SiteId, uint64_t>> Launches;
};

/// By name and device. Empty if the trace has no device kernels.
using GpuKernels = std::map<std::pair<StringId, int32_t>, GpuKernel>;

/// \p Links: linkWork() of the trace. \p Gaps: of deviceRows().
GpuKernels gpuKernels(const Trace &Input, const std::vector<Origin> &Links,
                      const std::vector<IdleGap> &Gaps);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GPUKERNELS_H
