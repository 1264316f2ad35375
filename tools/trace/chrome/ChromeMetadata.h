//===- ChromeMetadata.h - what a Chrome trace says of itself --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMEMETADATA_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMEMETADATA_H

#include "trace/model/TraceBuilder.h"

#include <nlohmann/json.hpp>

#include <string>

namespace seamscope::tools {

/// The parts of the top level beside the events. They may stand before or behind these.
struct ChromeMetadata {
  nlohmann::json Seamscope;   ///< the value of "seamscope"; null: not there
  std::string SeamscopeText;  ///< the same as written; empty where it has no "throttled"
  nlohmann::json Samples;     ///< the value of "seamscope_samples"; null: not there
  nlohmann::json Distributed; ///< the value of "distributedInfo"
  nlohmann::json Devices;     ///< the value of "deviceProperties"
  nlohmann::json BaseTime;    ///< the value of "baseTimeNanoseconds"
  bool Torch = false;         ///< something only torch's profiler writes was seen
};

/// The site of code that \p Entry names, as its events would.
Site siteOf(const nlohmann::json &Entry, StringTable &Strings);

/// Adds them to the trace: producer, ranks, what was lost, and the rows of mode `profile`. An
/// empty text, or what is wrong with them.
std::string applyMetadata(const ChromeMetadata &Metadata, TraceBuilder &Builder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMEMETADATA_H
