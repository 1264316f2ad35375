//===- Sources.h - the sources that a program was built from --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace names files and lines. The file changes, the trace does not: `run` keeps a copy where it
// knows that the program was built from it.
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

/// Copies the sources that the traces in \p Folder name into DIR/sources, and lists them in
/// \p Manifest: those that one of the programs in its command holds the name of, and that did not
/// change after that program was written.
void collectSources(const std::string &Folder, RunManifest &Manifest);

/// The copy in the folder of a run of the file that its traces call \p File.
std::optional<std::string> copiedSource(const std::string &Folder, std::string_view File);

/// The file that a trace calls \p File, below \p Root, where somebody has that version: of the
/// files whose path ends as that of \p File does the one with most in common.
std::optional<std::string> sourceBelow(const std::string &Root, std::string_view File);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_SOURCES_H
