//===- SamplesJson.h - samples in a Chrome trace --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The member "seamscope_samples" (docs/formats.md).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_SAMPLESJSON_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_SAMPLESJSON_H

#include "trace/model/TraceBuilder.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace seamscope::tools {

/// Adds all that it says to the trace. An empty text, or what is wrong with it: the rest is added.
std::string readSamples(const nlohmann::json &Member, TraceBuilder &Builder);

/// The value of the member; empty: the trace says nothing of samples.
std::string samplesText(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_SAMPLESJSON_H
