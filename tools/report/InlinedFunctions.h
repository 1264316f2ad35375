//===- InlinedFunctions.h - inlined functions, in a report ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_INLINEDFUNCTIONS_H
#define SEAMSCOPE_TOOLS_REPORT_INLINEDFUNCTIONS_H

#include "report/Report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace seamscope::tools {

/// A table of functions that were inlined, by their loops; empty where there is none.
std::string inlinedFunctionsText(const ReportInput &Input, bool Colours);

/// `[{name, source, loops, calls, total_ns, kernels}]`
nlohmann::ordered_json inlinedFunctionsJson(const ReportInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_INLINEDFUNCTIONS_H
