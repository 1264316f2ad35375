//===- FailedRuns.h - failed runs in a folder -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_FAILEDRUNS_H
#define SEAMSCOPE_TOOLS_RUN_FAILEDRUNS_H

#include "trace/model/Health.h"

#include <optional>
#include <string>

namespace seamscope::tools {

/// The further runs of the program in \p Folder that failed, were killed or did not start: figures
/// that need them are missing or cover only a part of the program.
std::optional<HealthFinding> failedRuns(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_FAILEDRUNS_H
