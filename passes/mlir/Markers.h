//===- Markers.h - markers at the begin and end of a group, in MLIR -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the function's entry block:  %frame = llvm.alloca 1 x SeamscopeFrame
// Before the group:               llvm.call @__seamscope_group_enter_v1(@__seamscope_group, %frame)
// After the group:                llvm.call @__seamscope_group_exit_v1(%frame)
//
// The frame ties the calls together even when code is copied. The calls access only the frame and
// memory that the program cannot see, so they do not order the program's own accesses.
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

/// The contents of a marker: the fields of SeamscopeGroup (seamscope/group.h).
struct GroupSite {
  std::string Name, Function, Ops;
  Place At;
};

class MarkerWriter {
public:
  explicit MarkerWriter(mlir::ModuleOp Module);

  /// Fails with an error if \p Module uses the markers' names for other things.
  llvm::LogicalResult checkNames();

  void mark(mlir::Operation &Op, const GroupSite &Site);

  /// Whether \p Op has markers already.
  static bool isMarked(mlir::Operation &Op);

private:
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef Name, unsigned Parameters);
  mlir::LLVM::GlobalOp site(const GroupSite &Site, mlir::Location Loc);

  mlir::ModuleOp Module;
  mlir::SymbolTable Symbols;
  mlir::OpBuilder B;
  llvm::DenseMap<mlir::Block *, mlir::Value> Frames; ///< one for all groups
};

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_MARKERS_H
