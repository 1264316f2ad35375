//===- Processors.h - how many threads can run at once --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_PROCESSORS_H
#define SEAMSCOPE_TOOLS_TRACE_IO_PROCESSORS_H

#include <string>

namespace seamscope::tools {

/// Processors that this process may use, at least 1: those of its affinity mask, and no more than
/// the CPU quota of its control group and of those above it gives, rounded up. \p Root: where /proc
/// and /sys are looked for.
unsigned availableProcessors(const std::string &Root = "");

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_PROCESSORS_H
