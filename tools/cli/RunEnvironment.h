//===- RunEnvironment.h - the environment of a program under run ----------===//
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
  std::string Throttle; ///< "off", a number, or empty: as the environment says
  std::string Loops;    ///< for the pass: "auto", a number, "off"; empty: as the environment says
  std::string Baseline; ///< "eager", the folder of an earlier run, or empty
  std::string Capture;  ///< "KERNEL" or "KERNEL:N": whose inputs are kept; empty: none
  std::string Check;    ///< "N" or "N-M": the calls whose results are compared; empty: none
  unsigned Repeat = 0;  ///< 0: recorded runs once, runs of the speedup as time allows
  bool Report = false, Torch = true, PrintEnvironment = false;
  bool OwnCompiler = false;   ///< another run, with torch's own choice of compiler
  bool NoOwnCompiler = false; ///< not even with --baseline eager
  bool NoUnrecorded = false;  ///< with --baseline eager, no runs that do not record
  std::vector<std::string> Command;
};

/// The purpose of one run of the program.
enum class RunSide {
  Compiled,
  Eager,
  UnrecordedCompiled, ///< keeps only the times of steps (StepLog.h); half of them are recorded,
                      ///< to compare the two kinds
  UnrecordedEager,
  OwnCompiler, ///< nothing recorded; torch chooses the compiler, its cache and OpenMP
  OwnEager,    ///< the same in eager mode
  Checked,     ///< as OwnCompiler; what kernels write is compared with eager mode
};

constexpr bool isRecorded(RunSide Side) {
  return Side == RunSide::Compiled || Side == RunSide::Eager;
}

/// The program without Seamscope, except for the times of its steps. Recording some steps would
/// change the others: a step's allocations decide what malloc returns to the system after it.
constexpr bool isAsItIs(RunSide Side) {
  return Side == RunSide::OwnCompiler || Side == RunSide::OwnEager || Side == RunSide::Checked;
}

constexpr bool isEager(RunSide Side) {
  return Side == RunSide::Eager || Side == RunSide::UnrecordedEager || Side == RunSide::OwnEager;
}

/// The environment as it is now.
std::map<std::string, std::string> environmentNow();

/// Makes the environment what it was.
void restoreEnvironment(const std::map<std::string, std::string> &To);

/// What was prepared for a program under run.
struct Prepared {
  std::vector<std::pair<std::string, std::string>> New; ///< variables and their current values
  std::string TemporaryCache; ///< replaces a cache that cannot be written; the caller removes it
};

/// The folder of the libraries that came with this program.
std::filesystem::path runtimeFolder();

/// The folder of the other files that came with it.
std::filesystem::path shareFolder();

/// The compiler that a wrapper (seamscope-clang++) runs; \p Compiler itself if it is not one.
std::string compilerBehind(const std::string &Compiler);

/// Notes in a cache, if it has no note, that its kernels are compiled with this plugin.
void noteHooks(const std::string &Cache);

/// Sets the environment of the program. \p Folder: the run's; empty: only the trace is wanted.
/// \p StartNs: when the program starts, since 1970.
Prepared prepareEnvironment(const RunOptions &Options, const std::string &Trace,
                            const std::string &Folder, RunSide Side, int64_t StartNs);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_RUNENVIRONMENT_H
