//===- GpuLoops.h - the loops of GPUs' kernels, in a report ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_GPULOOPS_H
#define SEAMSCOPE_TOOLS_REPORT_GPULOOPS_H

#include "report/Report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace seamscope::tools {

/// Adds the loops of a device's kernel to the array \p Into; ids go on behind those of the host's.
void addGpuLoops(nlohmann::ordered_json &Into, const ReportInput &Input, const Site &Kernel);

/// A tree of devices' kernels and their loops, as loopsText of the host's.
std::string gpuLoopsText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_GPULOOPS_H
