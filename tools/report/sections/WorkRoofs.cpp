//===- WorkRoofs.cpp - counted work below the roofs of the machine ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/WorkRoofs.h"

#include "machine/Machine.h"

#include <utility>

namespace seamscope::tools {
namespace {

/// The most, if it is at most a tenth above the least.
std::optional<double> known(const Bounds &Of) {
  if (Of.Most >= Bounds::Largest || Of.Most > Of.Least + Of.Least / 10)
    return std::nullopt;
  return static_cast<double>(Of.Most);
}

/// Seconds that the counts need, each with seconds for one of it.
class Needed {
public:
  void add(const Bounds &Count, double SecondsEach) {
    if (!Count.Most || !Sum)
      return;
    const std::optional<double> Exact = known(Count);
    Sum = Exact && SecondsEach > 0 ? std::optional(*Sum + *Exact * SecondsEach) : std::nullopt;
  }
  /// False: one is not known.
  bool isKnown() const { return Sum.has_value(); }
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

namespace {

/// The shares of all but the memory beyond L1.
RoofShares processorShares(const ExecutedWork &Of, const Machine &Roofs, const WorkTime &Time) {
  RoofShares Shares;
  if (!Of.Unknown.empty() || Time.Ns <= 0)
    return Shares;
  const double Seconds = static_cast<double>(Time.Ns) / 1e9;
  Shares.IsAtLeast = Time.IsAtMost;
  Needed Arithmetic, Division, Functions, L1;
  for (const auto &[Type, Flop] : Of.flopByType())
    Arithmetic.add(Flop, inverse(Roofs.peakFlops(Type, Time.Threads)));
  Shares.Arithmetic = Arithmetic.of(Seconds);
  for (const auto &[Key, Count] : Of.Counts)
    if (const auto [Type, What] = operationOf(Key); What == "div" || What == "sqrt")
      if (Type.starts_with('f'))
        Division.add(Count, Roofs.nsPerValue(What, Type, MathCost::AnyWidth) * 1e-9 / Time.Threads);
  Shares.Division = Division.of(Seconds);
  bool LacksFunctions = false;
  for (const auto &[Function, Values] : Of.mathCalls()) {
    const Bounds Vectors = Of.part("vector." + Function);
    const double Each =
        Roofs.nsPerValue(Function, "", MathCost::SingleValues) * 1e-9 / Time.Threads;
    // Those that nobody measured need no time here: the share is what is known.
    LacksFunctions |= Vectors.Most > 0 || (Each <= 0 && Values.Most > 0);
    if (Each > 0 && Values.Most > Vectors.Most)
      Functions.add(
          {Values.Least - std::min(Values.Least, Vectors.Least), Values.Most - Vectors.Most}, Each);
  }
  Shares.Functions = Functions.of(Seconds);
  L1.add(Of.bytes(), inverse(Roofs.memoryRoof("L1", Time.Threads)));
  Shares.L1 = L1.of(Seconds);
  Shares.IsPartial = LacksFunctions || !Arithmetic.isKnown() || !Division.isKnown() ||
                     !Functions.isKnown() || !L1.isKnown();
  return Shares;
}

} // namespace

RoofShares roofShares(const ExecutedWork &Of, const Machine &Roofs, const WorkTime &Time) {
  RoofShares Shares = processorShares(Of, Roofs, Time);
  Shares.IsPartial |= Of.bytes().Most > 0;
  return Shares;
}

RoofShares roofShares(const KernelWork &Of, uint64_t Calls, const Machine &Roofs,
                      const WorkTime &Time) {
  RoofShares Shares = processorShares(Of.All, Roofs, Time);
  if (!Shares.isKnown())
    return Shares;
  const bool IsPartial = std::exchange(Shares.IsPartial, true);
  const std::optional<FootprintSum> Read = Of.footprint(false), Written = Of.footprint(true);
  if (!Read || !Written)
    return Shares;
  const FootprintSum Sum = *Of.footprint();
  if (!Sum.isClose())
    return Shares;
  Shares.IsPartial = IsPartial;
  if (!Sum.Bytes)
    return Shares;
  const uint64_t OfCall = Sum.Bytes / std::max<uint64_t>(Calls, 1);
  Shares.Level = Roofs.levelOf(OfCall, Time.Threads);
  if (Shares.Level == "L1")
    return Shares;
  const auto ReadBytes = static_cast<double>(Read->Bytes);
  const auto WrittenBytes = static_cast<double>(Written->Bytes);
  const double Needs =
      Roofs.transferSeconds(Shares.Level, Time.Threads, OfCall, ReadBytes, WrittenBytes);
  if (Needs > 0)
    Shares.Memory = Needs * 1e9 / Time.Threads / static_cast<double>(Time.Ns);
  else
    Shares.IsPartial = true;
  return Shares;
}

} // namespace seamscope::tools
