//===- Efficiency.h - achieved rates and device peaks ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_EFFICIENCY_H
#define SEAMSCOPE_TOOLS_ANALYSIS_EFFICIENCY_H

#include "analysis/devices/Work.h"
#include "work/DevicePeaks.h"

#include <optional>

namespace seamscope::tools {

/// FLOPs and bytes of a trace, and the roofs of its devices.
struct EfficiencyInput {
  const Trace *Source;
  const TraceWork *Work;
  const PeakTable *Peaks;
};

/// The roofs of a device, by its name in the trace; null: not known, or the host.
const DevicePeaks *peaksOf(const Trace &Source, const PeakTable &Peaks, int32_t Device);

/// One row's rates. Shares are of the device's peak, 1 = all of it.
struct Efficiency {
  std::optional<int64_t> Flop, Bytes; ///< of the calls for which they are known
  uint64_t FlopCalls = 0, BytesCalls = 0;
  std::optional<double> FlopPerS, BytesPerS, Intensity; ///< FLOP/s, bytes/s, FLOP/byte
  std::optional<double> FlopShare, DramShare;
  WorkSource FlopSource = WorkSource::None, BytesSource = WorkSource::None;
  bool BytesOfCaches = false; ///< kernels counted them: DramShare is not known
  bool BytesAtLeast = false;  ///< then so are BytesPerS and DramShare, and Intensity is at most

  /// Share of the nearer roof: how close the row is to the device's limit.
  std::optional<double> roofShare() const;
};

/// For one kernel's row: \p Name on \p Device (-1: the host).
Efficiency kernelEfficiency(const EfficiencyInput &Input, StringId Name, int32_t Device);
/// The unit that the kernel computes with; null: it, or the device's peaks, are not known.
const ComputeUnit *kernelUnit(const EfficiencyInput &Input, StringId Name, int32_t Device);
/// For one operator's row; rates only if it ran on the host.
Efficiency operatorEfficiency(const EfficiencyInput &Input, StringId Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EFFICIENCY_H
