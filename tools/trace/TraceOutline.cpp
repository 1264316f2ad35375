//===- TraceOutline.cpp - the members and events of a trace, as text ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/TraceOutline.h"

#include "trace/EventScanner.h"
#include "trace/JsonCursor.h"

namespace seamscope::tools {
namespace {

/// As the reader has them.
constexpr size_t EventLimit = 256 << 20;
constexpr size_t MemberLimit = 64 << 20;

class Walk {
public:
  Walk(ByteSource &Source, const std::string &Path, OutlineHandler &Handler)
      : Source(Source), Path(Path), Handler(Handler), Cursor(Source) {}

  std::optional<Error> run() {
    skipByteOrderMark(Source);
    const int First = Cursor.peek();
    if (First == JsonCursor::End)
      return Source.error() ? *Source.error() : Error{Path, {}, "is empty; a trace was expected"};
    if (First == '[') {
      Cursor.take();
      SawEvents = true;
      walkEvents();
    } else if (First == '{') {
      Cursor.take();
      walkMembers();
    } else {
      fail("not a JSON object or array; a Chrome trace was expected");
    }
    if (!Failure && !SawEvents)
      return Error{Path, {}, "JSON, but not a Chrome trace: it has no \"traceEvents\""};
    if (!Failure && Cursor.peek() != JsonCursor::End)
      fail("more text follows the end of the JSON text");
    return Failure;
  }

private:
  void fail(const char *Why) { Failure = Error{Path, Cursor.offset(), Why}; }

  void cutOff() {
    if (const Error *Lost = Source.error())
      Failure = *Lost;
    else
      fail("the file ends in the middle of its JSON text");
  }

  void walkMembers() {
    for (bool IsFirst = true; !Failure; IsFirst = false) {
      int Next = Cursor.peek();
      if (!IsFirst && Next == ',') {
        Cursor.take();
        Next = Cursor.peek();
      }
      if (Next == '}') {
        Cursor.take();
        return;
      }
      if (Next == JsonCursor::End)
        return cutOff();
      if (Next != '"')
        return fail("not JSON: a name in quotes was expected");
      walkMember();
    }
  }

  void walkMember() {
    std::string Quoted, Json;
    if (!Cursor.value(&Quoted, MemberLimit) || Cursor.peek() == JsonCursor::End)
      return cutOff();
    if (Cursor.peek() != ':')
      return fail("not JSON: ':' was expected");
    Cursor.take();
    const int First = Cursor.peek();
    if (Quoted == "\"traceEvents\"") {
      if (First != '[')
        return fail("\"traceEvents\" is not an array");
      Cursor.take();
      SawEvents = true;
      return walkEvents();
    }
    const uint64_t Begin = Cursor.offset();
    if (First == JsonCursor::End || !Cursor.value(&Json, MemberLimit))
      return cutOff();
    if (Json.size() != Cursor.offset() - Begin)
      Json.clear(); // too large
    if (Quoted.size() >= 2)
      Handler.member(Quoted.substr(1, Quoted.size() - 2), Json);
  }

  void walkEvents() {
    for (;;) {
      const int Next = Cursor.peek();
      const uint64_t Offset = Cursor.offset();
      if (Next == JsonCursor::End)
        return cutOff();
      if (Next == ',' || Next == ']')
        Cursor.take();
      if (Next == ']')
        return;
      if (Next == ',')
        continue;
      if (Next != '{') {
        Handler.otherElement(Offset);
        if (!Cursor.value(nullptr, 0))
          return cutOff();
        if (Cursor.offset() == Offset)
          return fail("not JSON: an event was expected");
        continue;
      }
      if (!takeEvent(Source, Text, EventLimit)) {
        if (Text.size() <= EventLimit)
          return cutOff();
        Failure = Error{Path, Offset, "an event of more than 256 MB begins here"};
        return;
      }
      Handler.event(Text, Offset);
    }
  }

  ByteSource &Source;
  const std::string &Path;
  OutlineHandler &Handler;
  JsonCursor Cursor;
  std::string Text;
  bool SawEvents = false;
  std::optional<Error> Failure;
};

} // namespace

std::optional<Error> walkTrace(ByteSource &Source, const std::string &Path,
                               OutlineHandler &Handler) {
  return Walk(Source, Path, Handler).run();
}

bool takeEvent(ByteSource &Source, std::string &Text, size_t Limit) {
  Text.clear();
  EventScanner Scanner = EventScanner::ofOneEvent();
  while (!Scanner.ended()) {
    const std::string_view Chunk = Source.chunk();
    if (Chunk.empty() || Text.size() > Limit || (Text.empty() && Chunk[0] != '{'))
      return false;
    Scanner.scan(Chunk);
    const size_t Size =
        Scanner.ended() ? static_cast<size_t>(Scanner.boundary()) - Text.size() : Chunk.size();
    Text.append(Chunk.substr(0, Size));
    Source.take(Size);
  }
  return true;
}

} // namespace seamscope::tools
