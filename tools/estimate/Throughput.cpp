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

uint64_t countOf(const ExecutedWork &Work, std::string_view Type, std::string_view Operation) {
  return Work.count(fmt::format("{}.{}", Type, Operation)).Most;
}

/// Maxima and minima that are NaN after a NaN, each with the comparison that finds it.
uint64_t propagatingMaxima(const ExecutedWork &Work, std::string_view Type) {
  const uint64_t Maxima = countOf(Work, Type, "minmax");
  return countOf(Work, Type, "compare") >= Maxima ? Maxima : 0;
}

/// The MathCost::Function of a chain of additions or maxima, of which \p Work is all.
std::string_view chainOf(const ExecutedWork &Work, std::string_view Type, std::string_view What) {
  if (What == "minmax")
    return propagatingMaxima(Work, Type) ? "max" : "sum";
  // A sum that is loaded for each addition. Others are loaded once for a loop.
  return Work.bytesRead().Most >= countOf(Work, Type, "add") * (bitsOfType(Type) / 8) ? "stored_sum"
                                                                                      : "sum";
}

/// Adds up what the operations of a statement ask for.
class Adder {
public:
  Adder(const Machine &Of, unsigned Bits, const ExecutedWork &Work, const CodeStatement &At,
        std::set<std::string> &Unknown)
      : Of(Of), Bits(Bits), Work(Work), At(At), Unknown(Unknown) {}

  Demand sum() {
    for (const auto &[Key, Count] : Work.Counts) {
      if (Key == "read" || Key == "write") {
        (Key == "read" ? Sum.Read : Sum.Written) += static_cast<double>(Count.Most);
        continue;
      }
      const std::string_view Name =
          std::string_view(Key).substr(Key.starts_with(MathPrefix) ? MathPrefix.size() : 0);
      // The compiler makes vectors of single values, too.
      const uint64_t OfVectors =
          At.IsVector ? Count.Most
                      : std::min(Count.Most, Work.part(fmt::format("vector.{}", Name)).Most);
      add(Key, OfVectors, true);
      add(Key, Count.Most - OfVectors, false);
    }
    return Sum;
  }

private:
  void add(std::string_view Key, uint64_t Count, bool IsVector) {
    const auto Number = static_cast<double>(Count);
    if (!Count)
      return;
    if (Key.starts_with(MathPrefix))
      return addTime(Key.substr(MathPrefix.size()), {}, Number, IsVector, Sum.FunctionsNs);
    const auto [Type, What] = operationOf(Key);
    if (What == "div" || What == "sqrt")
      return addTime(What, Type, Number, IsVector, Sum.DividerNs);
    addArithmetic(Key, Number, IsVector);
    if (At.Accumulator.empty() || Type.starts_with('i') || (What != "add" && What != "minmax"))
      return;
    addTime(chainOf(Work, Type, What), Type, Number / At.Registers, IsVector,
            Sum.ChainNs[At.Accumulator]);
  }

  void addArithmetic(std::string_view Key, double Number, bool IsVector) {
    const auto [Type, What] = operationOf(Key);
    // Lanes of integers share the registers and units of floating-point vectors.
    const bool IsInteger = Type.starts_with('i');
    const uint64_t Maxima = IsVector && !IsInteger ? propagatingMaxima(Work, Type) : 0;
    if (What == "minmax" && Maxima)
      return addTime("independent_max", Type, Number, IsVector, Sum.ArithmeticNs);
    if (What == "compare") // the time of those of maxima is in that of the maxima
      Number = std::max(0.0, Number - static_cast<double>(Maxima));
    // Most processors have fewer units for these than for additions.
    if (IsInteger && What == "mul")
      return addTime(What, Type, Number, IsVector, Sum.IntegerMulNs);
    if (IsInteger && What == "shift")
      addTime(What, Type, Number, IsVector, Sum.ShiftNs);
    const double Rate =
        IsInteger ? integersPerNs(Type, IsVector) : operationsPerNs(Type, IsVector, false);
    if (Rate > 0 && What != "rem")
      Sum.ArithmeticNs += Number / Rate;
    else
      without(Key, IsVector);
    // Some processors have other units for additions: these multiply no faster than they do
    // multiply-adds.
    if (const double Multiplied = operationsPerNs(Type, IsVector, true);
        Multiplied > 0 && (What == "mul" || What == "fma"))
      Sum.MultiplierNs += Number / Multiplied;
  }

  /// Additions of integers in a ns. Machine files of older versions have none: those of floats,
  /// whose registers they share.
  double integersPerNs(std::string_view Type, bool IsVector) const {
    const double Lanes = 32.0 / std::max(1u, bitsOfType(Type));
    const double Ns = IsVector ? Of.nsPerValue("add", "i32", Bits) : 0;
    return Lanes * (Ns > 0 ? 1 / Ns : operationsPerNs("f32", IsVector, false));
  }

