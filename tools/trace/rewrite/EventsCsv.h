//===- EventsCsv.h - the events of a trace, one a line --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_EVENTSCSV_H
#define SEAMSCOPE_TOOLS_TRACE_EVENTSCSV_H

#include "trace/model/Trace.h"

#include <functional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// \p Text as a field of RFC 4180, with control characters escaped (see escaped()). What a
/// spreadsheet would take for a formula gets a quote in front; a negative number is none.
std::string csvField(std::string_view Text);

/// Passes begin_ns,duration_ns,category,name,pid,tid,thread,kernel,file,line,column to \p Write,
/// piece by piece.
void writeEventsCsv(const Trace &Source, const std::function<void(std::string_view)> &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_EVENTSCSV_H
