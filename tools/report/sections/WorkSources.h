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

/// Whether the rows' figures come from more than one source: then each row needs its mark.
bool hasSeveralSources(const ReportContext &In);

/// Where figures come from: the meaning of the marks. Nothing without figures.
void addWorkLegend(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKSOURCES_H
