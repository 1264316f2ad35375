//===- CaptureText.h - a kernel's `captured at` in a Chrome trace ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CAPTURETEXT_H
#define SEAMSCOPE_TOOLS_TRACE_CAPTURETEXT_H

#include "trace/model/Trace.h"

#include <optional>
#include <string_view>

namespace seamscope::tools {

/// The launch that was captured, as its own events name their site; nothing when \p Json is not one
/// that the runtime wrote.
std::optional<Site> parseCapture(std::string_view Json, StringTable &Strings);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CAPTURETEXT_H
