//===- Groups.h - which code stands for which captured operators ----------===//
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

/// What is marked: see Passes.td.
enum class Level { Linalg, Loops, Launch, Function };

/// Code that is timed as one.
struct Group {
  mlir::Operation *Op;
  std::string Function;   ///< its symbol
  std::set<unsigned> Ids; ///< of the operators that it computes, in the table's order
  bool MovesData = false; ///< it copies a buffer: operators that it names are those it copies for
};

/// The captured operators that \p Root computes. One is left out where only what serves it is here,
/// a copy for example, and its own computation elsewhere.
std::set<unsigned> operatorsIn(mlir::Operation &Root, const OpTable &Table);

/// Groups of \p Module's functions on the host, in their order.
std::vector<Group> findGroups(mlir::ModuleOp Module, Level Wanted, const OpTable &Table);

/// The name to show: operators in their order, joined by `+`, those that repeat each time.
std::string nameOf(const Group &Of, const OpTable &Table);

/// The operator whose line stands for the group: that with most FLOPs, else the first with a line.
const CapturedOp *mainOf(const std::set<unsigned> &Ids, const OpTable &Table);

/// The description in JSON that a site carries as `ops` (docs/formats.md). \p Alone: none of the
/// operators is computed elsewhere as well; else their share is not known, and no work is given.
std::string describe(const std::set<unsigned> &Ids, const OpTable &Table, bool Alone);

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_GROUPS_H
