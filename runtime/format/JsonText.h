//===- JsonText.h - JSON written piece by piece ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_JSONTEXT_H
#define SEAMSCOPE_FORMAT_JSONTEXT_H

#include "format/ByteSink.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace seamscope::format {

/// Growing text in malloc'ed memory. ok() is false after memory ran out or the sink failed.
class JsonText {
public:
  JsonText() = default;
  explicit JsonText(ByteSink Sink) : Sink(Sink) {}
  ~JsonText() { free(Buffer); }
  JsonText(const JsonText &) = delete;
  JsonText &operator=(const JsonText &) = delete;

  bool ok() const { return Ok; }
  const char *data() const { return Buffer; }
  size_t size() const { return Used; }

  JsonText &raw(const char *Text, size_t Size) {
    if (char *To = room(Size)) {
      memcpy(To, Text, Size);
      Used += Size;
    }
    return *this;
  }
  JsonText &raw(const char *Text) { return raw(Text, strlen(Text)); }

  JsonText &number(uint64_t Value) {
    if (char *To = room(20))
      Used += digits(To, Value);
    return *this;
  }
  JsonText &number(int64_t Value) {
    if (Value >= 0)
      return number(static_cast<uint64_t>(Value));
    return raw("-").number(uint64_t{0} - static_cast<uint64_t>(Value));
  }

  /// Writes \p Value / 1000 with three decimals: ns as us, ps as ns.
  JsonText &thousandths(uint64_t Value) {
    if (char *To = room(24)) {
      size_t Length = digits(To, Value / 1000);
      const auto Rest = static_cast<unsigned>(Value % 1000);
      To[Length++] = '.';
      To[Length++] = static_cast<char>('0' + Rest / 100);
      To[Length++] = static_cast<char>('0' + Rest / 10 % 10);
      To[Length++] = static_cast<char>('0' + Rest % 10);
      Used += Length;
    }
    return *this;
  }

  /// Writes \p Text, which may be any bytes, as a JSON string with its quotes. Invalid UTF-8
  /// becomes U+FFFD.
  JsonText &string(const char *Text, size_t MaxSize = SIZE_MAX);

  /// Writes `"Key":"Text"`, with a comma before it if \p Comma; nothing for an empty text.
  JsonText &member(const char *Key, const char *Text, bool Comma = true) {
    if (!*Text)
      return *this;
    return raw(Comma ? ",\"" : "\"").raw(Key).raw("\":").string(Text);
  }

  /// Writes `,"Key":Number`; nothing for 0.
  JsonText &member(const char *Key, uint64_t Number) {
    return Number ? raw(",\"").raw(Key).raw("\":").number(Number) : *this;
  }

  /// Passes the contents of the buffer to the sink.
  bool flush() {
    if (Ok && Used && Sink.Write)
      Ok = Sink.Write(Sink.Context, Buffer, Used);
    if (Sink.Write)
      Used = 0;
    return Ok;
  }

private:
  static size_t digits(char *To, uint64_t Value) {
    char Reversed[20];
    size_t Length = 0;
    do
      Reversed[Length++] = static_cast<char>('0' + Value % 10);
    while (Value /= 10);
    for (size_t I = 0; I < Length; ++I)
      To[I] = Reversed[Length - 1 - I];
    return Length;
  }

  char *room(size_t Size) {
    constexpr size_t SinkBytes = 256 * 1024;
    if (Sink.Write && Used + Size > SinkBytes)
      flush();
    if (Used + Size > Capacity) {
      size_t Bigger = Capacity ? Capacity * 2 : 4096;
      while (Bigger < Used + Size)
        Bigger *= 2;
      auto *New = static_cast<char *>(realloc(Buffer, Bigger));
      if (!New) {
        Ok = false;
        return nullptr;
      }
      Buffer = New;
      Capacity = Bigger;
    }
    return Ok ? Buffer + Used : nullptr;
  }

  ByteSink Sink{};
  char *Buffer = nullptr;
  size_t Used = 0, Capacity = 0;
  bool Ok = true;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_JSONTEXT_H
