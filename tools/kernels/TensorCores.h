//===- TensorCores.h - whether a kernel uses matrix units, by its name ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_KERNELS_TENSORCORES_H
#define SEAMSCOPE_TOOLS_KERNELS_TENSORCORES_H

#include "work/DType.h"

#include <cstdint>
#include <string_view>

namespace seamscope::tools {

enum class TensorCoreUse : uint8_t { No, Yes, Unknown };

struct TensorCoreVerdict {
  TensorCoreUse Use = TensorCoreUse::Unknown;
  std::string_view Reason; ///< half a sentence that lives as long as the program
};

/// Whether a kernel of a device computes on tensor cores (NVIDIA) or matrix cores (AMD), by what
/// cuBLAS, cuBLASLt, cuDNN, CUTLASS, FlashAttention, Tensile, Composable Kernel, MIOpen, Triton and
/// torch put in their kernels' names. Of a kernel that is compiled for its element type, as
/// Triton's are, \p Elements decides, the type that the operator multiplies; Unknown where it is
/// not known.
TensorCoreVerdict tensorCoreUse(std::string_view KernelName, DType Elements = DType::Unknown);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_KERNELS_TENSORCORES_H
