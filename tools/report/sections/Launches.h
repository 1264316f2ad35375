//===- Launches.h - the launches of kernels, one by one, as a document ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_LAUNCHES_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_LAUNCHES_H

#include "analysis/groups/KernelLaunches.h"
#include "report/model/Document.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The names that options and JSON have for the columns, in the order of PyProf.
const std::vector<std::string> &launchColumnNames();
/// What the text shows when nothing else is asked for; PyProf's choice.
std::vector<std::string> usualLaunchColumns();

struct LaunchesInput {
  const Trace *Source;
  const KernelLaunches *Launches;
  std::vector<uint32_t> Rows;       ///< those shown, by index of KernelLaunches::Rows
  std::vector<std::string> Columns; ///< in this order
};

/// `seamscope.kernels/1`, described in docs/formats.md. What it refers to must outlive it.
Document launchesDocument(const LaunchesInput &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_LAUNCHES_H
