//===- CudaTool.h - GPU work in the trace of a run ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_CUDATOOL_H
#define SEAMSCOPE_TOOLS_CLI_CUDATOOL_H

#include <string>

namespace seamscope::tools {

/// Sets the environment of the program to be started so that its GPU work is recorded: CUDA's
/// driver loads our library. Does nothing if \p LibraryFolder has none, or the user set
/// SEAMSCOPE_CUDA=off. The driver loads one library: one that is configured already stays, and a
/// line says so.
void prepareCudaTool(const std::string &LibraryFolder);

/// Whether a program that is started from here finds a CUDA driver.
bool isCudaDriverThere();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_CUDATOOL_H
