//===- Timed.h - a compilation that is timed -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `seamscope run` sets SEAMSCOPE_COMPILER_TIMES to a file of its folder. Each compilation then adds
// one line to it when it ends:
//
//   {"source": "/cache/px/cpx....main.cpp", "begin_ns": 1763760000000000000, "ns": 2100000000,
//   "exit": 0}
//
// begin_ns counts from 1970; exit is 128 and the signal's number where one ended the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_TIMED_H
#define SEAMSCOPE_WRAPPER_TIMED_H

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// Where the times of compilations go; empty: nowhere.
std::string compilerTimesFile();

/// Runs \p Command, adds the line for \p Source to \p File, and ends as the command ended. What
/// ends this process ends the command.
[[noreturn]] void runTimed(const std::vector<std::string> &Command, const std::string &Source,
                           const std::string &File);

/// Becomes \p Command.
[[noreturn]] void become(const std::vector<std::string> &Command);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_TIMED_H
