//===- Recording.h - what recording took, in a report ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RECORDING_H
#define SEAMSCOPE_TOOLS_REPORT_RECORDING_H

#include "analysis/core/RecordingCost.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace seamscope::tools {

/// What recording took of the window and of the kernels' times, and which kernels to exclude from
/// it; empty where that is not known or not much. \p Cost may be null: not known.
std::string recordingText(const Trace &Source, const Statistics &Numbers, const RecordingCost *Cost,
                          bool Colours);
nlohmann::ordered_json recordingJson(const Trace &Source, const Statistics &Numbers,
                                     const RecordingCost *Cost);

/// Adds to the JSON of a kernel what recording took of it.
void addRecording(nlohmann::ordered_json &Kernel, const KernelRow &Row, const RecordingCost *Cost);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RECORDING_H
