//===- Timed.h - timing of compilations ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `seamscope run` sets SEAMSCOPE_COMPILER_TIMES to a file in its folder. Each compilation appends
// one line to it when it ends:
//
//   {"source": "/cache/px/cpx....main.cpp", "begin_ns": 1763760000000000000, "ns": 2100000000,
//   "exit": 0}
//
// begin_ns counts from 1970; exit is 128 plus the signal's number if a signal killed the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_TIMED_H
#define SEAMSCOPE_WRAPPER_TIMED_H

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// The file for the times of compilations; empty if they are not wanted.
std::string compilerTimesFile();

/// Runs \p Command, appends the line for \p Source to \p File, and ends as the command ended. If
/// this process is killed, so is the command.
[[noreturn]] void runTimed(const std::vector<std::string> &Command, const std::string &Source,
                           const std::string &File);

/// Replaces this process by \p Command.
[[noreturn]] void become(const std::vector<std::string> &Command);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_TIMED_H
