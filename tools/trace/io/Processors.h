//===- Processors.h - how many threads can run at once --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_PROCESSORS_H
#define SEAMSCOPE_TOOLS_TRACE_IO_PROCESSORS_H

#include <string>

namespace seamscope::tools {

/// The number of processors that this process may use, at least 1: those in its affinity mask,
/// limited by the CPU quotas of its control group and the groups above, rounded up. \p Root: where
/// to look for /proc and /sys.
unsigned availableProcessors(const std::string &Root = "");

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_PROCESSORS_H
