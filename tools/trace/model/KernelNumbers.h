//===- KernelNumbers.h - which numbers of a launch are possible -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_KERNELNUMBERS_H
#define SEAMSCOPE_TOOLS_TRACE_KERNELNUMBERS_H

#include "trace/model/Trace.h"

#include <span>

namespace seamscope::tools {

/// Whether these numbers are possible for one launch.
bool isPossible(const KernelInside &Inside);

/// Whether the loops of one launch, in the kernel's order, can have these numbers: a loop comes
/// after the one around it, and takes no more than that one has left.
bool isPossible(std::span<const KernelLoop> Loops);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_KERNELNUMBERS_H
