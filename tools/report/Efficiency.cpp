//===- Efficiency.cpp - achieved rates beside what the device can do ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Efficiency.h"

#include <algorithm>

#include <fmt/format.h>

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
  return Row;
}

const DevicePeaks *peaksOf(const EfficiencyInput &Input, int32_t Device) {
  return Device < 0 ? nullptr
                    : Input.Peaks->find(Input.Source->text(deviceName(*Input.Source, Device)));
}

} // namespace

std::optional<double> Efficiency::roofShare() const {
  if (FlopShare && DramShare)
    return std::max(*FlopShare, *DramShare);
  return FlopShare ? FlopShare : DramShare;
}

Efficiency kernelEfficiency(const EfficiencyInput &Input, StringId Name, int32_t Device) {
  const WorkSum *Sum = Input.Work->ofKernel(Name, Device);
  Efficiency Row = efficiencyOf(Sum);
  const DevicePeaks *Peaks = Sum ? peaksOf(Input, Device) : nullptr;
  if (!Peaks)
    return Row;
  const double Roof = Peaks->tflops(Sum->kind(), Sum->compute(), Input.Source->text(Name)) * 1e12;
  if (Row.FlopPerS && Roof > 0)
    Row.FlopShare = *Row.FlopPerS / Roof;
  if (Row.BytesPerS && Peaks->DramGBPerS > 0)
    Row.DramShare = *Row.BytesPerS / (Peaks->DramGBPerS * 1e9);
  return Row;
}

Efficiency operatorEfficiency(const EfficiencyInput &Input, StringId Name) {
  return efficiencyOf(Input.Work->ofOperator(Name));
}

std::string shownRate(const std::optional<double> &Value, double Unit) {
  if (!Value)
    return "-";
  const double Scaled = *Value / Unit;
  if (Scaled > 0 && Scaled < 0.005)
    return "<0.01";
  return fmt::format("{:.{}f}", Scaled, Scaled >= 100 ? 0 : Scaled >= 10 ? 1 : 2);
}

} // namespace seamscope::tools
