//===- TraceOutline.h - the members and events of a trace, as text --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACEOUTLINE_H
#define SEAMSCOPE_TOOLS_TRACE_TRACEOUTLINE_H

#include "trace/io/ByteSource.h"

#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// What walkTrace() finds.
class OutlineHandler {
public:
  virtual ~OutlineHandler() = default;
  /// A member of the outer object beside the events: its name as written between the quotes and
  /// its value; an empty one stands for what is too large.
  virtual void member(const std::string &Key, const std::string &Json) = 0;
  /// The text of an event, which may be no JSON.
  virtual void event(std::string_view Text, uint64_t Offset) = 0;
  /// An element of the events that is no object.
  virtual void otherElement(uint64_t Offset) = 0;
};

/// Walks over a trace, which may be a bare array, with one event or member in memory at a time.
/// Nothing, or why it cannot be walked to its end; \p Path is what the error calls it.
std::optional<Error> walkTrace(ByteSource &Source, const std::string &Path,
                               OutlineHandler &Handler);

/// Takes the object that begins here. False: none does, it does not end, or it has more than about
/// \p Limit bytes.
bool takeEvent(ByteSource &Source, std::string &Text, size_t Limit);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACEOUTLINE_H
