//===- MathFunctions.h - loops that call functions of libm ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_MATHFUNCTIONS_H
#define SEAMSCOPE_TOOLS_MACHINE_MATHFUNCTIONS_H

#include <cstddef>
#include <span>

namespace seamscope::tools {

/// Out[i] = function(A[i]), or of A[i] and B[i], one call for each value.
struct MathFunction {
  const char *Name; ///< "expf"
  const char *Type; ///< of the arrays' elements: "f32" or "f64"
  double Low, High; ///< usual arguments, within which those of the measurement are spread evenly
  void (*Run)(void *Out, const void *A, const void *B, size_t Count);
};

std::span<const MathFunction> mathFunctions();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_MATHFUNCTIONS_H
