//===- EventJson.h - events as JSON for all readers -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_EVENTJSON_H
#define SEAMSCOPE_TOOLS_TRACE_EVENTJSON_H

#include "trace/chrome/EventText.h"

namespace seamscope::tools {

/// Makes JSON of an event: values of its `args` that are not JSON become null. False: something
/// else in it is not JSON.
bool makeJson(EventText &Event);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_EVENTJSON_H
