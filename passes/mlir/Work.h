//===- Work.h - FLOPs and bytes of an operator by its semantics -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What counts as a FLOP and as a byte is what docs/work.md says for operators of torch: additions,
// multiplications, divisions, comparisons, selections and elementary functions are one each; each
// input is read once and each output written once.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_WORK_H
#define SEAMSCOPE_MLIR_WORK_H

#include "OpTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

namespace seamscope::mlir_passes {

/// Dimension \p Index of \p Shaped: a constant, or a symbol that says which argument of the
/// function has it.
Amount sizeOf(mlir::Value Shaped, unsigned Index);

/// FLOPs of one execution of \p Op by itself: arith, math and the like on numbers (an index is
/// none).
int64_t flopsOf(mlir::Operation &Op);

/// The iteration domain of an operator.
struct Domain {
  explicit Domain(mlir::linalg::LinalgOp Op);

  /// How many points it has.
  Amount points() const;

  llvm::SmallVector<mlir::AffineMap, 4> Maps; ///< of the operands
  llvm::SmallVector<Amount, 4> Sizes;         ///< of the loops
};

/// The operations of \p Op for all points of its iteration domain.
Amount flopsOf(mlir::linalg::LinalgOp Op);
Amount flopsOf(mlir::linalg::LinalgOp Op, const Domain &Of);

/// How often one call of its function runs \p Op; unknown inside of branches and of loops whose
/// trip count is no constant.
Amount executionsOf(mlir::Operation &Op);

/// Bytes of one \p Element of a tensor or buffer.
std::optional<int64_t> elementBytes(mlir::Type Element);

/// Bytes that \p Op reads through \p Operand, or writes: the elements that its indexing map
/// reaches.
Amount bytesOf(const Domain &Of, mlir::OpOperand &Operand);

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_WORK_H
