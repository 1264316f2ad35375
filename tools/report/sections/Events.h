//===- Events.h - the events of a trace, one by one, as a document --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_EVENTS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_EVENTS_H

#include "report/model/Document.h"
#include "trace/model/Trace.h"

namespace seamscope::tools {

/// A row for each event of \p Source, which must outlive it.
Document eventsDocument(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_EVENTS_H
