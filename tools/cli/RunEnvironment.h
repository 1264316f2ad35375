//===- RunEnvironment.h - what a program under run finds set -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H
#define SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

struct RunOptions {
  std::string Mode = "trace", Out, Cache, OpenMP = "auto", Compile = "auto";
  std::string Baseline; ///< "eager", the folder of an earlier run, or empty
  unsigned Repeat = 1;
  bool Report = false, Torch = true, PrintEnvironment = false;
  std::vector<std::string> Command;
};

/// What a start of the program is for.
enum class RunSide { Compiled, Eager };

/// The environment as it is now.
std::map<std::string, std::string> environmentNow();

/// Makes the environment what it was.
void restoreEnvironment(const std::map<std::string, std::string> &To);

/// Sets what the program finds in its environment; returns what is new there. \p Folder: the run's,
/// empty when the trace alone is asked for.
std::vector<std::pair<std::string, std::string>> prepareEnvironment(const RunOptions &Options,
                                                                    const std::string &Trace,
                                                                    const std::string &Folder,
                                                                    RunSide Side);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H
