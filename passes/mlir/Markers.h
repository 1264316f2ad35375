//===- Markers.h - where a group begins and ends, in MLIR -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the function's entry block:  %frame = llvm.alloca 1 x SeamscopeFrame
// Before the group:               llvm.call @__seamscope_group_enter_v1(@__seamscope_group, %frame)
// Behind it:                      llvm.call @__seamscope_group_exit_v1(%frame)
//
// The frame ties both together, whatever copies them. The calls touch it and memory that the
// program cannot see: they order nothing of the program's but what has effects of that kind itself.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_MARKERS_H
#define SEAMSCOPE_MLIR_MARKERS_H

#include "Locations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

#include <string>

namespace seamscope::mlir_passes {

/// What a marker says of its group: the fields of SeamscopeGroup (seamscope/group.h).
struct GroupSite {
  std::string Name, Function, Ops;
  Place At;
};

class MarkerWriter {
public:
  explicit MarkerWriter(mlir::ModuleOp Module);

  /// Fails with an error where \p Module has other things under the markers' names.
  llvm::LogicalResult check();

  void mark(mlir::Operation &Op, const GroupSite &Site);

  /// Whether \p Op has markers already.
  static bool isMarked(mlir::Operation &Op);

private:
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef Name, unsigned Parameters);
  mlir::LLVM::GlobalOp site(const GroupSite &Site, mlir::Location Loc);

  mlir::ModuleOp Module;
  mlir::SymbolTable Symbols;
  mlir::OpBuilder B;
  llvm::DenseMap<mlir::Block *, mlir::Value> Frames; ///< one group of a function is open at a time
};

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_MARKERS_H
