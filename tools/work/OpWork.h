//===- OpWork.h - FLOPs and bytes of an operator, by formula --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/work.md describes the formulas and their sources.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_OPWORK_H
#define SEAMSCOPE_TOOLS_WORK_OPWORK_H

#include "work/OpArguments.h"

#include <optional>
#include <string_view>

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

/// The work of one call of \p Name, named as in traces ("aten::addmm"). An operator without a
/// formula has neither figure. An unknown figure is never 0.
///
/// Operators nest: aten::conv2d calls aten::convolution, which calls aten::cudnn_convolution;
/// aten::mean is one kernel on a GPU but calls aten::sum and aten::div_ on a CPU. To avoid counting
/// work twice:
///
///  1. From the outermost operator of a thread inwards, the first whose ownsWork() is true has the
///     work of everything inside it; operators inside it do not count. A kernel has the work of
///     its owner, shared if the owner launched several.
///  2. A Composite operator with figures has that work itself if no operator inside it owns work:
///     some backends run aten::linear as a whole.
///  3. All others (views, composites, unknown operators) do not own work.
///
/// \p Fallback is the element type where the trace does not record one: in lists of tensors.
OpWork workOf(std::string_view Name, const OpArguments &Arguments, DType Fallback = DType::Unknown);

/// Whether workOf() uses the arguments of an operator of that name.
bool hasFormula(std::string_view Name);

/// "matmul", "convolution", ...
std::string_view nameOf(OpWorkKind Kind);
/// The text in reports: "shapes were not recorded".
std::string_view textOf(WorkUnknown Why);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_OPWORK_H
