//===- Note.h - an argument to be written into an event -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_NOTE_H
#define SEAMSCOPE_TOOLS_TRACE_NOTE_H

#include <string>
#include <string_view>

namespace seamscope::tools {

/// An argument that an analysis adds to an event, and that a writer puts into the event's `args`.
struct Note {
  std::string_view Key; ///< without characters that JSON escapes
  std::string Json;     ///< the value
  /// Whether an existing argument with this key is kept. Otherwise its value is replaced.
  bool KeepsRecorded = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_NOTE_H
