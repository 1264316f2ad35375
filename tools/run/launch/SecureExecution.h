//===- SecureExecution.h - programs with raised rights --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_SECUREEXECUTION_H
#define SEAMSCOPE_TOOLS_RUN_SECUREEXECUTION_H

#include <string>
#include <vector>

namespace seamscope::tools {

/// Whether the program that \p Command starts gets more rights than its caller, by setuid, setgid
/// or file capabilities. The loader then ignores LD_PRELOAD, and nothing is recorded. Returns a
/// sentence about this, or an empty one. Looks through `env` and the like.
std::string whySecure(const std::vector<std::string> &Command);

/// The file of the program that \p Command starts, found as by execvp; "" if there is none.
std::string programFile(const std::vector<std::string> &Command);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_SECUREEXECUTION_H
