//===- ReplayBuild.h - builds and runs the program of a kernel -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_REPLAYBUILD_H
#define SEAMSCOPE_TOOLS_CLI_REPLAYBUILD_H

#include "cli/ReplayChange.h"
#include "run/replay/ReplayFolder.h"
#include "run/replay/ReplayResult.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

bool isClang(const std::string &Compiler);

/// Compiles the kernel and the program around it to \p Program, without torch's folders: what is
/// missing in the copy of its headers is found here, and not by a user without torch. Nothing, or
/// what failed.
std::optional<Error> buildProgram(const std::string &Folder, const KernelBuild &Build,
                                  const std::string &Program);

/// Makes a program of the call \p Of of the run in \p Run: writes it to \p Folder and compiles it,
/// as its CMakeLists.txt does, with a copy of torch's headers. Nothing, or what failed.
std::optional<Error> makeReplay(const std::string &Folder, const KernelCall &Of,
                                const KernelBuild &Build, const std::string &Run);

/// The kernel's source in \p Folder.
Result<std::string> replaySource(const std::string &Folder, const KernelBuild &Build);

/// clang's remarks on loops of the kernel; empty: another compiler built it.
std::string remarksIn(const std::string &Folder);

/// Runs it, and adds its times to \p To. \p Threads: 0: as in the program. \p Seconds: at most, for
/// each state of the memory.
std::optional<Error> measureReplay(Replayed &To, const std::string &Folder, unsigned Threads,
                                   double Seconds);

/// Measures the kernel with hot caches, with other numbers of threads, compilers and options, in
/// turns with the program as it is; and \p More.
Result<std::vector<ReplayVaried>> varyReplay(const std::string &Folder, const KernelBuild &Build,
                                             const KernelCall &Of, unsigned Threads, double Seconds,
                                             const std::optional<ReplayChange> &More);

/// A kernel of torch.compile whose program runs again.
struct InductorReplay {
  std::string Run;        ///< folder of the run
  std::string Folder;     ///< that of the replayed kernel
  const KernelCall *Call; ///< the kernel's
  const CallLog *Log;     ///< all calls of the run
  std::string Compiler;
  unsigned Threads;
  double Seconds;
};

/// Runs the program of a run again, once for each of some options of Inductor, and measures the
/// kernels that it then has instead of this one.
Result<std::vector<ReplayVaried>> varyInductor(const InductorReplay &Of);

/// Leaves the operators of a C++ kernel of torch.compile out, one at a time, then all.
Result<ReplayAblation> ablateReplay(const std::string &Folder, const KernelBuild &Build,
                                    unsigned Threads, double Seconds);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_REPLAYBUILD_H
