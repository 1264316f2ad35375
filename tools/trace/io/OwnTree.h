//===- OwnTree.h - the folders that this program is installed in ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_OWNTREE_H
#define SEAMSCOPE_TOOLS_TRACE_IO_OWNTREE_H

#include <filesystem>
#include <string>

namespace seamscope::tools {

/// The folder with bin/, lib/ and share/ of the program, or of the library that this is part of.
std::filesystem::path ownPrefix();

/// The folder for PYTHONPATH: that of a build or an installation, or the one that has the package
/// around this tool. Empty: neither has it.
std::filesystem::path pythonPackageFolder();

/// The Python that the environment variable SEAMSCOPE_PYTHON names, else python3.
std::string pythonProgram();

/// PYTHONPATH with \p Folder before what it has.
std::string pythonPathWith(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_OWNTREE_H
