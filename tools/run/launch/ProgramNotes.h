//===- ProgramNotes.h - compile-time notes in object files ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_PROGRAMNOTES_H
#define SEAMSCOPE_TOOLS_RUN_PROGRAMNOTES_H

#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

/// How a program or library was built: the pass's notes in the files that it was linked from
/// (ProgramNotes.h of the passes), and whether it has code for GPUs.
struct ProgramNotes {
  /// Functions that are not timed for one reason.
  struct Skipped {
    std::string Reason;
    uint64_t Functions = 0;
  };

  std::vector<std::string> UnmatchedKernels; ///< globs of `kernels=` that match no function of it
  bool LeftToLink = false; ///< compiled with lto=link, but the linker did not instrument it
  bool HasGpuCode = false; ///< of CUDA, as nvcc and clang put it into programs
  /// The files that were compiled with the plugin and have nothing that is timed, and why: the most
  /// frequent reason first.
  std::vector<std::string> FilesWithout;
  std::vector<Skipped> WhyWithout;
};

/// The notes of the ELF file at \p Path; none if it is not one or cannot be read.
ProgramNotes readProgramNotes(const std::string &Path);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_PROGRAMNOTES_H
