//===- EventScanner.cpp - finds where the events of a trace end -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/EventScanner.h"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seamscope::tools {
namespace {

constexpr unsigned BlockSize = 64;

/// One bit a byte of a block.
struct Masks {
  uint64_t Quotes, Backslashes, Opens, Closes;
};

/// Bit I of the result: whether an odd number of the bits up to I is set.
uint64_t prefixXor(uint64_t Bits) {
  for (unsigned Shift = 1; Shift < 64; Shift *= 2)
    Bits ^= Bits << Shift;
  return Bits;
}

// '[' and ']' differ from '{' and '}' in one bit.
constexpr char Fold = 0x20;

#if defined(__x86_64__)
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
    Folded[I] = _mm_or_si128(Bytes[I], _mm_set1_epi8(Fold));
  }
  return {equal(Bytes, '"'), equal(Bytes, '\\'), equal(Folded, '{'), equal(Folded, '}')};
}

/// What every server of the last ten years has.
#define SEAMSCOPE_AVX2 __attribute__((target("avx2,pclmul,popcnt,bmi")))

SEAMSCOPE_AVX2 inline uint64_t equalAvx2(__m256i Low, __m256i High, char C) {
  const __m256i Wanted = _mm256_set1_epi8(C);
  const auto A = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(Low, Wanted)));
  const auto B = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(High, Wanted)));
  return A | uint64_t{B} << 32;
}

SEAMSCOPE_AVX2 inline Masks classifyAvx2(const char *Block) {
  const __m256i Low = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(Block));
  const __m256i High = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(Block) + 1);
  const __m256i Folding = _mm256_set1_epi8(Fold);
  const __m256i FoldedLow = _mm256_or_si256(Low, Folding);
  const __m256i FoldedHigh = _mm256_or_si256(High, Folding);
  return {equalAvx2(Low, High, '"'), equalAvx2(Low, High, '\\'),
          equalAvx2(FoldedLow, FoldedHigh, '{'), equalAvx2(FoldedLow, FoldedHigh, '}')};
}

SEAMSCOPE_AVX2 inline uint64_t prefixXorAvx2(uint64_t Bits) {
  const __m128i Product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<int64_t>(Bits)), _mm_set1_epi8(-1), 0);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(Product));
}
#else
Masks classify(const char *Block) {
  Masks M = {};
  for (unsigned I = 0; I < BlockSize; ++I) {
    const uint64_t Bit = uint64_t{1} << I;
    const char C = Block[I];
    M.Quotes |= C == '"' ? Bit : 0;
    M.Backslashes |= C == '\\' ? Bit : 0;
    M.Opens |= (C | Fold) == '{' ? Bit : 0;
    M.Closes |= (C | Fold) == '}' ? Bit : 0;
  }
  return M;
}
#endif

} // namespace

/// The quotes that are not escaped.
[[gnu::always_inline]] inline uint64_t EventScanner::bare(uint64_t Quotes, uint64_t Backslashes,
                                                          unsigned Size) {
  if (!Escaped && !Backslashes)
    return Quotes;
  uint64_t Escapes = Escaped;
  Backslashes &= ~Escapes;
  for (Escaped = false; Backslashes;) {
    const auto At = static_cast<unsigned>(std::countr_zero(Backslashes));
    const uint64_t Next = uint64_t{2} << At; // 0 behind the last bit
    Escaped = At + 1 == Size;
    Escapes |= Next;
    Backslashes &= ~(Next | uint64_t{1} << At);
  }
  return Quotes & ~Escapes;
}

/// \p Inside: the bytes in strings, with the quotes that begin them.
[[gnu::always_inline]] inline void EventScanner::advance(uint64_t Opens, uint64_t Closes,
                                                         uint64_t Inside, unsigned Size) {
  Opens &= ~Inside;
  Closes &= ~Inside;
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
  InString = Inside >> (Size - 1) & 1 ? ~uint64_t{0} : 0;
  Position += Size;
}

const char *EventScanner::scanBlocks(const char *Block, const char *End) {
  for (; !Ended && Block != End; Block += BlockSize) {
    const Masks M = classify(Block);
    const uint64_t Quotes = bare(M.Quotes, M.Backslashes, BlockSize);
    advance(M.Opens, M.Closes, prefixXor(Quotes) ^ InString, BlockSize);
  }
  return Block;
}

#if defined(__x86_64__)
SEAMSCOPE_AVX2 const char *EventScanner::scanBlocksAvx2(const char *Block, const char *End) {
  for (; !Ended && Block != End; Block += BlockSize) {
    const Masks M = classifyAvx2(Block);
    const uint64_t Quotes = bare(M.Quotes, M.Backslashes, BlockSize);
    advance(M.Opens, M.Closes, prefixXorAvx2(Quotes) ^ InString, BlockSize);
  }
  return Block;
}
#endif

void EventScanner::scan(std::string_view Text) {
  const char *const Whole = Text.data() + Text.size() / BlockSize * BlockSize;
  const char *Stop;
#if defined(__x86_64__)
  static const bool HasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
                              __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
  if (HasAvx2)
    Stop = scanBlocksAvx2(Text.data(), Whole);
  else
#endif
    Stop = scanBlocks(Text.data(), Whole);
  Text.remove_prefix(static_cast<size_t>(Stop - Text.data()));
  if (Ended || Text.empty())
    return;
  // Behind the last whole block: bytes that mean nothing fill it up.
  char Last[BlockSize] = {};
  std::memcpy(Last, Text.data(), Text.size());
  const auto Size = static_cast<unsigned>(Text.size());
  const Masks M = classify(Last);
  const uint64_t Quotes = bare(M.Quotes, M.Backslashes, Size);
  advance(M.Opens, M.Closes, prefixXor(Quotes) ^ InString, Size);
}

size_t EventScanner::firstEvent(std::string_view Text) {
  EventScanner Scanner = ofOneEvent();
  Scanner.scan(Text);
  return Scanner.Ended && Scanner.Boundary ? Scanner.Boundary : Text.size();
}

} // namespace seamscope::tools
