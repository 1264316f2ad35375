//===- KernelInsideText.h - a kernel's `inside` in a Chrome trace ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_KERNELINSIDETEXT_H
#define SEAMSCOPE_TOOLS_TRACE_KERNELINSIDETEXT_H

#include "trace/model/Trace.h"

#include <optional>
#include <string_view>

namespace seamscope::tools {

/// Reads the object that docs/formats.md has. Nothing: it is none, or its numbers cannot be.
std::optional<KernelInside> parseKernelInside(std::string_view Json);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_KERNELINSIDETEXT_H
