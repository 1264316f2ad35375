//===- JsonText.cpp - JSON written piece by piece --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/JsonText.h"

namespace seamscope::format {

/// Bytes of the UTF-8 sequence at \p Text, or 0 when it is not one (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
static size_t sequenceLength(const unsigned char *Text, size_t Left) {
  const unsigned char C = Text[0];
  const auto Continues = [&](size_t I, unsigned char Low = 0x80, unsigned char High = 0xbf) {
    return I < Left && Text[I] >= Low && Text[I] <= High;
  };
  if (C < 0x80)
    return 1;
  if (C >= 0xc2 && C <= 0xdf)
    return Continues(1) ? 2 : 0;
  if (C >= 0xe0 && C <= 0xef) {
    const unsigned char Low = C == 0xe0 ? 0xa0 : 0x80, High = C == 0xed ? 0x9f : 0xbf;
    return Continues(1, Low, High) && Continues(2) ? 3 : 0;
  }
  if (C >= 0xf0 && C <= 0xf4) {
    const unsigned char Low = C == 0xf0 ? 0x90 : 0x80, High = C == 0xf4 ? 0x8f : 0xbf;
    return Continues(1, Low, High) && Continues(2) && Continues(3) ? 4 : 0;
  }
  return 0;
}

JsonText &JsonText::string(const char *Text, size_t MaxSize) {
  static constexpr char Hex[] = "0123456789abcdef";
  const size_t Size = strnlen(Text, MaxSize);
  const auto *Bytes = reinterpret_cast<const unsigned char *>(Text);
  raw("\"");
  for (size_t I = 0; I < Size;) {
    const unsigned char C = Bytes[I];
    if (C == '"' || C == '\\') {
      const char Escaped[2] = {'\\', static_cast<char>(C)};
      raw(Escaped, 2);
      ++I;
    } else if (C < 0x20 || C == 0x7f) {
      const char Escaped[6] = {'\\', 'u', '0', '0', Hex[C >> 4], Hex[C & 15]};
      raw(Escaped, 6);
      ++I;
    } else if (const size_t Length = sequenceLength(Bytes + I, Size - I)) {
      raw(Text + I, Length);
      I += Length;
    } else {
      raw("\\ufffd");
      ++I;
    }
  }
  return raw("\"");
}

} // namespace seamscope::format
