//===- Parts.h - the parts that a step's time is attributed to -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PARTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PARTS_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace seamscope::tools {

/// Where the time of a step went. Each moment of a step is in one part.
enum class StepPart : uint8_t {
  MatMul,       ///< matrix products and convolutions, with what is fused into them
  Attention,    ///< scaled dot product attention as one operator or kernel
  Fused,        ///< generated kernels of other work, and the operators that they replaced
  Other,        ///< other operators: uncompiled ones, views, allocations
  Overhead,     ///< outside of all operators and kernels: Python, dispatch, guards
  Unknown,      ///< in compiled code that calls a library without an event (see Unexplained.h),
                ///< and in eager steps that call NumPy, outside of operators
  Idle,         ///< outside of these too, while the thread did not run: it waited
  Unattributed, ///< operators and kernels whose counterpart is not known
};
constexpr size_t StepParts = 8;

/// "gemm", "attention", "memory_bound", "other", ...: for scripts.
std::string_view keyOf(StepPart Part);

/// For people.
std::string_view titleOf(StepPart Part);

/// If times are of devices: Overhead and Idle are times in which a device did nothing.
std::string_view titleOnDevice(StepPart Part);

/// The part of an operator that runs alone: MatMul, Attention or Other.
StepPart partOfOperator(std::string_view Name);

/// Whether an operator only views its input in another way.
bool isView(std::string_view Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PARTS_H
