//===- TorchBridge.h - torch's operators in the trace of a run -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_TORCHBRIDGE_H
#define SEAMSCOPE_TOOLS_CLI_TORCHBRIDGE_H

#include <string>

namespace seamscope::tools {

/// Sets the environment of the program to be started so that a Python that imports torch records
/// its operators, or, if not \p Enabled, does not.
void prepareTorchBridge(bool Enabled, const std::string &LibraryFolder);

/// Puts \p Folder before the folders of PYTHONPATH.
void putOnPythonPath(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_TORCHBRIDGE_H
