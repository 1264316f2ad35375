//===- NvtxTool.h - NVTX ranges in the trace of a run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_NVTXTOOL_H
#define SEAMSCOPE_TOOLS_CLI_NVTXTOOL_H

#include <string>

namespace seamscope::tools {

/// Sets the environment of the program to be started so that NVTX ranges are recorded. A tool that
/// is already configured sees them too. Does nothing if \p LibraryFolder has no library for it, or
/// the user set SEAMSCOPE_NVTX=off.
void prepareNvtxTool(const std::string &LibraryFolder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_NVTXTOOL_H
