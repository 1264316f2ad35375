//===- SourceFile.h - a source file with figures by line ---------- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCEFILE_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCEFILE_H

#include "report/sections/Context.h"

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

class SourceRoots;

/// The files that \p Wanted may mean, as the trace names them: of kernels, of their lines with time
/// or work, and the Python of operators in fused kernels. They have that name, or end in it after a
/// slash.
std::vector<std::string> sourceFilesNamed(const ReportContext &In, std::string_view Wanted);

/// \p File, of sourceFilesNamed(), for `seamscope source`: the time and the work of all kernels by
/// its lines, or the work of operators by their line of Python. Read if it is in \p Roots, or kept
/// in the folder of the run.
void addSourceFile(Section &To, const Context &In, const std::string &File,
                   const SourceRoots &Roots);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_SOURCEFILE_H
