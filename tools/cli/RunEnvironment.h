//===- RunEnvironment.h - what a program under run finds set -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H
#define SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

struct RunOptions {
  std::string Mode = "trace", Out, Cache, OpenMP = "auto", Compile = "auto";
  std::string Throttle; ///< "off", a number, or empty: what the environment says
  std::string Loops;    ///< for the pass: "auto", a number, "off"; empty: what the environment says
  std::string Baseline; ///< "eager", the folder of an earlier run, or empty
  unsigned Repeat = 0;  ///< 0: recorded runs once, those that the speedup is of as time allows
  bool Report = false, Torch = true, PrintEnvironment = false;
  bool OwnCompiler = false;   ///< once more, with torch's own choice of compiler
  bool NoOwnCompiler = false; ///< not even with --baseline eager
  bool NoUnrecorded = false;  ///< with --baseline eager none of the runs that record nothing
  std::vector<std::string> Command;
};

/// What a start of the program is for.
enum class RunSide {
  Compiled,
  Eager,
  UnrecordedCompiled, ///< nothing is kept but the times of steps (StepLog.h): one of each two is
                      ///< recorded, to be beside those that are not
  UnrecordedEager,
  OwnCompiler, ///< nothing recorded; the compiler, its cache and OpenMP are what torch chooses
  OwnEager,    ///< as that, in eager mode
};

constexpr bool isRecorded(RunSide Side) {
  return Side == RunSide::Compiled || Side == RunSide::Eager;
}

/// The program as it is without Seamscope, but for the times of its steps. Also to record some
/// steps changes the others: what it allocates decides what malloc gives back to the system after a
/// step.
constexpr bool isAsItIs(RunSide Side) {
  return Side == RunSide::OwnCompiler || Side == RunSide::OwnEager;
}

constexpr bool isEager(RunSide Side) {
  return Side == RunSide::Eager || Side == RunSide::UnrecordedEager || Side == RunSide::OwnEager;
}

/// The environment as it is now.
std::map<std::string, std::string> environmentNow();

/// Makes the environment what it was.
void restoreEnvironment(const std::map<std::string, std::string> &To);

/// What a program under run finds.
struct Prepared {
  std::vector<std::pair<std::string, std::string>> New; ///< variables, as they are now
  std::string
      TemporaryCache; ///< stands in for one that cannot be written to; the caller removes it
};

/// The folder of the libraries that came with this program.
std::filesystem::path runtimeFolder();

/// Notes in a cache that its kernels have the hooks of this version, unless something is noted.
void noteHooks(const std::string &Cache);

/// Sets what the program finds in its environment. \p Folder: the run's,
/// empty when the trace alone is asked for. \p StartNs: when the program starts, since 1970.
Prepared prepareEnvironment(const RunOptions &Options, const std::string &Trace,
                            const std::string &Folder, RunSide Side, int64_t StartNs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H
