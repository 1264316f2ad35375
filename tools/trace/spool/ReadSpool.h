//===- ReadSpool.h - reads a spool as a trace -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_READSPOOL_H
#define SEAMSCOPE_TOOLS_TRACE_READSPOOL_H

#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"
#include "trace/spool/SpoolFile.h"

#include <string>
#include <string_view>

namespace seamscope::tools {

/// TraceInfo::Producer of a spool.
constexpr std::string_view SpoolProducer = "seamscope spool";

/// The trace in a spool; for a damaged one, the undamaged part, with TraceInfo::Damage set.
Trace readSpool(const SpoolFile &File, const std::string &Path, const ReadOptions &Keep = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READSPOOL_H
