//===- TensorCores.h - use of matrix units, from a kernel's name ----------===//
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
  std::string_view Reason; ///< part of a sentence; a string literal
};

/// Whether a kernel uses tensor cores (NVIDIA) or matrix cores (AMD), from its name: knows cuBLAS,
/// cuBLASLt, cuDNN, CUTLASS, FlashAttention, Tensile, Composable Kernel, MIOpen, Triton and torch.
/// For kernels compiled for their element type, such as Triton's, \p Elements decides.
TensorCoreVerdict tensorCoreUse(std::string_view KernelName, DType Elements = DType::Unknown);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_KERNELS_TENSORCORES_H
