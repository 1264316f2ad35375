//===- OpTable.h - the captured operators of a module ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module's attribute `seamscope.ops` (docs/formats.md). It is printed and parsed with the
// module, so that capture and instrumentation may happen in different processes. What is not as it
// should be is taken for unknown. It is numbers, and texts once each: attributes by the dozen an
// operator took a good part of a compiler's time, to make and to print.
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
  int64_t Value = 0; ///< the same for the same value: resultOf() or a negative number
  Amount Bytes;
};

/// The value of Transfer for result \p Number, at most MostResult, of operator \p Id.
constexpr int64_t MostResult = 0xffff;
constexpr int64_t resultOf(unsigned Id, unsigned Number) {
  return static_cast<int64_t>(Id) << 16 | Number;
}

/// A value that an operator makes, and who reads it.
struct Output : Transfer {
  std::vector<unsigned> Readers; ///< captured operators
  bool Escapes = true;           ///< others read it, too, or it may be read after the function
};

struct CapturedOp {
  std::string Op;     ///< `linalg.generic`
  std::string Name;   ///< what the front end called it, else Op and what its body computes
  std::string Result; ///< types of the results: `tensor<4x8xf32>`; those of buffers written
  std::string Function;
  Place At;
  /// Of an operator in the body of this one, which has a name of its own: the front end, or an
  /// earlier fusion, put several into one. What is read and written is told of the whole.
  std::optional<unsigned> PartOf;
  Amount Flops;
  std::vector<Transfer> Inputs;
  std::vector<Output> Outputs;
};

/// Of several operators: what was in memory before and after, and in between.
struct GroupWork {
  Amount Flops;
  Amount Bytes;        ///< read from outside and written for others
  Amount UnfusedBytes; ///< had each operator read and written everything
};

class OpTable {
public:
  /// That of \p Module; empty where it has none.
  static OpTable read(mlir::ModuleOp Module);
  /// Whether \p Module has one.
  static bool isIn(mlir::ModuleOp Module);
  void write(mlir::ModuleOp Module) const;

  GroupWork work(const std::set<unsigned> &Ids) const;

  std::vector<CapturedOp> Ops;
};

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_OPTABLE_H
