//===- TraceFrame.cpp - what stands around the events of a JSON trace -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceFrame.h"
#include "trace/io/JsonParse.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {

/// A longer name is none that anybody reads.
static constexpr size_t NameLimit = 1 << 20;

std::optional<Error> TraceFrame::walk() {
  skipByteOrderMark(Source);
  int First = Cursor.peek();
  if (First == JsonCursor::End)
    return Source.error() ? *Source.error() : Error{Path, {}, "is empty; a trace was expected"};
  if (First != '[' && First != '{')
    return Error{Path, Cursor.offset(), "not a JSON object or array; a Chrome trace was expected"};
  do {
    Cursor.take();
    IsBare = First == '[';
    if (IsBare) {
      SawEvents = true;
      readEvents();
    } else {
      walkMembers();
    }
    First = Damage ? JsonCursor::End : Cursor.peek();
  } while (isLenient() && (First == '[' || First == '{'));
  if (!Damage && Cursor.peek() != JsonCursor::End)
    fail("more text follows the end of the JSON text");
  else if (!Damage && Source.error())
    Damage = *Source.error(); // all of the text is there, and yet its sum is wrong
  if (SawEvents)
    return std::nullopt;
  if (FirstAside)
    return FirstAside;
  return Damage ? *Damage
                : Error{Path, {}, "JSON, but not a Chrome trace: it has no \"traceEvents\""};
}

void TraceFrame::cutOff() {
  if (const Error *Lost = Source.error())
    Damage = *Lost;
  else
    Damage = Error{Path, Source.offset(), "the file ends in the middle of its JSON text"};
}

/// The members of the outer object, whose '{' was taken.
void TraceFrame::walkMembers() {
  for (bool IsFirst = true; !Damage; IsFirst = false) {
    int Next = Cursor.peek();
    if (Next == '}') {
      Cursor.take();
      return;
    }
    if (!IsFirst && Next == ',') {
      Cursor.take();
      Next = Cursor.peek();
    }
    if (Next == JsonCursor::End)
      return cutOff();
    if (Next != '"') {
      if (!skipLine("not JSON: a name in quotes was expected"))
        return;
      continue;
    }
    walkMember();
  }
}

/// Goes on at the next line, behind something that is not JSON. False: it may not, and \p Why is
/// the damage.
bool TraceFrame::skipLine(const char *Why) {
  if (!isLenient()) {
    fail(Why);
    return false;
  }
  if (!FirstAside)
    FirstAside = Error{Path, Cursor.offset(), Why};
  putAside(Cursor.offset(), "is not JSON");
  for (std::string_view Chunk; !(Chunk = Source.chunk()).empty();) {
    const size_t Break = Chunk.find('\n');
    Source.take(Break == Chunk.npos ? Chunk.size() : Break + 1);
    if (Break != Chunk.npos)
      break;
  }
  return true;
}

void TraceFrame::walkMember() {
  const uint64_t Offset = Cursor.offset();
  std::string Quoted;
  if (!Cursor.value(&Quoted, NameLimit) || Cursor.peek() == JsonCursor::End)
    return cutOff();
  if (Cursor.peek() != ':') {
    skipLine("not JSON: ':' was expected");
    return;
  }
  Cursor.take();
  // The few keys that matter are short, and hardly anybody escapes them.
  const auto Key = parseJson(Quoted);
  if (!Key.is_string()) {
    Damage = Error{Path, Offset, "not JSON: a name in quotes was expected"};
    return;
  }
  const int First = Cursor.peek();
  if (First == JsonCursor::End)
    return cutOff();
  if (Key != "traceEvents")
    return readMember(Key.get<std::string>(), Quoted.substr(1, Quoted.size() - 2));
  if (First != '[')
    return fail("\"traceEvents\" is not an array");
  Cursor.take();
  SawEvents = true;
  readEvents();
}

} // namespace seamscope::tools
