//===- TraceReport.h - writes the report of a trace ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_TRACEREPORT_H
#define SEAMSCOPE_TOOLS_CLI_TRACEREPORT_H

#include "cli/MakeReport.h"
#include "cli/Output.h"
#include "cli/Verbs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The options of the verb.
struct ReportOptions : ReportWanted {
  std::string By;
  OutputWanted Output;
  bool Strict = false;
  unsigned Threads = 0;
};

/// Reads the named traces and writes their report; returns the exit status, after lines on stderr
/// about what is wrong. The options are already checked.
int reportTrace(const ReportOptions &Options);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_TRACEREPORT_H
