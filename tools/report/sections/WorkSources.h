//===- WorkSources.h - where the work of kernels is known from ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKSOURCES_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKSOURCES_H

#include "report/sections/Sections.h"

namespace seamscope::tools {

/// Marks for people, reasons why work is not known, and what graphs say of fused kernels.
Fields<KernelRow> workSourceFields(const Context &In);

/// The meaning of the marks that rows have; nothing if none has any.
void addWorkLegend(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKSOURCES_H
