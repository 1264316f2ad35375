//===- Report.h - the wrapper's messages -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_REPORT_H
#define SEAMSCOPE_WRAPPER_REPORT_H

#include <string>

namespace seamscope::wrapper {

/// The wrapper's own name, set by main.
extern std::string ProgramName;

/// Prints one line on stderr, with control characters replaced.
void warn(const std::string &Message);

/// Does the same, then exits with status 1.
[[noreturn]] void fail(const std::string &Message);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_REPORT_H
