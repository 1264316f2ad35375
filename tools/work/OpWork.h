//===- OpWork.h - FLOPs and bytes of an operator, by formula --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas are described, each with its source, in docs/work.md.
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
  View, ///< moves and computes nothing: view, expand, empty, size, ...
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
  ElementType,  ///< of a list of tensors, which the profiler does not record, or a new one
  LongList,     ///< the profiler leaves out lists of more than 30 tensors
  Argument,     ///< a value that the formula needs was not recorded
  Data,         ///< it depends on the contents of a tensor
  NoCount,      ///< the number of operations depends on the algorithm: sort, topk
  Inconsistent, ///< the recorded shapes cannot be those of this operator
  Overflow,     ///< does not fit 64 bits
};

/// What one call of an operator does.
struct OpWork {
  /// Operations on numbers of any type, a multiply-add counted as two. For matrix products,
  /// convolutions and attention exactly what torch.utils.flop_counter counts.
  std::optional<int64_t> Flop;
  /// Bytes of each input read once and of each output written once.
  std::optional<int64_t> Bytes;
  OpWorkKind Kind = OpWorkKind::Unknown;
  /// Of the first figure that is missing.
  WorkUnknown Why = WorkUnknown::No;
  /// In which the operator computes: of a matrix product the type of its factors.
  DType Compute = DType::Unknown;
  /// The operator only calls others, which the trace shows inside it.
  bool Composite = false;

  /// Whether this call's figures stand for all that happens inside it.
  bool ownsWork() const {
    return !Composite && Kind != OpWorkKind::View && (Flop.has_value() || Bytes.has_value());
  }
};

/// The work of one call of \p Name, named as in traces ("aten::addmm"). Calls of operators without
/// a formula have neither figure; never 0 for what is not known.
///
/// Operators nest: aten::conv2d calls aten::convolution, that aten::cudnn_convolution; aten::mean
/// is one kernel on a GPU and aten::sum and aten::div_ on a CPU. To count nothing twice:
///
///  1. Going inwards from the outermost operator of a thread, the first whose ownsWork() is true
///     has the work of everything that it encloses; what is inside it is not counted. A kernel's
///     work is that of its owner (shared, where the owner launched more than one).
///  2. A Composite operator with figures, inside which no operator owns work, has that work itself:
///     some backends do aten::linear in one piece.
///  3. All others (views, composites, unknown operators) are looked through.
///
/// \p Fallback is the type of the elements where the trace has none: in lists of tensors.
OpWork workOf(std::string_view Name, const OpArguments &Arguments, DType Fallback = DType::Unknown);

/// Whether workOf() looks at the arguments of an operator of that name.
bool hasFormula(std::string_view Name);

/// "matmul", "convolution", ...
std::string_view nameOf(OpWorkKind Kind);
/// As a report says it: "shapes were not recorded".
std::string_view textOf(WorkUnknown Why);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_OPWORK_H
