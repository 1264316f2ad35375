//===- WorkFigures.h - FLOPs and bytes of a call --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_WORKFIGURES_H
#define SEAMSCOPE_TOOLS_WORK_WORKFIGURES_H

#include "work/DType.h"

#include <cstdint>
#include <optional>

namespace seamscope::tools {

enum class OpWorkKind : uint8_t {
  Unknown,
  View, ///< neither moves nor computes: view, expand, empty, size, ...
  MatMul,
  Convolution,
  Attention,
  Normalization,
  Softmax,
  Pointwise,
  Reduction,
  Scan,
  Sort,
  Embedding,
  Index,
  Copy,
  Fill,
  Dropout,
  Pooling,
  Loss,
  Optimizer,
};

/// Where a figure comes from, best first.
enum class WorkSource : uint8_t {
  None,     ///< there is no figure
  Counted,  ///< the kernel counted what it executed
  Recorded, ///< another tool wrote it into the trace
  Graph,    ///< the nodes that a fused kernel runs, and its buffers
  Formula,  ///< the recorded arguments of the call
};

/// Why a figure is missing.
enum class WorkUnknown : uint8_t {
  No,           ///< both are known
  Operator,     ///< no formula for an operator of this name
  Shapes,       ///< shapes were not recorded (record_shapes=True), or not as documented
  ElementType,  ///< the type is unknown, or that of a list, which the profiler does not record
  LongList,     ///< the profiler leaves out lists of more than 30 tensors
  Argument,     ///< a value that the formula needs was not recorded
  Data,         ///< the figure depends on the contents of a tensor
  NoCount,      ///< the number of operations depends on the algorithm: sort, topk
  Inconsistent, ///< the recorded shapes cannot be those of this operator
  Overflow,     ///< the figure does not fit in 64 bits
};

/// The work of one call of an operator.
struct OpWork {
  /// Operations on numbers of any type; a multiply-add counts as two. For matrix products,
  /// convolutions and attention exactly the count of torch.utils.flop_counter.
  std::optional<int64_t> Flop;
  /// Bytes to read each input once and write each output once.
  std::optional<int64_t> Bytes;
  OpWorkKind Kind = OpWorkKind::Unknown;
  /// Why the first missing figure is missing.
  WorkUnknown Why = WorkUnknown::No;
  /// The type in which the operator computes; for a matrix product the type of its factors.
  DType Compute = DType::Unknown;
  /// The operator only calls others, which the trace shows inside it.
  bool Composite = false;

  /// Whether this call's figures include everything inside it.
  bool ownsWork() const {
    return !Composite && Kind != OpWorkKind::View && (Flop.has_value() || Bytes.has_value());
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_WORKFIGURES_H
