//===- WorkRoofs.cpp - counted work below the roofs of the machine ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/WorkRoofs.h"

#include "machine/Machine.h"

namespace seamscope::tools {
namespace {

/// The most, if it is at most a tenth above the least.
std::optional<double> known(const Bounds &Of) {
  if (Of.Most >= Bounds::Largest || Of.Most > Of.Least + Of.Least / 10)
    return std::nullopt;
  return static_cast<double>(Of.Most);
}

/// Seconds that the counts need, each with seconds for one of it; nothing: one is not known.
class Needed {
public:
  void add(const Bounds &Count, double SecondsEach) {
    if (!Count.Most || !Sum)
      return;
    const std::optional<double> Exact = known(Count);
    Sum = Exact && SecondsEach > 0 ? std::optional(*Sum + *Exact * SecondsEach) : std::nullopt;
  }
  /// The share of \p Seconds; nothing: not known, or nothing was counted.
  std::optional<double> of(double Seconds) const {
    return Sum && *Sum > 0 ? std::optional(*Sum / Seconds) : std::nullopt;
  }

private:
  std::optional<double> Sum = 0.0;
};

double inverse(double Rate) { return Rate > 0 ? 1 / Rate : 0; }

} // namespace

std::pair<std::string, std::optional<double>> RoofShares::nearest() const {
  std::pair<std::string, std::optional<double>> Largest;
  // Of equal ones the first: what is nearer to the processor.
  for (const auto &[Name, Share] :
       {std::pair<std::string, std::optional<double>>("arithmetic", Arithmetic),
        {"division", Division},
        {"functions", Functions},
        {"L1", L1},
        {Level, Memory}})
    if (Share && (!Largest.second || *Share > *Largest.second))
      Largest = {Name, Share};
  return Largest;
}

RoofShares roofShares(const KernelWork &Of, uint64_t Calls, const Machine &Roofs, unsigned Threads,
                      double Seconds) {
  RoofShares Shares;
  if (!Of.All.Unknown.empty() || Seconds <= 0)
    return Shares;
  Needed Arithmetic, Division, Functions, L1;
  for (const auto &[Type, Flop] : Of.All.flopByType())
    Arithmetic.add(Flop, inverse(Roofs.peakFlops(Type, Threads)));
  Shares.Arithmetic = Arithmetic.of(Seconds);
  for (const auto &[Key, Count] : Of.All.Counts)
    if (const auto [Type, What] = operationOf(Key); What == "div" || What == "sqrt")
      if (Type.starts_with('f'))
        Division.add(Count, Roofs.nsPerValue(What, Type, MathCost::AnyWidth) * 1e-9 / Threads);
  Shares.Division = Division.of(Seconds);
  for (const auto &[Function, Values] : Of.All.mathCalls()) {
    const Bounds Vectors = Of.All.part("vector." + Function);
    const double Each = Roofs.nsPerValue(Function, "", MathCost::SingleValues) * 1e-9 / Threads;
    // Those that nobody measured need no time here: the share is what is known.
    if (Each > 0 && Values.Most > Vectors.Most)
      Functions.add(
          {Values.Least - std::min(Values.Least, Vectors.Least), Values.Most - Vectors.Most}, Each);
  }
  Shares.Functions = Functions.of(Seconds);
  L1.add(Of.All.bytes(), inverse(Roofs.memoryRoof("L1", Threads)));
  Shares.L1 = L1.of(Seconds);
  const std::optional<FootprintSum> Read = Of.footprint(false), Written = Of.footprint(true);
  if (!Read || !Written)
    return Shares;
  const FootprintSum Sum = *Of.footprint();
  if (!Sum.Bytes || !Sum.isClose())
    return Shares;
  const uint64_t OfCall = Sum.Bytes / std::max<uint64_t>(Calls, 1);
  Shares.Level = Roofs.levelOf(OfCall, Threads);
  const auto ReadBytes = static_cast<double>(Read->Bytes);
  const auto WrittenBytes = static_cast<double>(Written->Bytes);
  const double Needs =
      Roofs.transferSeconds(Shares.Level, Threads, OfCall, ReadBytes, WrittenBytes);
  if (Shares.Level != "L1" && Needs > 0)
    Shares.Memory = Needs / Threads / Seconds;
  return Shares;
}

} // namespace seamscope::tools
