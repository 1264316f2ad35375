//===- SampledCode.h - names the code that samples hit ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_JOIN_SAMPLEDCODE_H
#define SEAMSCOPE_TOOLS_RUN_JOIN_SAMPLEDCODE_H

#include "analysis/samples/CodeNames.h"
#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Reads the names from the files that the recorded processes had mapped, as far as they are here
/// and unchanged. Each address is looked up once.
CodeNames nameCode(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_JOIN_SAMPLEDCODE_H
