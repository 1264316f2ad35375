//===- JsonCursor.cpp - walks the outer parts of a JSON text --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/JsonCursor.h"

namespace seamscope::tools {

int JsonCursor::next() {
  const std::string_view Chunk = Source.chunk();
  if (Chunk.empty())
    return End;
  Source.take(1);
  return static_cast<unsigned char>(Chunk[0]);
}

int JsonCursor::peek() {
  for (std::string_view Chunk; !(Chunk = Source.chunk()).empty();) {
    size_t Spaces = 0;
    while (Spaces < Chunk.size() && (Chunk[Spaces] == ' ' || Chunk[Spaces] == '\n' ||
                                     Chunk[Spaces] == '\r' || Chunk[Spaces] == '\t'))
      ++Spaces;
    Source.take(Spaces);
    if (Spaces < Chunk.size())
      return static_cast<unsigned char>(Chunk[Spaces]);
  }
  return End;
}

bool JsonCursor::value(std::string *Text, size_t Limit) {
  return value([&](std::string_view Piece) {
    if (Text && Text->size() + Piece.size() <= Limit)
      Text->append(Piece);
    else
      Text = nullptr;
  });
}

bool JsonCursor::value(const std::function<void(std::string_view)> &Take) {
  const int First = peek();
  if (First == End)
    return false;
  const bool Scalar = First != '{' && First != '[' && First != '"';
  uint64_t Depth = 0, LineDepth = 0;
  bool InString = false, Escaped = false;
  for (;;) {
    const std::string_view Chunk = Source.chunk();
    if (Chunk.empty())
      return false;
    size_t I = 0;
    bool Done = false;
    for (; I < Chunk.size() && !Done; ++I) {
      const char C = Chunk[I];
      if (InString && C == '\n') {
        // No string contains a raw line break: an earlier quote was unescaped or missing.
        InString = Escaped = false;
        Depth = LineDepth; // what was counted in the line may have been text
        Done = Depth == 0;
      } else if (InString) {
        InString = Escaped || C != '"';
        Escaped = !Escaped && C == '\\';
        Done = !InString && Depth == 0;
      } else if (C == '\n') {
        LineDepth = Depth;
      } else if (C == '"') {
        InString = true;
      } else if (C == '{' || C == '[') {
        ++Depth;
      } else if ((C == '}' || C == ']') && Depth > 0) {
        Done = --Depth == 0;
      } else if (Scalar && (C == ',' || C == '}' || C == ']')) {
        Done = true;
        break; // not part of the value
      }
    }
    Take(Chunk.substr(0, I));
    Source.take(I);
    if (Done)
      return true;
  }
}

void skipByteOrderMark(ByteSource &Source) {
  constexpr std::string_view Mark = "\xEF\xBB\xBF";
  if (Source.offset() == 0 && Source.chunk().starts_with(Mark))
    Source.take(Mark.size());
}

} // namespace seamscope::tools
