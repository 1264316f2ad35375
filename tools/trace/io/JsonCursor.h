//===- JsonCursor.h - walks the outer parts of a JSON text ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JSONCURSOR_H
#define SEAMSCOPE_TOOLS_TRACE_JSONCURSOR_H

#include "trace/io/ByteSource.h"

#include <functional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Reads token by token, for texts that are too large to parse at once.
class JsonCursor {
public:
  explicit JsonCursor(ByteSource &Source) : Source(Source) {}

  static constexpr int End = -1;

  /// The next byte that is not white space, without taking it; End: none.
  int peek();
  /// Takes the byte that peek() saw.
  void take() { Source.take(1); }
  /// Takes the next byte, even if it is white space.
  int next();

  /// Takes a whole value of any kind and appends it to \p Text as written, unless \p Text is null
  /// or \p Limit bytes are exceeded. False: the text ended before the value did.
  bool value(std::string *Text, size_t Limit);
  /// The same, of which \p Take gets the pieces.
  bool value(const std::function<void(std::string_view)> &Take);

  uint64_t offset() const { return Source.offset(); }

private:
  ByteSource &Source;
};

/// Takes the UTF-8 byte order mark that some writers begin a file with.
void skipByteOrderMark(ByteSource &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JSONCURSOR_H
