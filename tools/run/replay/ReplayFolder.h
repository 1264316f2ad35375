//===- ReplayFolder.h - one call of a kernel, as a program -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   kernel.cpp      the kernel's code, as the compiler got it
//   call.h          its arguments
//   main.cpp        calls it and measures
//   include/        the headers of torch that the code includes
//   data/           contents of tensors, if they were captured
//   CMakeLists.txt, README.md
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_REPLAYFOLDER_H
#define SEAMSCOPE_TOOLS_RUN_REPLAYFOLDER_H

#include "run/replay/CallLog.h"
#include "run/replay/KernelBuild.h"
#include "trace/io/Error.h"
#include "trace/io/OutputFolder.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Takes the command of \p Of apart.
KernelBuild buildOf(const KernelCall &Of);

/// The text of call.h.
std::string callHeader(const KernelCall &Of);

/// Writes a file whole or not at all; one of that name is replaced. Nothing, or why not.
std::optional<Error> writeReplayFile(const OutputFolder &In, const std::string &Name,
                                     const std::string &Text);

/// The files \p Names of the folder \p Share, with their texts.
Result<std::vector<std::pair<std::string, std::string>>>
harnessFiles(const std::string &Share, std::initializer_list<const char *> Names);

/// Writes \p Files, names and texts, to the folder \p To, and copies the files \p Data of the
/// folder \p From to To/data. Nothing, or why not.
std::optional<Error> writeReplayFiles(const std::string &To,
                                      const std::vector<std::pair<std::string, std::string>> &Files,
                                      const std::string &From,
                                      const std::vector<std::string> &Data);

/// Names of the files that have the captured contents of \p Of.
std::vector<std::string> capturedFiles(const KernelCall &Of);

/// A name for the folder of \p Kernel: the same, or if that is none, one made from it.
std::string folderName(const std::string &Kernel);

/// Writes the folder \p To, without include/: \p Share has the files that are always the same, \p
/// Run is the run's folder. Nothing, or why it could not be written.
std::optional<Error> writeReplayFolder(const std::string &To, const KernelCall &Of,
                                       const KernelBuild &Build, const std::string &Share,
                                       const std::string &Run);

/// Copies the headers below \p Headers that \p Dependencies, a rule for make, names, to
/// To/include. Nothing, or why they could not be copied.
std::optional<Error> copyHeaders(const std::string &To, const std::string &Dependencies,
                                 const std::vector<std::string> &Headers);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_REPLAYFOLDER_H
