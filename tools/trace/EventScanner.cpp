//===- EventScanner.cpp - finds where the events of a trace end -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/EventScanner.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace seamscope::tools {
namespace {

constexpr unsigned BlockSize = 64;

/// One bit a byte of a block.
struct Masks {
  uint64_t Quotes, Backslashes, Opens, Closes;
};

#if defined(__SSE2__)
uint64_t equal(const __m128i (&Bytes)[4], char C) {
  uint64_t Mask = 0;
  for (unsigned I = 0; I < 4; ++I)
    Mask |= static_cast<uint64_t>(static_cast<uint32_t>(
                _mm_movemask_epi8(_mm_cmpeq_epi8(Bytes[I], _mm_set1_epi8(C)))))
            << (16 * I);
  return Mask;
}

Masks classify(const char *Block) {
  __m128i Bytes[4], Folded[4];
  for (unsigned I = 0; I < 4; ++I) {
    Bytes[I] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(Block) + I);
    // '[' and ']' become '{' and '}'.
    Folded[I] = _mm_or_si128(Bytes[I], _mm_set1_epi8(0x20));
  }
  return {equal(Bytes, '"'), equal(Bytes, '\\'), equal(Folded, '{'), equal(Folded, '}')};
}
#else
Masks classify(const char *Block) {
  Masks M = {};
  for (unsigned I = 0; I < BlockSize; ++I) {
    const uint64_t Bit = uint64_t{1} << I;
    const char C = Block[I];
    M.Quotes |= C == '"' ? Bit : 0;
    M.Backslashes |= C == '\\' ? Bit : 0;
    M.Opens |= (C | 0x20) == '{' ? Bit : 0;
    M.Closes |= (C | 0x20) == '}' ? Bit : 0;
  }
  return M;
}
#endif

/// Bit I of the result: whether an odd number of the bits up to I is set.
uint64_t prefixXor(uint64_t Bits) {
  for (unsigned Shift = 1; Shift < 64; Shift *= 2)
    Bits ^= Bits << Shift;
  return Bits;
}

} // namespace

void EventScanner::scanBlock(const char *Block, unsigned Size) {
  Masks M = classify(Block);
  const uint64_t Valid = Size == BlockSize ? ~uint64_t{0} : (uint64_t{1} << Size) - 1;
  if (Escaped || M.Backslashes) {
    uint64_t Escapes = 0;
    for (unsigned I = 0; I < Size; ++I) {
      const uint64_t Bit = uint64_t{1} << I;
      if (Escaped)
        Escapes |= Bit;
      Escaped = !Escaped && (M.Backslashes & Bit);
    }
    M.Quotes &= ~Escapes;
  }
  const uint64_t Inside = prefixXor(M.Quotes & Valid) ^ InString;
  const uint64_t Opens = M.Opens & ~Inside & Valid;
  uint64_t Closes = M.Closes & ~Inside & Valid;
  // Most blocks lie deeper than they close.
  if (Depth > static_cast<unsigned>(std::popcount(Closes))) {
    Depth += static_cast<unsigned>(std::popcount(Opens));
    Depth -= static_cast<unsigned>(std::popcount(Closes));
  } else {
    for (uint64_t Both = Opens | Closes; Both; Both &= Both - 1) {
      const unsigned At = static_cast<unsigned>(std::countr_zero(Both));
      if (Opens >> At & 1) {
        ++Depth;
      } else if (Depth == 0) {
        Ended = true;
        Position += At;
        Boundary = Position;
        return;
      } else if (--Depth == 0) {
        Boundary = Position + At + 1;
        if (StopAtFirst) {
          Ended = true;
          return;
        }
      }
    }
  }
  // Whether the last byte is in one.
  InString = Inside & Valid & ~(Valid >> 1) ? ~uint64_t{0} : 0;
  Position += Size;
}

void EventScanner::scan(std::string_view Text) {
  while (!Ended && Text.size() >= BlockSize) {
    scanBlock(Text.data(), BlockSize);
    Text.remove_prefix(BlockSize);
  }
  if (Ended || Text.empty())
    return;
  char Last[BlockSize] = {};
  std::memcpy(Last, Text.data(), Text.size());
  scanBlock(Last, static_cast<unsigned>(Text.size()));
}

size_t EventScanner::firstEvent(std::string_view Text) {
  EventScanner Scanner = ofOneEvent();
  Scanner.scan(Text);
  return Scanner.Ended && Scanner.Boundary ? Scanner.Boundary : Text.size();
}

} // namespace seamscope::tools
