//===- DevicePeaks.h - what a device can do at most -----------------------===//
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

/// The roofs of one device: TFLOP/s (1e12 FLOP/s), dense, and GB/s (1e9 bytes/s). 0: not known.
struct DevicePeaks {
  std::string Name; ///< words of the device's name, or all of it
  double Fp64 = 0, Fp64Matrix = 0, Fp32 = 0, Tf32 = 0, Fp16Matrix = 0, Bf16Matrix = 0,
         Fp8Matrix = 0;
  double DramGBPerS = 0;
  std::string Source;

  /// What a call computes with: matrix products by their type, and by the kernel's name, which
  /// tells tf32; others the plain units, in which 16 bits are computed as 32. Null: not known.
  const ComputeUnit *unit(OpWorkKind Kind, DType Compute, std::string_view KernelName) const;
  /// The roof of such a call, TFLOP/s. 0: none.
  double tflops(OpWorkKind Kind, DType Compute, std::string_view KernelName) const;
};

/// One of the units of a device, and where its peak is.
struct ComputeUnit {
  const char *Key;  ///< in a file of peaks: "fp16_tflops"
  const char *Name; ///< for people: "fp16 matrix"
  double DevicePeaks::*TFlops;
};

/// All of them.
std::span<const ComputeUnit> computeUnits();

/// The devices that are known, and how to find one by the name that a trace gives it.
class PeakTable {
public:
  /// The published figures (DevicePeaks.def).
  static PeakTable published();

  /// Adds what a JSON file says, which goes before the published figures:
  /// {"devices": [{"name": "NVIDIA H200", "fp32_tflops": 60.1, ..., "dram_gb_per_s": 4400}]}.
  /// The name must be the trace's. docs/formats.md tells the keys.
  std::optional<Error> read(const std::string &Path);

  /// Null: not known. Parts of a device (MIG) and laptops' have no published figures.
  const DevicePeaks *find(std::string_view DeviceName) const;

private:
  const DevicePeaks *search(std::string_view DeviceName) const;

  std::vector<DevicePeaks> Given, Published;
  /// Rows of a report ask for few devices, each often.
  mutable std::map<std::string, const DevicePeaks *, std::less<>> Found;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_DEVICEPEAKS_H
