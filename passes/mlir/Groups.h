//===- Groups.h - the code of captured operators --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_GROUPS_H
#define SEAMSCOPE_MLIR_GROUPS_H

#include "OpTable.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <set>
#include <string>
#include <vector>

namespace seamscope::mlir_passes {

/// Which code gets markers: see Passes.td.
enum class Level { Linalg, Loops, Launch, Function };

/// Code that is timed as a unit.
struct Group {
  mlir::Operation *Op;
  std::string Function;   ///< symbol of the function
  std::set<unsigned> Ids; ///< numbers of the operators that it computes
  bool MovesData = false; ///< it copies a buffer, for the operators in Ids
};

/// The captured operators that \p Root computes. Excludes an operator whose computation is
/// elsewhere and that \p Root only serves, with a copy for example.
std::set<unsigned> operatorsIn(mlir::Operation &Root, const OpTable &Table);

/// The groups in the host functions of \p Module, in their order.
std::vector<Group> findGroups(mlir::ModuleOp Module, Level Wanted, const OpTable &Table);

/// The name to show: the operators in their order, with repetitions, joined by `+`.
std::string nameOf(const Group &Named, const OpTable &Table);

/// The operator whose line represents the group: the one with most FLOPs, else the first with a
/// line.
const CapturedOp *mainOf(const std::set<unsigned> &Ids, const OpTable &Table);

/// The JSON description in a site's `ops` (docs/formats.md). \p Alone says that this code computes
/// the operators entirely; otherwise its share is unknown and the work is left out.
std::string describe(const std::set<unsigned> &Ids, const OpTable &Table, bool Alone);

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_GROUPS_H
