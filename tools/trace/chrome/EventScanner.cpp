//===- EventScanner.cpp - finds where the events of a trace end -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/EventScanner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seamscope::tools {
namespace {

constexpr unsigned BlockSize = 64;

/// One bit a byte of a block.
struct Masks {
  uint64_t Quotes, Backslashes, Opens, Closes, Newlines;
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
  return {equal(Bytes, '"'), equal(Bytes, '\\'), equal(Folded, '{'), equal(Folded, '}'),
          equal(Bytes, '\n')};
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
          equalAvx2(FoldedLow, FoldedHigh, '{'), equalAvx2(FoldedLow, FoldedHigh, '}'),
          equalAvx2(Low, High, '\n')};
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
    M.Newlines |= C == '\n' ? Bit : 0;
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
[[gnu::always_inline]] inline void EventScanner::advance(const char *Block, uint64_t Opens,
                                                         uint64_t Closes, uint64_t Newlines,
                                                         uint64_t Inside, unsigned Size) {
  Opens &= ~Inside;
  Closes &= ~Inside;
  // Most blocks lie deeper than they close.
  uint64_t Rest = ~uint64_t{0}; // behind the last begin or end of an event
  if (Depth > static_cast<unsigned>(std::popcount(Closes))) {
    Depth += static_cast<unsigned>(std::popcount(Opens));
    Depth -= static_cast<unsigned>(std::popcount(Closes));
  } else {
    for (uint64_t Both = Opens | Closes; Both; Both &= Both - 1) {
      const unsigned At = static_cast<unsigned>(std::countr_zero(Both));
      if (Opens >> At & 1) {
        if (++Depth == 1) {
          startLine(1);
          Rest = ~uint64_t{1} << At;
        }
      } else if (Depth == 0) {
        if (isLeftOver(Block[At]))
          continue;
        Ended = true;
        Position += At;
        Boundary = Position;
        return;
      } else if (--Depth == 0) {
        startLine(0);
        Rest = ~uint64_t{1} << At;
        Boundary = Position + At + 1;
        if (StopAtFirst) {
          Ended = true;
          return;
        }
      }
    }
  }
  // What this means for the line is found out where that is asked for, which hardly ever is.
  if (Newlines &= Rest)
    LastBreak = {Newlines, Opens, Closes, Depth};
  InString = Inside >> (Size - 1) & 1 ? ~uint64_t{0} : 0;
  Position += Size;
}

/// Goes back to where the line began: what was counted in it may have been text.
void EventScanner::breakLine() {
  if (LastBreak.Newlines) {
    const uint64_t After = ~uint64_t{0} << (63 - std::countl_zero(LastBreak.Newlines));
    LineDepth = LastBreak.Depth - static_cast<unsigned>(std::popcount(LastBreak.Opens & After)) +
                static_cast<unsigned>(std::popcount(LastBreak.Closes & After));
    LastBreak.Newlines = 0;
  }
  InString = 0;
  Escaped = false;
  Depth = LineDepth;
  Broke = true;
}

/// Whether what stands before a line break is the end of a line of JSON, and not of one of a text
/// with a raw line break in it.
bool EventScanner::endsLine(const char *Break, const char *Piece) const {
  char Last[2] = {};
  size_t Found = 0;
  const auto Take = [&](char C) {
    if (C != ' ' && C != '\r' && C != '\t')
      Last[Found++] = C;
  };
  // As far back as can be seen at the begin of a piece, so that pieces make no difference.
  size_t Left = Tail.size();
  for (const char *At = Break; At != Piece && Found < 2 && Left; --Left)
    Take(*--At);
  for (size_t I = Tail.size(); Found < 2 && Left; --Left)
    Take(Tail[--I]);
  const auto Closes = [](char C) { return C == '"' || C == '}' || C == ']'; };
  return Closes(Last[0]) || (Last[0] == ',' && Closes(Last[1]));
}

/// A block with a line break inside of what looks like a string, byte by byte. \p Piece: where the
/// text that was given begins.
void EventScanner::scanBroken(const char *Block, const char *Piece, unsigned Size) {
  for (unsigned At = 0; At < Size; ++At) {
    const char C = Block[At];
    if (C == '\n' && InString && endsLine(Block + At, Piece)) {
      breakLine();
      continue;
    }
    if (C == '\n' && !InString) {
      LineDepth = Depth;
      LastBreak.Newlines = 0;
    }
    const bool IsEscaped = std::exchange(Escaped, !Escaped && C == '\\');
    if (C == '"') {
      InString = IsEscaped ? InString : ~InString;
    } else if (InString) {
      continue;
    } else if ((C | Fold) == '{') {
      if (++Depth == 1)
        startLine(1);
    } else if ((C | Fold) == '}') {
      if (Depth == 0) {
        if (isLeftOver(C))
          continue;
        Ended = true;
        Position += At;
        Boundary = Position;
        return;
      }
      if (--Depth == 0) {
        startLine(0);
        Boundary = Position + At + 1;
        if (StopAtFirst) {
          Ended = true;
          return;
        }
      }
    }
  }
  Position += Size;
}

/// \p Block: of 64 bytes, of which \p Size mean something.
void EventScanner::scanBlock(const char *Block, const char *Piece, unsigned Size) {
  const Masks M = classify(Block);
  const bool WasEscaped = Escaped;
  const uint64_t Quotes = bare(M.Quotes, M.Backslashes, Size);
  const uint64_t Inside = prefixXor(Quotes) ^ InString;
  if (M.Newlines & Inside) {
    Escaped = WasEscaped;
    scanBroken(Block, Piece, Size);
  } else {
    advance(Block, M.Opens, M.Closes, M.Newlines, Inside, Size);
  }
}

const char *EventScanner::scanBlocks(const char *Block, const char *End) {
  for (const char *const Piece = Block; !Ended && Block != End; Block += BlockSize)
    scanBlock(Block, Piece, BlockSize);
  return Block;
}

#if defined(__x86_64__)
SEAMSCOPE_AVX2 const char *EventScanner::scanBlocksAvx2(const char *Block, const char *End) {
  for (const char *const Piece = Block; !Ended && Block != End; Block += BlockSize) {
    const Masks M = classifyAvx2(Block);
    const bool WasEscaped = Escaped;
    const uint64_t Quotes = bare(M.Quotes, M.Backslashes, BlockSize);
    const uint64_t Inside = prefixXorAvx2(Quotes) ^ InString;
    if (M.Newlines & Inside) {
      Escaped = WasEscaped;
      scanBroken(Block, Piece, BlockSize);
    } else {
      advance(Block, M.Opens, M.Closes, M.Newlines, Inside, BlockSize);
    }
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
  if (Ended)
    return;
  if (const auto Size = static_cast<size_t>(Text.data() + Text.size() - Stop)) {
    // Behind the last whole block: bytes that mean nothing fill it up. What stands before them
    // comes along, for a line that breaks at once.
    char Last[2 * BlockSize] = {};
    const size_t Before = std::min<size_t>(static_cast<size_t>(Stop - Text.data()), BlockSize);
    std::memcpy(Last + BlockSize - Before, Stop - Before, Before + Size);
    scanBlock(Last + BlockSize, Last + BlockSize - Before, static_cast<unsigned>(Size));
  }
  const size_t Kept = std::min(Text.size(), Tail.size());
  std::memmove(Tail.data(), Tail.data() + Kept, Tail.size() - Kept);
  std::memcpy(Tail.data() + Tail.size() - Kept, Text.data() + Text.size() - Kept, Kept);
}

size_t EventScanner::firstEvent(std::string_view Text) {
  EventScanner Scanner = ofOneEvent();
  Scanner.scan(Text);
  return Scanner.Ended && Scanner.Boundary ? Scanner.Boundary : Text.size();
}

} // namespace seamscope::tools
