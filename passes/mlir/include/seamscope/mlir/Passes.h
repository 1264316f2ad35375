//===- Passes.h - Seamscope's passes over MLIR ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers that build their own pipelines link seamscope::mlir; others load the plugin
// SeamscopeMLIR-<major>.so. Passes.td describes the passes.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_PASSES_H
#define SEAMSCOPE_MLIR_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace seamscope::mlir_passes {

#define GEN_PASS_DECL
#include "seamscope/mlir/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "seamscope/mlir/Passes.h.inc"

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_PASSES_H
