//===- Files.h - helpers for files and processes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_FILES_H
#define SEAMSCOPE_WRAPPER_FILES_H

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// Reads a whole regular file of at most 64 MiB. False if that fails.
bool readFile(const std::string &Path, std::string &Text);

/// The program \p Name as execvp would find it, or "" if there is none. Skips this wrapper itself
/// under another name.
std::string findProgram(const std::string &Name);

/// \p Path with symbolic links resolved; \p Path itself if that fails.
std::string realPath(const std::string &Path);

/// Everything before the last '/', or "." without one.
std::string parentPath(const std::string &Path);

/// Everything after the last '/'.
std::string fileName(const std::string &Path);

/// Runs a program and returns at most 64 KiB of its standard output; "" if it cannot be run. Drops
/// its standard error.
std::string outputOf(const std::vector<std::string> &Command);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_FILES_H
