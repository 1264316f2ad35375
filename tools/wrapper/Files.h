//===- Files.h - small helpers over files and processes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_WRAPPER_FILES_H
#define SEAMSCOPE_WRAPPER_FILES_H

#include <string>
#include <vector>

namespace seamscope::wrapper {

/// Reads a regular file of at most 64 MiB as a whole. False when that cannot be done.
bool readFile(const std::string &Path, std::string &Text);

/// The program \p Name as execvp would find it, or "" when there is none. A program
/// that is this very wrapper under another name is passed over.
std::string findProgram(const std::string &Name);

/// \p Path without links; \p Path itself when it cannot be resolved.
std::string realPath(const std::string &Path);

/// Everything before the last '/', or "." where there is none.
std::string parentPath(const std::string &Path);

/// What comes after the last '/'.
std::string fileName(const std::string &Path);

/// Runs a program and returns its standard output, at most 64 KiB of it; "" when it
/// cannot be run. Its standard error is dropped.
std::string outputOf(const std::vector<std::string> &Command);

} // namespace seamscope::wrapper
#endif // SEAMSCOPE_WRAPPER_FILES_H
