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
#include <vector>

namespace seamscope::tools {

/// A loop, whose site has no number yet.
struct LoopInside {
  Site What;
  KernelLoop Times;
};

struct InsideText {
  KernelInside Kernel;
  std::vector<LoopInside> Loops; ///< in the kernel's order
};

/// Reads the object that docs/formats.md has. Nothing: it is none, or its numbers cannot be. Where
/// those of its loops cannot be there are no loops.
std::optional<InsideText> parseKernelInside(std::string_view Json, StringTable &Strings);

/// Reads `args.work`; nothing: it is not what a runtime writes.
std::optional<LaunchCounters> parseLaunchCounters(std::string_view Json, StringTable &Strings);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_KERNELINSIDETEXT_H
