//===- Verbs.h - the verbs of the seamscope command -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file a verb. Each adds its options to the command line and runs when chosen.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_VERBS_H
#define SEAMSCOPE_TOOLS_CLI_VERBS_H

#include "trace/ReadOptions.h"
#include "trace/Trace.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace seamscope::tools {

/// Exit statuses: 0 all is well, 1 bad data or a file that cannot be read or written, 2 bad usage.
enum ExitStatus : int { Success = 0, BadData = 1, BadUsage = 2 };

/// A verb's action; returns the exit status.
using Action = std::function<int()>;

Action addAdopt(CLI::App &Verb);
Action addAugment(CLI::App &Verb);
Action addCombine(CLI::App &Verb);
Action addReport(CLI::App &Verb);
Action addDiff(CLI::App &Verb);
Action addKernels(CLI::App &Verb);
Action addConvert(CLI::App &Verb);
Action addRecover(CLI::App &Verb);
Action addRun(CLI::App &Verb);
Action addSource(CLI::App &Verb);

/// Adds what FLOPs, bytes and their peaks depend on: --dtype and --peaks.
void addWorkOptions(CLI::App &Verb, std::string &Type, std::string &Peaks);

/// Adds --threads.
void addThreadsOption(CLI::App &Verb, unsigned &Threads);

/// How a verb reads its traces: with that many threads, and with a line on stderr, where that is a
/// terminal, about reading that takes more than a second. \p Keep: what else it wants.
ReadOptions readOptions(const std::string &Path, unsigned Threads, ReadOptions Keep = {});

/// Prints "seamscope: ERROR" and returns BadData.
int fail(const Error &Why);

/// A trace that ends too early, or holds events that are none, was read as far as it goes: says so
/// on stderr and returns the exit status, which single events change with \p Strict only.
int tellOfDamage(const TraceInfo &Info, bool Strict);

/// Prints "seamscope: SENTENCE" on stderr.
void complain(const std::string &Sentence);

/// Whether to use colours on standard output: a terminal, and NO_COLOR is not set.
bool coloursWanted();

/// Writes \p Text to \p Path ("-" or empty: standard output); the exit status.
int writeResult(const std::string &Path, const std::string &Text);

/// Writes the report of the trace at \p Path for people to standard output; the exit status.
int printReport(const std::string &Path);

/// Of \p Known the name nearest to \p Wrong, or an empty one when none is near.
std::string nearestName(const std::string &Wrong, const std::vector<std::string> &Known);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_VERBS_H
