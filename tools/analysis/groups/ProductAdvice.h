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

/// Whether a product of numbers of 16 or 8 bits loads and stores whole lines of 16 bytes. Its
/// kernel may say so; else the leading dimensions of its operands do, as far as they are known.
/// Nothing: neither tells, or the kernel multiplies no matrices.
std::optional<bool> isAlignedProduct(std::string_view Kernel, const OpArguments &Arguments);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PRODUCTADVICE_H
