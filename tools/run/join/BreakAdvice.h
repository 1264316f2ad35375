//===- BreakAdvice.h - graph breaks that cost time ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_BREAKADVICE_H
#define SEAMSCOPE_TOOLS_RUN_BREAKADVICE_H

#include "analysis/compare/Attribution.h"
#include "analysis/groups/Advice.h"
#include "run/join/TorchRun.h"

#include <optional>

namespace seamscope::tools {

/// The graph breaks of the log, with torch's reason and hint, if much of the compared steps runs
/// outside of compiled code.
std::optional<Advice> adviseOnBreaks(const TorchRun &Torch, const Attribution &All);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_BREAKADVICE_H
