//===- Memory.h - memory that torch's allocators allocated ----------------===//
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

/// What one operator requested from a device's allocator: changes while it was the innermost
/// operator of their thread.
struct OperatorMemoryRow {
  StringId Name = 0; ///< 0: outside of all operators
  uint64_t Allocations = 0, Frees = 0;
  int64_t AllocatedBytes = 0; ///< sum
  int64_t FreedBytes = 0;     ///< sum, not below 0
  /// Allocated by it and not freed at the peak, as far as addresses show; 0 without addresses.
  int64_t AtPeakBytes = 0;

  /// "Self CPU Mem" or "Self CUDA Mem" of torch's key_averages().
  int64_t netBytes() const { return AllocatedBytes - FreedBytes; }
};

/// A device's memory over the trace. The peak is of allocated memory; of equal peaks, the first.
struct MemoryRow {
  int32_t DeviceType = 0; ///< c10::DeviceType: 0 is the host, 1 CUDA, 6 HIP
  int32_t Device = -1;    ///< -1: none
  uint64_t Allocations = 0, Frees = 0;
  int64_t AllocatedBytes = 0, FreedBytes = 0; ///< sums, not below 0
  /// Nothing if the trace has no totals of the allocator: since 2021 each change has them.
  /// Allocated before the first change; for the host, torch counts from the profiler's start.
  std::optional<int64_t> FirstBytes;
  std::optional<int64_t> LastBytes; ///< after the last change
  std::optional<int64_t> PeakBytes;
  /// The most that the allocator reserved from the device.
  std::optional<int64_t> PeakReservedBytes;
  /// The most by which the changes exceed the first state: known even without totals.
  int64_t PeakRiseBytes = 0;
  /// Time of the change that reached it; nothing: never above the first state.
  std::optional<int64_t> PeakNs;
  StringId PeakOperator = 0; ///< innermost operator around that change; 0: none
  /// Part of PeakBytes that was allocated before the trace, or is in no row's AtPeakBytes; nothing
  /// without totals.
  std::optional<int64_t> OlderBytes;
  std::vector<OperatorMemoryRow> Operators; ///< most allocated first; each change is in one row
};

/// For each device with changes, hosts first. Needs a trace with profile_memory=True that was read
/// with ReadOptions::Memory. Allocations outside of torch's allocators are not included.
std::vector<MemoryRow> memoryRows(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_MEMORY_H
