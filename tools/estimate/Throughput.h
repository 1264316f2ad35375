//===- Throughput.h - time that executed work takes at a machine's rates ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model of a loop whose iterations overlap completely: each resource of the processor is busy
// for as long as its part of the work takes at the measured rate, and the loop takes as long as the
// busiest. Calls of math functions are added to that; processors may fetch data from beyond L1
// meanwhile, as much as the recorded time says. A sum or maximum is a chain: each of its operations
// waits for the one before. The model knows no other chains. Resources that do not
// overlap at all take as long as all of them together.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ESTIMATE_THROUGHPUT_H
#define SEAMSCOPE_TOOLS_ESTIMATE_THROUGHPUT_H

#include "analysis/work/ExecutedWork.h"
#include "estimate/Statements.h"
#include "machine/Machine.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// What work asks of the resources. Times are ns, those of all threads added up.
struct Demand {
  double ArithmeticNs = 0;            ///< of units for all but products of integers
  double MultiplierNs = 0;            ///< of those of them that multiply
  double IntegerMulNs = 0;            ///< of units for these products
  double ShiftNs = 0;                 ///< of units for shifts of integers
  double DividerNs = 0;               ///< divisions and square roots share a unit
  double FunctionsNs = 0;             ///< of math functions, one after the other
  double Read = 0, Written = 0;       ///< bytes of loads and stores
  double FarRead = 0, FarWritten = 0; ///< of these, bytes that come from and go to Level
  /// By accumulator, operations that wait for each other. Those of two accumulators overlap.
  std::map<std::string_view, double> ChainNs;

  Demand &operator+=(const Demand &More);
  /// Less the arithmetic and functions of \p Part, which was added. Loads and stores stay.
  Demand without(const Demand &Part) const;
};

/// How long each resource is busy, ns of all threads added up.
struct BusyTimes {
  double ArithmeticNs = 0, DividerNs = 0, ChainNs = 0, L1Ns = 0, FarNs = 0;
  double FunctionsNs = 0; ///< nothing else runs meanwhile, but data may be fetched from afar

  /// Where all overlap: functions, then what is busiest. \p FetchApart: how much of the functions'
  /// time does not overlap with fetching, from 0 to 1.
  double total(double FetchApart = 1) const;
  /// Where none does: one after the other.
  double sum() const;
  /// If the rates of memory are \p Error too low, a share, and the others as much too high.
  BusyTimes withSlowerUnits(double Error) const;
};

/// The resource that a loop waits for.
enum class Resource : uint8_t { Arithmetic, Functions, Divider, Chain, L1, Far };
Resource boundOf(const BusyTimes &Of);

/// The rates of a machine for code of \p Threads threads, whose vectors have \p Bits bits.
class Throughput {
public:
  Throughput(const Machine &Of, unsigned Threads, unsigned Bits)
      : Of(Of), Threads(Threads), Bits(Bits) {}

  /// The demand of exactly known work of a statement, without FarRead and FarWritten. Of a
  /// statement with single values, the part that the compiler made vectors of is of vectors. Adds
  /// to \p Unknown what the machine has no rate of.
  Demand demandOf(const ExecutedWork &Work, const CodeStatement &At,
                  std::set<std::string> &Unknown) const;

  /// \p Level holds the data of FarRead and FarWritten, \p Footprint bytes.
  BusyTimes timesOf(const Demand &What, std::string_view Level, uint64_t Footprint) const;

private:
  double arithmeticNs(const Demand &What) const;

  const Machine &Of;
  unsigned Threads, Bits;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ESTIMATE_THROUGHPUT_H
