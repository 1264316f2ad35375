//===- CompiledFiles.h - how long each generated file took to compile -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_COMPILEDFILES_H
#define SEAMSCOPE_TOOLS_REPORT_COMPILEDFILES_H

#include "report/Report.h"
#include "run/join/TorchRun.h"

#include <nlohmann/json.hpp>

#include <string>

namespace seamscope::tools {

/// `[{file, kernels, calls, failed, ns}]`, longest first: what the compiler compiled in this run,
/// and which kernels of the trace are in each file.
nlohmann::ordered_json compiledFilesJson(const ReportInput &Input);

/// The same as a table of the longest; empty when nothing was compiled.
std::string compiledFilesText(const ReportInput &Input, bool Colours);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_COMPILEDFILES_H
