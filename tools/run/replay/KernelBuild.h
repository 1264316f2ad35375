//===- KernelBuild.h - how a kernel is compiled -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_KERNELBUILD_H
#define SEAMSCOPE_TOOLS_RUN_KERNELBUILD_H

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The command that compiled a kernel, taken apart.
struct KernelBuild {
  std::string Compiler;
  std::string Source = "kernel.cpp"; ///< of the folder
  std::vector<std::string> More;     ///< other sources
  std::string Missing = {};          ///< one of them: for functions that are not there; empty: none
  std::vector<std::string> Flags;    ///< all but places of headers and libraries, and the output
  std::vector<std::string> LinkFlags; ///< more options to link the program
  std::vector<std::string> Headers;   ///< folders of torch's headers
  std::vector<std::string> Libraries; ///< folders of torch's libraries
};

/// \p Name within a literal of C++ or in a comment: it is not trusted.
std::string plainName(std::string_view Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_KERNELBUILD_H
