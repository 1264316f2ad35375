//===- SystemCalls.h - names of system calls that wait ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_JOIN_SYSTEMCALLS_H
#define SEAMSCOPE_TOOLS_RUN_JOIN_SYSTEMCALLS_H

#include <cstdint>
#include <string>

namespace seamscope::tools {

/// The name of a system call of this machine's kind of processor; for those that rarely wait,
/// "system call N". Below 0: none, as for a page fault.
std::string systemCallName(int64_t Number);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_JOIN_SYSTEMCALLS_H
