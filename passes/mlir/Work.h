//===- Work.h - FLOPs and bytes of an operator ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FLOPs and bytes are counted as docs/work.md says for torch operators: an addition,
// multiplication, division, comparison, selection or elementary function is one FLOP; each input is
// read once and each output written once.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_WORK_H
#define SEAMSCOPE_MLIR_WORK_H

#include "OpTable.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

namespace seamscope::mlir_passes {

/// Dimension \p Index of \p Shaped: a constant, or a symbol that names an argument of the function.
Amount sizeOf(mlir::Value Shaped, unsigned Index);

/// FLOPs of one execution of \p Op itself: arith, math and similar operations on numbers, not
/// indexes.
int64_t flopsOf(mlir::Operation &Op);

/// The iteration domain of an operator.
struct Domain {
  explicit Domain(mlir::linalg::LinalgOp Op);

  /// The number of points in the domain.
  Amount points() const;

  llvm::SmallVector<mlir::AffineMap, 4> Maps; ///< of the operands
  llvm::SmallVector<Amount, 4> Sizes;         ///< of the loops
};

/// The FLOPs of \p Op for all points of its iteration domain.
Amount flopsOf(mlir::linalg::LinalgOp Op);
Amount flopsOf(mlir::linalg::LinalgOp Op, const Domain &Points);

/// How often one call of its function runs \p Op; unknown inside branches and in loops with an
/// unknown trip count.
Amount executionsOf(mlir::Operation &Op);

/// Bytes of one \p Element of a tensor or buffer.
std::optional<int64_t> elementBytes(mlir::Type Element);

/// The bytes that an operator reads or writes through \p Operand: the elements that its indexing
/// map reaches.
Amount bytesOf(const Domain &Points, mlir::OpOperand &Operand);

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_WORK_H
