//===- DevicePeaks.h - peak rates of devices ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_DEVICEPEAKS_H
#define SEAMSCOPE_TOOLS_WORK_DEVICEPEAKS_H

#include "trace/io/Error.h"
#include "work/OpWork.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

struct ComputeUnit;

/// The peak rates of a device: TFLOP/s (1e12 FLOP/s), dense, and GB/s (1e9 bytes/s). 0: unknown.
struct DevicePeaks {
  std::string Name; ///< words of the device's name, or all of it
  double Fp64 = 0, Fp64Matrix = 0, Fp32 = 0, Tf32 = 0, Fp16Matrix = 0, Bf16Matrix = 0,
         Fp8Matrix = 0;
  double DramGBPerS = 0;
  std::string Source;

  /// The unit that a call computes with. Matrix products use the one for their type, or for tf32 if
  /// the kernel's name contains it. Others use the plain units, which compute 16-bit numbers as
  /// 32-bit ones. Null: unknown.
  const ComputeUnit *unit(OpWorkKind Kind, DType Compute, std::string_view KernelName) const;
  /// The peak rate for such a call in TFLOP/s; 0 if unknown.
  double tflops(OpWorkKind Kind, DType Compute, std::string_view KernelName) const;
};

/// A compute unit of a device, and the member with its peak rate.
struct ComputeUnit {
  const char *Key;  ///< in a peak file: "fp16_tflops"
  const char *Name; ///< for users: "fp16 matrix"
  double DevicePeaks::*TFlops;
};

/// All compute units.
std::span<const ComputeUnit> computeUnits();

/// The known devices, found by the names that traces give them.
class PeakTable {
public:
  /// The published figures (DevicePeaks.def).
  static PeakTable published();

  /// Adds the devices of a JSON file, which override the published figures:
  /// {"devices": [{"name": "NVIDIA H200", "fp32_tflops": 60.1, ..., "dram_gb_per_s": 4400}]}.
  /// The name must be the trace's. docs/formats.md lists the keys.
  std::optional<Error> read(const std::string &Path);

  /// The peak rates of a device, or null. Parts of a device (MIG) and laptop devices do not have
  /// published figures.
  const DevicePeaks *find(std::string_view DeviceName) const;

private:
  const DevicePeaks *search(std::string_view DeviceName) const;

  std::vector<DevicePeaks> FromUser, Published;
  /// Cache: the rows of a report refer to few devices.
  mutable std::map<std::string, const DevicePeaks *, std::less<>> Found;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_DEVICEPEAKS_H
