//===- KernelNames.h - names that several kernels have --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_KERNELNAMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_KERNELNAMES_H

#include "trace/model/Trace.h"

#include <string>
#include <string_view>

namespace seamscope::tools {

/// Whether a compiler generated the code of a kernel of this name, perhaps from other sources in
/// each process.
bool isGenerated(std::string_view Name);

/// The name of a part of a kernel whose name was \p Old and is \p New: `New [loop a.cpp:5]`. Parts
/// that are loops of other functions keep theirs.
std::string nameOfPart(std::string_view Part, std::string_view Old, std::string_view New);

/// Gives the kernel of \p Part the name \p New.
void renameKernelOf(Trace &In, Site &Part, StringId New);

/// Adds the file to names that kernels of several files have: `main (a.cpp)`, of two programs or of
/// functions that are local to their files. Where they are in one file, the line too. Generated
/// kernels keep their names. Parts are named after their kernels.
void tellKernelsApart(Trace &Input);

/// Whether a kernel called \p Name was called \p Old before that.
bool wasCalled(std::string_view Name, std::string_view Old);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELNAMES_H
