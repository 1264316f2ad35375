//===- Category.h - category of a kernel from its name --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_KERNELS_CATEGORY_H
#define SEAMSCOPE_TOOLS_KERNELS_CATEGORY_H

#include <cstdint>
#include <string_view>

namespace seamscope::tools {

enum class KernelCategory : uint8_t {
  Pointwise,
  Reduction,
  PersistentReduction, ///< a reduction whose row stays in registers (Inductor's `per`)
  Foreach,             ///< one kernel over a list of tensors
  Template,            ///< generated from a template with its epilogue (Inductor's `tem`)
  ExternMM,            ///< a library's matrix multiplication
  Convolution,
  Attention,
  Copy,
  Collective,
  Other,
};

/// The name in reports: "persistent reduction", "extern mm", ...
std::string_view categoryName(KernelCategory Category);

/// Knows the names that Inductor, Triton, cuBLAS, cuDNN, CUTLASS, CK, MIOpen, Tensile, oneDNN,
/// FlashAttention, NCCL, RCCL and PyTorch give their kernels.
KernelCategory categorize(std::string_view KernelName);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_KERNELS_CATEGORY_H
