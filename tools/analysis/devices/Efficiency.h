//===- Efficiency.h - achieved rates beside what the device can do --------===//
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

/// The roofs of a device by what the trace calls it; null: they are not known, or it is the host.
const DevicePeaks *peaksOf(const Trace &Source, const PeakTable &Peaks, int32_t Device);

/// One row's rates. Shares are of the device's peak, 1 = all of it.
struct Efficiency {
  std::optional<int64_t> Flop, Bytes; ///< of the calls of which it is known
  uint64_t FlopCalls = 0, BytesCalls = 0;
  std::optional<double> FlopPerS, BytesPerS, Intensity; ///< FLOP/s, bytes/s, FLOP/byte
  std::optional<double> FlopShare, DramShare;

  /// Of the roof that is nearer: how far the row is from what the device can do.
  std::optional<double> roofShare() const;
};

/// Of one kernel's row: \p Name on \p Device (-1: the host).
Efficiency kernelEfficiency(const EfficiencyInput &Input, StringId Name, int32_t Device);
/// What that kernel computes with; null: that is not known, or the device's peaks are not.
const ComputeUnit *kernelUnit(const EfficiencyInput &Input, StringId Name, int32_t Device);
/// Of one operator's row; rates only where it ran on the host.
Efficiency operatorEfficiency(const EfficiencyInput &Input, StringId Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_EFFICIENCY_H
