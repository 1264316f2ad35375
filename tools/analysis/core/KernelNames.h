//===- KernelNames.h - names that several kernels have --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_KERNELNAMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_KERNELNAMES_H

#include "trace/model/Trace.h"

#include <string_view>

namespace seamscope::tools {

/// Whether a compiler generated the code of a kernel of this name, perhaps from other sources in
/// each process.
bool isGenerated(std::string_view Name);

/// Adds the file to names that kernels of several files have: `main (a.cpp)`, of two programs or of
/// functions that are local to their files. Where they are in one file, the line too. Generated
/// kernels keep their names.
void tellKernelsApart(Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELNAMES_H
