//===- RunFolder.h - the folder that a run leaves behind ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   DIR/manifest.json     seamscope.run/1: command, environment, how it ended
//   DIR/trace.json        what the program recorded; trace.<pid>.json of its other processes
//   DIR/torch-trace/      structured logs of torch.compile, one a process
//   DIR/calls.jsonl       what one call of each C++ kernel needs, see replay/CallLog.h
//   DIR/captured/         contents of tensors
//   DIR/replay/KERNEL/    a kernel as a program, see replay/ReplayFolder.h
//   DIR/compiler-times.jsonl  how long the compiler took, see CompilerTimes.h
//   DIR/sources/          sources that the program was built from, see Sources.h
//   DIR/generated/        output code and C++ of the kernels, copied from Inductor's cache, and
//                         clang's remarks on their loops (HASH.main.opt.yaml)
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_RUNFOLDER_H
#define SEAMSCOPE_TOOLS_RUN_RUNFOLDER_H

#include "run/folder/HostLoad.h"
#include "trace/io/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The contents of manifest.json. File names are relative to the folder.
struct RunManifest {
  std::string Version; ///< of Seamscope
  std::vector<std::string> Command;
  std::string Directory; ///< in which the command ran; empty: not known
  std::string Mode;      ///< trace or profile
  int64_t StartNs = 0;   ///< since 1970
  int64_t WallNs = 0;
  std::optional<HostLoad> Host; ///< nothing: a program that recorded itself
  std::optional<int> ExitCode;
  std::optional<int> Signal;                                    ///< that ended it
  std::vector<std::pair<std::string, std::string>> Environment; ///< that was set for it
  std::string Cache;                                            ///< Inductor's; empty: none was set
  std::string TorchVersion;                                     ///< empty: torch compiled nothing
  std::vector<std::string> Traces;
  std::vector<std::string> Logs;
  std::vector<std::string> Generated;
  /// Files as the traces name them, and their copies.
  std::vector<std::pair<std::string, std::string>> Sources;
  std::vector<std::string> Notes; ///< sentences on what went wrong, except in the program
};

/// The names inside a run's folder.
std::string manifestIn(const std::string &Folder);
std::string traceIn(const std::string &Folder);
std::string logsIn(const std::string &Folder);
std::string generatedIn(const std::string &Folder);
std::string sourcesIn(const std::string &Folder);

/// Writes DIR/manifest.json; nothing, or why it could not be written.
std::optional<Error> writeManifest(const std::string &Folder, const RunManifest &Manifest);

/// The same, with the traces and logs of torch.compile that are in the folder now.
std::optional<Error> completeManifest(const std::string &Folder, RunManifest &Manifest);

/// Sets the directory of a run that was started here; a note says if it is not known.
void setDirectory(RunManifest &Manifest);

/// Whether \p Folder is that of a run: it has a manifest of the right schema.
bool isRunFolder(const std::string &Folder);

/// What `run` chose for torch.compile and its program; empty: torch or the user chose.
struct RunTools {
  std::string Compiler; ///< path or name of that of the kernels
  std::string OpenMP;   ///< path of the runtime library that serves the whole program
};

/// How the program was started, and where; empty where the manifest of \p Folder lacks it.
struct RunCommand {
  std::vector<std::string> Words;
  std::string Directory;
};
RunCommand commandOf(const std::string &Folder);

/// What the machine did during the run in \p Folder; nothing if its manifest lacks it.
std::optional<HostLoad> hostLoadOf(const std::string &Folder);

/// "ended with status 3" for a failed run in \p Folder; empty: it succeeded.
std::string howRunFailed(const std::string &Folder);

/// The tools in the manifest of \p Folder.
RunTools toolsOf(const std::string &Folder);

/// The sources that the manifest in \p Folder lists.
std::vector<std::pair<std::string, std::string>> sourcesOf(const std::string &Folder);

/// The traces in the folder, DIR/trace.json first, then by name.
std::vector<std::string> tracesIn(const std::string &Folder);

/// Copies what a report needs from Inductor's cache \p Cache (empty: none): the output code of each
/// graph in the folder's logs, and the C++ of the kernels that it defines. Adds to \p Manifest what
/// was written, what was not, and which kernels were compiled without our pass.
void collectGenerated(const std::string &Folder, const std::string &Cache, RunManifest &Manifest);

/// Where `run` puts its folders by default.
constexpr const char *UsualRunParent = "seamscope-out";

/// A new folder below \p Parent, named after the time; empty when it cannot be made.
std::string newRunFolder(const std::string &Parent);

/// The newest folder of a run below \p Parent; empty when there is none.
std::string newestRunFolder(const std::string &Parent);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_RUNFOLDER_H
