//===- ProgramNotes.h - what a program tells of how it was compiled -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_PROGRAMNOTES_H
#define SEAMSCOPE_TOOLS_RUN_PROGRAMNOTES_H

#include <string>
#include <vector>

namespace seamscope::tools {

/// What the pass noted in the files that a program or library was linked from: see ProgramNotes.h
/// of the passes.
struct ProgramNotes {
  std::vector<std::string> UnmatchedKernels; ///< globs of `kernels=` that match no function of it
  bool LeftToLink = false;                   ///< by lto=link, and the linker did not instrument it
};

/// Of the ELF file at \p Path; nothing when it is none or its notes cannot be read.
ProgramNotes readProgramNotes(const std::string &Path);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_PROGRAMNOTES_H
