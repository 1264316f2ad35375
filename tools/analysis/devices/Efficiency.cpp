//===- Efficiency.cpp - achieved rates and device peaks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Efficiency.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

Efficiency efficiencyOf(const WorkSum *Sum) {
  Efficiency Row;
  if (!Sum)
    return Row;
  Row.Flop = Sum->flop();
  Row.Bytes = Sum->bytes();
  Row.FlopCalls = Sum->flopCalls();
  Row.BytesCalls = Sum->bytesCalls();
  Row.FlopPerS = Sum->flopPerSecond();
  Row.BytesPerS = Sum->bytesPerSecond();
  Row.Intensity = Sum->intensity();
  Row.FlopSource = Sum->flopSource();
  Row.BytesSource = Sum->bytesSource();
  Row.BytesAtLeast = Sum->bytesAtLeast();
  Row.BytesOfCaches = Sum->countsBytes();
  return Row;
}

} // namespace

const DevicePeaks *peaksOf(const Trace &Source, const PeakTable &Peaks, int32_t Device) {
  return Device < 0 ? nullptr : Peaks.find(Source.text(deviceName(Source, Device)));
}

std::optional<double> Efficiency::roofShare() const {
  // Which roof is nearer is not known.
  if (BytesOfCaches)
    return std::nullopt;
  if (FlopShare && DramShare)
    return std::max(*FlopShare, *DramShare);
  return FlopShare ? FlopShare : DramShare;
}

Efficiency kernelEfficiency(const EfficiencyInput &Input, StringId Name, int32_t Device) {
  const WorkSum *Sum = Input.Work->ofKernel(Name, Device);
  Efficiency Row = efficiencyOf(Sum);
  const DevicePeaks *Peaks = Sum ? peaksOf(*Input.Source, *Input.Peaks, Device) : nullptr;
  if (!Peaks)
    return Row;
  const double Roof = Peaks->tflops(Sum->kind(), Sum->compute(), Input.Source->text(Name)) * 1e12;
  if (Row.FlopPerS && Roof > 0)
    Row.FlopShare = *Row.FlopPerS / Roof;
  if (Row.BytesPerS && Peaks->DramGBPerS > 0 && !Row.BytesOfCaches)
    Row.DramShare = *Row.BytesPerS / (Peaks->DramGBPerS * 1e9);
  return Row;
}

const ComputeUnit *kernelUnit(const EfficiencyInput &Input, StringId Name, int32_t Device) {
  const WorkSum *Sum = Input.Work->ofKernel(Name, Device);
  const DevicePeaks *Peaks = Sum ? peaksOf(*Input.Source, *Input.Peaks, Device) : nullptr;
  return Peaks ? Peaks->unit(Sum->kind(), Sum->compute(), Input.Source->text(Name)) : nullptr;
}

Efficiency operatorEfficiency(const EfficiencyInput &Input, StringId Name) {
  return efficiencyOf(Input.Work->ofOperator(Name));
}

} // namespace seamscope::tools
