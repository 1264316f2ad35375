//===- Regions.h - parallel regions and their threads, in a report ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_REGIONS_H
#define SEAMSCOPE_TOOLS_REPORT_REGIONS_H

#include "report/Report.h"

#include <string>

namespace seamscope::tools {

/// A table of regions with a row for each thread, and one for each place at which threads waited,
/// kernels in the order of their table; empty where there are no regions.
std::string regionsText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_REGIONS_H
