//===- Memory.h - what torch's allocators gave out ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_MEMORY_H
#define SEAMSCOPE_TOOLS_ANALYSIS_MEMORY_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// What one operator asked of a device's allocator: changes while it was the innermost operator of
/// their thread.
struct OperatorMemoryRow {
  StringId Name = 0; ///< 0: outside of all operators
  uint64_t Allocations = 0, Frees = 0;
  int64_t AllocatedBytes = 0; ///< sum
  int64_t FreedBytes = 0;     ///< sum, not below 0
  int64_t AtPeakBytes = 0; ///< that it had allocated and nobody had given back at the peak, where
                           ///< addresses tell; 0 without them

  /// "Self CPU Mem" or "Self CUDA Mem" of torch's key_averages().
  int64_t netBytes() const { return AllocatedBytes - FreedBytes; }
};

/// A device's memory over the trace. The peak is that of what was allocated, the first of equal
/// ones.
struct MemoryRow {
  int32_t DeviceType = 0; ///< c10::DeviceType: 0 is the host, 1 CUDA, 6 HIP
  int32_t Device = -1;    ///< -1: none
  uint64_t Allocations = 0, Frees = 0;
  int64_t AllocatedBytes = 0, FreedBytes = 0; ///< sums, not below 0
  /// Nothing where the trace has no totals of the allocator: they stand at each change, since 2021.
  std::optional<int64_t> FirstBytes; ///< allocated before the first change; of the host, torch
                                     ///< counts from when the profiler began
  std::optional<int64_t> LastBytes;  ///< after the last
  std::optional<int64_t> PeakBytes;
  std::optional<int64_t> PeakReservedBytes; ///< most that the allocator had from the device
  int64_t PeakRiseBytes = 0;                ///< the most by which the changes lie above the first
                                            ///< state: known also without totals
  std::optional<int64_t> PeakNs; ///< when: the change that reached it; nothing: none rose
  StringId PeakOperator = 0;     ///< innermost around that change; 0: none
  /// Of PeakBytes, what was allocated before the trace or is in no row's AtPeakBytes; nothing
  /// without totals.
  std::optional<int64_t> OlderBytes;
  std::vector<OperatorMemoryRow> Operators; ///< most allocated first; each change is in one
};

/// Of each device with changes, hosts first. Needs a trace of profile_memory=True that was read
/// with ReadOptions::Memory. Allocations outside of torch's allocators are not in it.
std::vector<MemoryRow> memoryRows(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_MEMORY_H
