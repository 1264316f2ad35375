//===- TraceOutline.cpp - the members and events of a trace, as text ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceOutline.h"

#include "trace/chrome/EventScanner.h"
#include "trace/chrome/TraceFrame.h"

namespace seamscope::tools {
namespace {

/// As the reader has them.
constexpr size_t EventLimit = 256 << 20;
constexpr size_t MemberLimit = 64 << 20;

class Walk final : TraceFrame {
public:
  Walk(ByteSource &Source, const std::string &Path, OutlineHandler &Handler)
      : TraceFrame(Source, Path), Handler(Handler) {}

  std::optional<Error> run() {
    if (auto None = walk())
      return None;
    return Damage;
  }

private:
  void readMember(const std::string &, const std::string &Written) override {
    const uint64_t Begin = Cursor.offset();
    std::string Json;
    if (!Cursor.value(&Json, MemberLimit))
      return cutOff();
    if (Json.size() != Cursor.offset() - Begin)
      Json.clear(); // too large
    Handler.member(Written, Json);
  }

  void readEvents() override {
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
        Damage = Error{Path, Offset, "an event of more than 256 MB begins here"};
        return;
      }
      Handler.event(Text, Offset);
    }
  }

  OutlineHandler &Handler;
  std::string Text;
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
