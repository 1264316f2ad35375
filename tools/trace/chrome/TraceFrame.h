//===- TraceFrame.h - what stands around the events of a JSON trace -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACEFRAME_H
#define SEAMSCOPE_TOOLS_TRACE_TRACEFRAME_H

#include "trace/io/ByteSource.h"
#include "trace/io/Error.h"
#include "trace/io/JsonCursor.h"

#include <optional>
#include <string>

namespace seamscope::tools {

/// Walks over a Chrome trace: an array of events, or an object with such an array in the member
/// "traceEvents". What is in the array and in the other members its heirs read.
class TraceFrame {
public:
  TraceFrame(ByteSource &Source, const std::string &Path)
      : Source(Source), Path(Path), Cursor(Source) {}
  virtual ~TraceFrame() = default;
  TraceFrame(const TraceFrame &) = delete;
  TraceFrame &operator=(const TraceFrame &) = delete;

protected:
  /// Walks to the end, or to where Damage is then set. An error: it is no trace at all.
  std::optional<Error> walk();

  /// Takes the inside of the array of events, whose '[' was taken, up to behind its ']'.
  virtual void readEvents() = 0;
  /// Takes the value of another member. \p Key: its name; \p Written: as it stands in the file.
  virtual void readMember(const std::string &Key, const std::string &Written) = 0;

  /// Whether to go on behind what is not JSON and was, if asked, put aside; to read all of several
  /// texts, one after the other, as some writers make them; and to let an array of events go
  /// without its end, as the format does.
  virtual bool isLenient() const { return false; }
  /// Is told what was put aside.
  virtual void putAside(uint64_t, const char *) {}

  void fail(const char *Why) { Damage = Error{Path, Cursor.offset(), Why}; }
  /// Says why there is no more text.
  void cutOff();

  ByteSource &Source;
  const std::string &Path;
  JsonCursor Cursor;
  bool SawEvents = false;
  bool IsBare = false; ///< the events are not in an object
  std::optional<Error> Damage;

private:
  void walkMembers();
  void walkMember();
  bool skipLine(const char *Why);

  std::optional<Error> FirstAside;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACEFRAME_H
