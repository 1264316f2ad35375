//===- ProductAdvice.h - matrix products that do not fit the matrix units -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PRODUCTADVICE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PRODUCTADVICE_H

#include "work/OpArguments.h"

#include <optional>
#include <string_view>

namespace seamscope::tools {

/// Whether a product of 16- or 8-bit numbers loads and stores whole 16-byte lines. The name of its
/// kernel may say so; else the leading dimensions of its operands, if known. Nothing: neither says
/// so, or the kernel does not multiply matrices.
std::optional<bool> isAlignedProduct(std::string_view Kernel, const OpArguments &Arguments);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PRODUCTADVICE_H
