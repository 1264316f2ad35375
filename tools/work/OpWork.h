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
#include "work/WorkFigures.h"

#include <string_view>

namespace seamscope::tools {

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

/// The kind of the rule for \p Name; Unknown without a rule.
OpWorkKind kindOf(std::string_view Name);

/// "matmul", "convolution", ...
std::string_view nameOf(OpWorkKind Kind);
/// "counted", "recorded", "graph", "formula" or "".
std::string_view nameOf(WorkSource Source);
/// The text in reports: "shapes were not recorded".
std::string_view textOf(WorkUnknown Why);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_OPWORK_H
