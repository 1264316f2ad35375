//===- ImageFiles.h - a kernel of any program, as a program ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_IMAGEFILES_H
#define SEAMSCOPE_TOOLS_RUN_IMAGEFILES_H

#include "run/replay/CallLog.h"
#include "run/replay/KernelBuild.h"
#include "trace/io/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// How the code of \p Of is compiled; the compiler is clang++ of its major, without a folder.
KernelBuild imageBuild(const CallImage &Of);

/// The files of the folder by name, but for those that are always the same and the contents of
/// memory. \p Captured is the folder of the captured call.
Result<std::vector<std::pair<std::string, std::string>>>
imageFiles(const KernelCall &Of, const KernelBuild &Build, const std::string &Captured);

/// The text of missing.cpp: functions \p Names that end the program with a message.
std::string missingFunctions(const std::vector<std::string> &Names);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_IMAGEFILES_H
