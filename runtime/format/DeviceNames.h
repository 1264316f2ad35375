//===- DeviceNames.h - names for CUPTI's numbers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names are those of torch.profiler. Empty: no name.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_DEVICENAMES_H
#define SEAMSCOPE_FORMAT_DEVICENAMES_H

#include "format/DeviceEntry.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace seamscope::format {

template <size_t Count> const char *wordOf(const char *const (&Words)[Count], uint64_t Number) {
  return Number < Count ? Words[Number] : "";
}

/// "cudaLaunchKernel_v7000" is a name and the version in which its arguments last changed.
/// cuMemcpyHtoD_v2 is the function's own name.
inline std::string_view withoutVersion(std::string_view Name) {
  const size_t At = Name.rfind("_v");
  if (At == Name.npos || Name.size() < At + 6 ||
      Name.find_first_not_of("0123456789", At + 2) != Name.npos)
    return Name;
  return Name.substr(0, At);
}

/// The name of a CUpti_ActivityMemcpyKind.
inline const char *copyName(uint64_t Kind) {
  static constexpr const char *Words[] = {
      "",     "HtoD", "DtoH", "HtoA", "AtoH",         "AtoA",         "AtoD",
      "DtoA", "DtoD", "HtoH", "PtoP", "Unified HtoD", "Unified DtoH", "Unified DtoD"};
  return wordOf(Words, Kind);
}

/// The name of a CUpti_ActivityMemoryKind.
inline const char *memoryName(uint64_t Kind) {
  static constexpr const char *Words[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                          "Array",   "Managed",  "Device Static", "Managed Static"};
  return wordOf(Words, Kind);
}

/// The name of a CUpti_ActivitySynchronizationType.
inline const char *waitName(uint64_t Kind) {
  static constexpr const char *Words[] = {"Unknown Sync", "Event Sync", "Stream Wait Event",
                                          "Stream Sync", "Context Sync"};
  const char *Word = wordOf(Words, Kind);
  return *Word ? Word : Words[0];
}

/// The CUpti_ExternalCorrelationKind in which torch.profiler numbers operators.
constexpr uint32_t ExternalLayerOfTorch = 3;

/// The name of a CUpti_ExternalCorrelationKind.
inline const char *externalLayerName(uint64_t Kind) {
  static constexpr const char *Words[] = {"invalid", "unknown", "openacc",
                                          "custom0", "custom1", "custom2"};
  const char *Word = wordOf(Words, Kind);
  return *Word ? Word : "other";
}

/// The `cat` of an activity's event.
inline const char *categoryOf(DeviceActivityKind Kind) {
  static constexpr const char *Words[] = {"",          "kernel",       "gpu_memcpy",  "gpu_memset",
                                          "cuda_sync", "cuda_runtime", "cuda_driver", "overhead"};
  return wordOf(Words, static_cast<uint64_t>(Kind));
}

/// The name of what a kernel's counters count, SeamscopeGpuCounts::id, in a trace.
constexpr size_t CountsIdBytes = 17;
inline const char *countsId(uint64_t Id, char (&Into)[CountsIdBytes]) {
  snprintf(Into, CountsIdBytes, "%016llx", static_cast<unsigned long long>(Id));
  return Into;
}

/// Why a launch of a kernel that counts its work has none.
constexpr const char *WorkIsLost = "the counters of this launch did not arrive";

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_DEVICENAMES_H
