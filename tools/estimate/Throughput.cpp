//===- Throughput.cpp - time that executed work takes at a machine's rates -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "estimate/Throughput.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr std::string_view MathPrefix = "call.";

/// The MathCost::Function of a chain of additions or maxima, of which \p Work is all.
std::string_view chainOf(const ExecutedWork &Work, std::string_view Type, std::string_view What) {
  const auto CountOf = [&](std::string_view Operation) {
    return Work.count(fmt::format("{}.{}", Type, Operation)).Most;
  };
  // A comparison for each maximum finds NaNs, and the next one waits for both.
  if (What == "minmax")
    return CountOf("compare") >= CountOf("minmax") ? "max" : "sum";
  // A sum that is loaded for each addition. Others are loaded once for a loop.
  return Work.bytesRead().Most >= CountOf("add") * (bitsOfType(Type) / 8) ? "stored_sum" : "sum";
}

} // namespace

Demand &Demand::operator+=(const Demand &More) {
  ArithmeticNs += More.ArithmeticNs;
  DividerNs += More.DividerNs;
  FunctionsNs += More.FunctionsNs;
  Read += More.Read;
  Written += More.Written;
  FarRead += More.FarRead;
  FarWritten += More.FarWritten;
  for (const auto &[Accumulator, Ns] : More.ChainNs)
    ChainNs[Accumulator] += Ns;
  return *this;
}

Demand Demand::without(const Demand &Part) const {
  Demand Left = *this;
  Left.ArithmeticNs -= Part.ArithmeticNs;
  Left.DividerNs -= Part.DividerNs;
  Left.FunctionsNs -= Part.FunctionsNs;
  for (const auto &[Accumulator, Ns] : Part.ChainNs)
    Left.ChainNs[Accumulator] -= Ns;
  return Left;
}

double BusyTimes::total() const {
  // The calls of functions of the next iterations do not wait for a sum.
  return std::max(ChainNs, FunctionsNs + std::max({ArithmeticNs, DividerNs, L1Ns, FarNs}));
}

Resource boundOf(const BusyTimes &Of) {
  const double Rest = std::max({Of.ArithmeticNs, Of.DividerNs, Of.L1Ns, Of.FarNs});
  if (Of.ChainNs > Of.FunctionsNs + Rest)
    return Resource::Chain;
  if (Of.FunctionsNs > Rest)
    return Resource::Functions;
  if (Rest == Of.FarNs)
    return Resource::Far;
  if (Rest == Of.DividerNs)
    return Resource::Divider;
  return Rest == Of.ArithmeticNs ? Resource::Arithmetic : Resource::L1;
}

double Throughput::operationsPerNs(std::string_view Type, bool IsVector) const {
  // A multiply-add counts 2, and takes as long as one operation.
  double Best = 0;
  const unsigned Wanted = IsVector ? Bits : bitsOfType(Type);
  for (const ComputeRate &Each : Of.Compute)
    if (Each.Type == Type && Each.Threads == 1 && Each.Bits == Wanted)
      Best = std::max(Best, Each.FlopPerS / (Each.Fma ? 2 : 1) / 1e9);
  return Best;
}

Demand Throughput::demandOf(const ExecutedWork &Work, bool IsVector, std::string_view Accumulator,
                            std::set<std::string> &Unknown) const {
  Demand Sum;
  const auto Without = [&](const std::string &What) {
    Unknown.insert(fmt::format("no rate of {} of {}", What,
                               IsVector ? fmt::format("{} bits", Bits) : "single values"));
  };
  for (const auto &[Key, Count] : Work.Counts) {
    const auto Number = static_cast<double>(Count.Most);
    if (!Count.Most)
      continue;
    if (Key == "read") {
      Sum.Read += Number;
      continue;
    }
    if (Key == "write") {
      Sum.Written += Number;
      continue;
    }
    const auto AddCost = [&](std::string_view Function, std::string_view Type, double &To) {
      const double Cost = Of.nsPerValue(Function, Type, IsVector ? Bits : MathCost::SingleValues);
      if (Cost > 0)
        To += Number * Cost;
      else
        Without(Type.empty() ? std::string(Function) : Key);
    };
    if (Key.starts_with(MathPrefix)) {
      AddCost(std::string_view(Key).substr(MathPrefix.size()), {}, Sum.FunctionsNs);
      continue;
    }
    const auto [Type, What] = operationOf(Key);
    if (What == "div" || What == "sqrt") {
      AddCost(What, Type, Sum.DividerNs);
      continue;
    }
    // Lanes of integers share the registers and units of floating-point vectors.
    const bool IsInteger = Type.starts_with('i');
    const double Lanes = IsInteger ? 32.0 / std::max(1u, bitsOfType(Type)) : 1;
    const double Rate = operationsPerNs(IsInteger ? "f32" : Type, IsVector) * Lanes;
    if (Rate > 0 && What != "rem")
      Sum.ArithmeticNs += Number / Rate;
    else
      Without(Key);
    if (Accumulator.empty() || IsInteger || (What != "add" && What != "minmax"))
      continue;
    const std::string_view Chain = chainOf(Work, Type, What);
    const double Wait = Of.nsPerValue(Chain, Type, IsVector ? Bits : MathCost::SingleValues);
    if (Wait > 0)
      Sum.ChainNs[Accumulator] += Number * Wait;
    else
      Without(fmt::format("{} of {}", Chain, Type));
  }
  return Sum;
}

BusyTimes Throughput::timesOf(const Demand &What, std::string_view Level,
                              uint64_t Footprint) const {
  BusyTimes Made;
  Made.ArithmeticNs = What.ArithmeticNs;
  Made.FunctionsNs = What.FunctionsNs;
  Made.DividerNs = What.DividerNs;
  for (const auto &[Accumulator, Ns] : What.ChainNs)
    Made.ChainNs = std::max(Made.ChainNs, Ns);
  Made.L1Ns = 1e9 * Of.transferSeconds("L1", Threads, 0, What.Read, What.Written);
  if (Level != "L1")
    Made.FarNs = 1e9 * Of.transferSeconds(Level, Threads, Footprint, What.FarRead, What.FarWritten);
  return Made;
}

} // namespace seamscope::tools
