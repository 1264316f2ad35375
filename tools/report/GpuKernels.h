//===- GpuKernels.h - kernels of GPUs from within, in a report ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_GPUKERNELS_H
#define SEAMSCOPE_TOOLS_REPORT_GPUKERNELS_H

#include "report/Report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace seamscope::tools {

/// Adds `gap`, `launch_latency_ns`, `inside` and `launches` of docs/formats.md to the object of a
/// device's kernel, where they are known.
void addGpuKernel(nlohmann::ordered_json &Into, const ReportInput &Input, const Site &Kernel);

/// The tables of devices' kernels: of all, and of those with stamps or known launches. Empty: there
/// are none.
std::string gpuKernelsText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_GPUKERNELS_H
