//===- VectorMath.h - functions of SLEEF in a library ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_VECTORMATH_H
#define SEAMSCOPE_TOOLS_MACHINE_VECTORMATH_H

#include "machine/Processor.h"
#include "trace/io/Error.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Out[i] = function(A[i]), or of A[i] and B[i], one call for each vector.
struct VectorFunction {
  std::string Name; ///< "expf", as C calls the function of one value
  std::string Type; ///< of the arrays' elements: "f32" or "f64"
  unsigned Bits;    ///< width of the registers
  double Low, High; ///< usual arguments
  std::function<void(void *Out, const void *A, const void *B, size_t Count)> Run;
};

/// The functions of SLEEF (Sleef_expf16_u10) that the shared library \p Path has, for the
/// instruction sets of \p On. torch's libtorch_cpu.so has them: compiled kernels and eager
/// operators call them there. The library stays loaded. An error if it cannot be loaded or has
/// none.
Result<std::vector<VectorFunction>> vectorFunctions(const std::string &Path, const Processor &On);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_VECTORMATH_H
