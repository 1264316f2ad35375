//===- EventsCsv.h - the events of a trace, one a line --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_EVENTSCSV_H
#define SEAMSCOPE_TOOLS_TRACE_EVENTSCSV_H

#include "trace/Trace.h"

namespace seamscope::tools {

/// \p Text as a field of RFC 4180, with control characters escaped (see escaped()). What a
/// spreadsheet would take for a formula gets a quote in front.
std::string csvField(std::string_view Text);

/// begin_ns,duration_ns,category,name,pid,tid,thread,kernel,file,line,column
std::string eventsCsv(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_EVENTSCSV_H
