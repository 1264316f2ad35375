//===- Messages.h - what the command says, and how it ends ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_MESSAGES_H
#define SEAMSCOPE_TOOLS_CLI_MESSAGES_H

#include "trace/io/Error.h"

#include <string>
#include <string_view>

namespace seamscope::tools {

struct TraceInfo;

/// Exit statuses: 0 all is well, 1 bad data or a file that cannot be read or written, 2 bad usage,
/// 3 above the threshold of --fail-above.
enum ExitStatus : int { Success = 0, BadData = 1, BadUsage = 2, AboveThreshold = 3 };

/// Prints "seamscope: ERROR" and returns BadData.
int fail(const Error &Why);

/// A trace that ends too early, or contains invalid events, was read as far as possible: says so on
/// stderr and returns the exit status, which single events change only with \p Strict.
int reportDamage(const TraceInfo &Info, bool Strict);

/// Writes \p Text to stderr, as it is.
void say(std::string_view Text);

/// Prints "seamscope: SENTENCE" on stderr, for a problem.
void complain(const std::string &Sentence);

/// The same for a result.
void inform(const std::string &Sentence);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_MESSAGES_H
