//===- Escape.cpp - untrusted text, made safe to show ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Escape.h"
#include "trace/io/Error.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace seamscope::tools {
namespace {

struct Decoded {
  uint32_t Code;
  unsigned Length; ///< 0: not UTF-8
};

/// The character at the start of \p Text, which is not empty.
Decoded decode(std::string_view Text) {
  const auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[I]); };
  const unsigned char First = Byte(0);
  if (First < 0x80)
    return {First, 1};
  const unsigned Length = First >= 0xf0 ? 4 : First >= 0xe0 ? 3 : 2;
  if (First < 0xc2 || First > 0xf4 || Text.size() < Length)
    return {0, 0};
  uint32_t Code = First & (0x7fu >> Length);
  for (unsigned I = 1; I < Length; ++I) {
    if ((Byte(I) & 0xc0) != 0x80)
      return {0, 0};
    Code = Code << 6 | (Byte(I) & 0x3f);
  }
  // Overlong forms, surrogates and values beyond Unicode are not characters.
  constexpr uint32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (Code < Least[Length] || (Code >= 0xd800 && Code <= 0xdfff) || Code > 0x10ffff)
    return {0, 0};
  return {Code, Length};
}

bool isHidden(uint32_t Code) {
  return (Code >= 0x80 && Code <= 0x9f) || Code == 0xad || Code == 0x61c ||
         (Code >= 0x200b && Code <= 0x200f) || (Code >= 0x2028 && Code <= 0x202e) ||
         (Code >= 0x2060 && Code <= 0x206f) || Code == 0xfeff ||
         (Code >= 0xfff9 && Code <= 0xfffb) || (Code >= 0xe0000 && Code <= 0xe007f);
}

} // namespace

size_t characterBytes(std::string_view Text) { return decode(Text).Length; }

std::string escaped(std::string_view Text) {
  std::string Out;
  Out.reserve(Text.size());
  while (!Text.empty()) {
    const auto [Code, Length] = decode(Text);
    const unsigned Used = Length ? Length : 1;
    if (!Length)
      fmt::format_to(std::back_inserter(Out), "\\x{:02x}", static_cast<unsigned char>(Text[0]));
    else if (Code == '\n')
      Out += "\\n";
    else if (Code == '\t')
      Out += "\\t";
    else if (Code == '\r')
      Out += "\\r";
    else if (Code < 0x20 || Code == 0x7f)
      fmt::format_to(std::back_inserter(Out), "\\x{:02x}", Code);
    else if (isHidden(Code))
      fmt::format_to(std::back_inserter(Out), "\\u{{{:x}}}", Code);
    else
      Out.append(Text.substr(0, Used));
    Text.remove_prefix(Used);
  }
  return Out;
}

size_t characters(std::string_view Text) {
  size_t Count = 0;
  for (const char C : Text)
    Count += (static_cast<unsigned char>(C) & 0xc0) != 0x80;
  return Count;
}

std::string shortened(std::string_view Text, size_t Width) {
  const size_t Count = characters(Text);
  if (Count <= Width)
    return std::string(Text);
  const auto ByteOf = [&](size_t Character) {
    size_t Byte = 0;
    for (size_t Seen = 0; Byte < Text.size(); ++Byte)
      if ((static_cast<unsigned char>(Text[Byte]) & 0xc0) != 0x80 && Seen++ == Character)
        break;
    return Byte;
  };
  if (Width <= 3)
    return std::string(Text.substr(0, ByteOf(Width)));
  const size_t Tail = (Width - 3) / 2;
  const size_t Head = Width - 3 - Tail;
  return fmt::format("{}...{}", Text.substr(0, ByteOf(Head)), Text.substr(ByteOf(Count - Tail)));
}

std::string Error::message() const {
  if (Offset)
    return fmt::format("{}: offset {}: {}", escaped(Path), *Offset, escaped(Reason));
  return fmt::format("{}: {}", escaped(Path), escaped(Reason));
}

} // namespace seamscope::tools
