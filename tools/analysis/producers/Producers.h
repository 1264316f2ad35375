//===- Producers.h - what events without a category are ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PRODUCERS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PRODUCERS_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

// Producers that give their events no category are known by the metadata that they write: a file
// each. What is theirs gets a category, a kind and a device.

/// The category of a producer's own sums: they are of no kind, and are shown as they are.
constexpr std::string_view ProducerSums = "Overlap Analysis";

/// torch_npu: work of Ascend NPUs.
void recogniseAscend(Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PRODUCERS_H
