//===- PythonCommand.h - does a command start Python? ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_PYTHONCOMMAND_H
#define SEAMSCOPE_TOOLS_RUN_PYTHONCOMMAND_H

#include <string>
#include <vector>

namespace seamscope::tools {

/// Whether \p Command, a program and its arguments, starts Python as far as can be determined: by a
/// name (python3, pytest, torchrun), because the program is a script for Python, or because a shell
/// is given a script or a line that names one. The settings for Python harm no other program.
bool startsPython(const std::vector<std::string> &Command);

/// The file that execvp would start for \p Name.
std::string findProgram(const std::string &Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_PYTHONCOMMAND_H
