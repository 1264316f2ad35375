//===- OpTable.h - the captured operators of a module ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table is the module's attribute `seamscope.ops` (docs/formats.md). It is printed and parsed
// with the module, so capture and instrumentation may run in different processes. Malformed fields
// count as unknown. It consists of numbers and unique texts: a dozen attributes per operator took a
// good part of the compile time to create and print.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_OPTABLE_H
#define SEAMSCOPE_MLIR_OPTABLE_H

#include "Amount.h"
#include "Locations.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace seamscope::mlir_passes {

/// A value that an operator reads or writes as a whole.
struct Transfer {
  int64_t Value = 0; ///< the same number for the same value: resultOf() or a negative number
  Amount Bytes;
};

/// The Transfer::Value of result \p Number, at most MostResult, of operator \p Id.
constexpr int64_t MostResult = 0xffff;
constexpr int64_t resultOf(unsigned Id, unsigned Number) {
  return static_cast<int64_t>(Id) << 16 | Number;
}

/// A value that an operator produces, and its readers.
struct Output : Transfer {
  std::vector<unsigned> Readers; ///< captured operators
  bool Escapes = true;           ///< other code may read it too, also after the function
};

struct CapturedOp {
  std::string Op;     ///< `linalg.generic`
  std::string Name;   ///< the front end's name, else Op and the operations in its body
  std::string Result; ///< types of the results: `tensor<4x8xf32>`; or of the buffers written
  std::string Function;
  Place At;
  /// The operator whose body contains this one: the front end or an earlier fusion merged several
  /// named operators. Inputs and outputs are recorded for the whole only.
  std::optional<unsigned> PartOf;
  Amount Flops;
  std::vector<Transfer> Inputs;
  std::vector<Output> Outputs;
};

/// The work of several operators fused into one.
struct GroupWork {
  Amount Flops;
  Amount Bytes;        ///< read from outside and written for others
  Amount UnfusedBytes; ///< if each operator read and wrote its operands in memory
};

class OpTable {
public:
  /// The table of \p Module; empty if it does not have one.
  static OpTable read(mlir::ModuleOp Module);
  /// Whether \p Module has a table.
  static bool isIn(mlir::ModuleOp Module);
  void write(mlir::ModuleOp Module) const;

  GroupWork work(const std::set<unsigned> &Ids) const;

  std::vector<CapturedOp> Ops;
};

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_OPTABLE_H
