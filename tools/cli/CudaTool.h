//===- CudaTool.h - GPU work in the trace of a run ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_CUDATOOL_H
#define SEAMSCOPE_TOOLS_CLI_CUDATOOL_H

#include <string>

namespace seamscope::tools {

/// Sets the environment of the program that is about to be started, in its own process, so that
/// what it does on GPUs is recorded: CUDA's driver loads our library. Nothing where \p
/// LibraryFolder has none or the user said SEAMSCOPE_CUDA=off. The driver loads one: another's that
/// is configured stays, which one line says.
void prepareCudaTool(const std::string &LibraryFolder);

/// Whether a program that is started from here finds a CUDA driver.
bool isCudaDriverThere();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_CUDATOOL_H
