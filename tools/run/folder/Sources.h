//===- Sources.h - the sources that a program was built from --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace names files and lines. Files change later, so `run` keeps copies of
// those that the program was certainly built from.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_SOURCES_H
#define SEAMSCOPE_TOOLS_RUN_SOURCES_H

#include "run/folder/RunFolder.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Copies sources that the traces in \p Folder name into DIR/sources, and lists them in \p
/// Manifest: those that did not change after one of the programs in its command was written and
/// whose name that program contains.
void collectSources(const std::string &Folder, RunManifest &Manifest);

/// The copy, in the folder of a run, of the file that its traces call \p File.
std::optional<std::string> copiedSource(const std::string &Folder, std::string_view File);

/// The file below \p Root, a source tree of that version, that a trace calls \p File: the one whose
/// path shares the longest end with \p File.
std::optional<std::string> sourceBelow(const std::string &Root, std::string_view File);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_SOURCES_H
