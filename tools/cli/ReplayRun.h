//===- ReplayRun.h - runs compilers and replayed kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_REPLAYRUN_H
#define SEAMSCOPE_TOOLS_CLI_REPLAYRUN_H

#include "trace/io/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The program of a kernel as it is, in its folder.
constexpr const char *ReplayProgram = "replay";

/// The words that start a program in its folder.
inline std::vector<std::string> commandOfProgram(const std::string &Name = ReplayProgram) {
  return {"./" + Name};
}

/// The most that is read of a compiler's output: a rule for make names each of torch's headers.
constexpr uint64_t LargestOutput = 16u << 20;

/// Runs \p Command, which is called \p Name, with its output in \p Log. Nothing, or what happened.
std::optional<Error> runQuietly(const std::vector<std::string> &Command, const std::string &Log,
                                const std::string &Name);
/// The same of a compiler.
std::optional<Error> runQuietly(const std::vector<std::string> &Command, const std::string &Log);

/// How a replayed kernel runs.
struct ReplayRun {
  std::string Folder;
  std::string Output;   ///< a file there, with what it measures
  unsigned Threads = 0; ///< 0: as in the program
  double Seconds = 2;
  std::vector<std::string> More = {}; ///< options
};

/// Runs \p Program, words of a command. Nothing, or what happened. What the kernel prints is in a
/// log.
std::optional<Error> runReplay(std::vector<std::string> Program, const ReplayRun &As);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_REPLAYRUN_H