  /// Operations of that width in a ns, where none waits: multiply-adds, or the best of all.
  double operationsPerNs(std::string_view Type, bool IsVector, bool OfFma) const {
    // A multiply-add counts 2, and takes as long as one operation.
    double Best = 0;
    const unsigned Wanted = IsVector ? Bits : bitsOfType(Type);
    for (const ComputeRate &Each : Of.Compute)
      if (Each.Type == Type && Each.Threads == 1 && Each.Bits == Wanted && (Each.Fma || !OfFma))
        Best = std::max(Best, Each.FlopPerS / (Each.Fma ? 2 : 1) / 1e9);
    return Best;
  }

  void addTime(std::string_view Function, std::string_view Type, double Number, bool IsVector,
               double &To) {
    const double Ns = Of.nsPerValue(Function, Type, IsVector ? Bits : MathCost::SingleValues);
    if (Ns > 0)
      To += Number * Ns;
    else
      without(Type.empty() ? std::string(Function) : fmt::format("{} of {}", Function, Type),
              IsVector);
  }

  void without(std::string_view What, bool IsVector) {
    Unknown.insert(fmt::format("no rate of {} of {}", What,
                               IsVector ? fmt::format("{} bits", Bits) : "single values"));
  }

  const Machine &Of;
  const unsigned Bits;
  const ExecutedWork &Work;
  const CodeStatement &At;
  std::set<std::string> &Unknown;
  Demand Sum;
};

} // namespace

Demand &Demand::operator+=(const Demand &More) {
  ArithmeticNs += More.ArithmeticNs;
  MultiplierNs += More.MultiplierNs;
  IntegerMulNs += More.IntegerMulNs;
  ShiftNs += More.ShiftNs;
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
  Left.MultiplierNs -= Part.MultiplierNs;
  Left.IntegerMulNs -= Part.IntegerMulNs;
  Left.ShiftNs -= Part.ShiftNs;
  Left.DividerNs -= Part.DividerNs;
  Left.FunctionsNs -= Part.FunctionsNs;
  for (const auto &[Accumulator, Ns] : Part.ChainNs)
    Left.ChainNs[Accumulator] -= Ns;
  return Left;
}

double BusyTimes::total(double FetchApart) const {
  const double Near = std::max({ArithmeticNs, DividerNs, L1Ns});
  const double Together = std::max(FarNs, FunctionsNs + Near);
  const double Apart = FunctionsNs + std::max(FarNs, Near);
  // The calls of functions of the next iterations do not wait for a sum.
  return std::max(ChainNs, Together + FetchApart * (Apart - Together));
}

double BusyTimes::sum() const {
  // Data from afar pass L1, and their time contains that.
  return std::max(ChainNs, FunctionsNs + ArithmeticNs + DividerNs + std::max(L1Ns, FarNs));
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

Demand Throughput::demandOf(const ExecutedWork &Work, const CodeStatement &At,
                            std::set<std::string> &Unknown) const {
  return Adder(Of, Bits, Work, At, Unknown).sum();
}

double Throughput::arithmeticNs(const Demand &What) const {
  const auto Ns = [&](std::string_view Function) { return Of.nsPerValue(Function, "i32", Bits); };
  const double Product = Ns("mul"), Shift = Ns("shift"), Less = std::min(Product, Shift);
  if (Less <= 0)
    return std::max(What.ArithmeticNs, What.MultiplierNs);
  // A product delays additions by this share of its time, as it takes a part of their units.
  const double OfUnits = std::clamp((Ns("mul_4_add") - 4 * Ns("add")) / Product, 0.0, 1.0);
  // A product with a shift takes as long as the longer one if they have units of their own.
  const double Overlap = std::clamp((Product + Shift - Ns("mul_shift")) / Less, 0.0, 1.0);
  return std::max(
      {What.ArithmeticNs + OfUnits * What.IntegerMulNs, What.MultiplierNs,
       What.IntegerMulNs + What.ShiftNs - Overlap * std::min(What.IntegerMulNs, What.ShiftNs)});
}

BusyTimes BusyTimes::withSlowerUnits(double Error) const {
  const auto [Less, More] = std::pair(1 - Error, 1 + Error);
  BusyTimes Made = *this;
  for (double *const Each : {&Made.ArithmeticNs, &Made.DividerNs, &Made.ChainNs, &Made.FunctionsNs})
    *Each *= More;
  Made.L1Ns *= Less;
  Made.FarNs *= Less;
  return Made;
}

BusyTimes Throughput::timesOf(const Demand &What, std::string_view Level,
                              uint64_t Footprint) const {
  BusyTimes Made;
  Made.ArithmeticNs = arithmeticNs(What);
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
