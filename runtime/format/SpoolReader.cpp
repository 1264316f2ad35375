//===- SpoolReader.cpp - a spool file, checked and walked ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/SpoolReader.h"

#include <cstring>

namespace seamscope::format {

SpoolError SpoolReader::open(const void *Bytes, size_t Size) {
  Data = nullptr;
  Blocks = 0;
  const auto *H = static_cast<const SpoolHeader *>(Bytes);
  if (Size < sizeof(H->Magic) || memcmp(H->Magic, SpoolMagic, sizeof(SpoolMagic)))
    return {0, "not a Seamscope spool"};
  if (Size < HeaderBytes)
    return {Size, "truncated in its header"};
  if (H->Version != SpoolVersion)
    return {offsetof(SpoolHeader, Version),
            "a spool of another version; read it with the Seamscope that wrote it"};
  if (H->HeaderSize != sizeof(SpoolHeader))
    return {offsetof(SpoolHeader, HeaderSize), "its header size differs from this version's"};
  if (H->BlockSize != BlockBytes)
    return {offsetof(SpoolHeader, BlockSize), "its block size differs from this version's"};
  First = H->First;
  // The process may be storing the next pair in the other place.
  const ClockPair &Last = H->Last[__atomic_load_n(&H->LastIndex, __ATOMIC_ACQUIRE) % 2];
  Newest.Tick = __atomic_load_n(&Last.Tick, __ATOMIC_RELAXED);
  Newest.MonotonicNs = __atomic_load_n(&Last.MonotonicNs, __ATOMIC_RELAXED);
  // No clock runs at more than 16 GHz or less than 1 MHz.
  const uint64_t Ticks = Newest.Tick - First.Tick;
  const uint64_t Ns = Newest.MonotonicNs - First.MonotonicNs;
  if (!First.Tick || Newest.Tick <= First.Tick || Newest.MonotonicNs <= First.MonotonicNs ||
      Ticks / 16 > Ns || Ns / 1000 > Ticks)
    return {offsetof(SpoolHeader, First), "its clock readings make no sense"};
  Data = static_cast<const unsigned char *>(Bytes);
  const uint64_t Whole = (Size - HeaderBytes) / BlockBytes;
  uint64_t Claimed = __atomic_load_n(&H->BlocksClaimed, __ATOMIC_ACQUIRE);
  Blocks = Claimed < Whole ? Claimed : Whole;
  if (Claimed > Whole)
    return {Size, "truncated: blocks are missing at its end"};
  return {};
}

uint64_t SpoolReader::nsOf(uint64_t Ticks) const {
  const unsigned __int128 Product =
      static_cast<unsigned __int128>(Ticks) * (Newest.MonotonicNs - First.MonotonicNs);
  return static_cast<uint64_t>(Product / (Newest.Tick - First.Tick));
}

uint64_t SpoolReader::nsSinceStart(uint64_t Tick) const {
  return Tick <= First.Tick ? 0 : nsOf(Tick - First.Tick);
}

uint64_t SpoolReader::lastSignOfLife() const {
  uint64_t Last = Newest.Tick;
  const auto Include = [&](uint64_t Tick) { Last = Tick > Last ? Tick : Last; };
  for (uint64_t I = 0; I < Blocks; ++I)
    Include(reinterpret_cast<const BlockHeader *>(Data + HeaderBytes + I * BlockBytes)->Tick);
  forEachCall(
      [&](const CallView &Call) {
        if (uint64_t End; !__builtin_add_overflow(Call.BeginTick, Call.DurationTicks, &End))
          Include(End);
      },
      [](Escape, uint64_t, uint32_t, uint32_t) {});
  forEachOpen([&](uint32_t, const OpenCall &Open) { Include(Open.Begin); });
  return Last;
}

uint64_t SpoolReader::callCostPs() const {
  const uint64_t Cost = __atomic_load_n(&header().CallCost, __ATOMIC_RELAXED);
  // A call cannot cost more than a second, and the product would overflow.
  return Cost >> 10 > ticksPerSecond() ? 0 : nsOf(Cost * 1000) >> 10;
}

uint64_t SpoolReader::ticksPerSecond() const {
  const unsigned __int128 Product =
      static_cast<unsigned __int128>(Newest.Tick - First.Tick) * 1000000000u;
  return static_cast<uint64_t>(Product / (Newest.MonotonicNs - First.MonotonicNs));
}

namespace {

/// Skips past a JSON string's closing quote; null: there is none.
const char *skipString(const char *Text) {
  if (*Text != '"')
    return nullptr;
  for (++Text; *Text != '"'; ++Text) {
    if (static_cast<unsigned char>(*Text) < 0x20 || static_cast<unsigned char>(*Text) >= 0x80)
      return nullptr;
    if (*Text != '\\')
      continue;
    ++Text;
    if (*Text == 'u') {
      for (unsigned I = 0; I < 4; ++I) {
        const char C = *++Text;
        if (!((C >= '0' && C <= '9') || (C >= 'a' && C <= 'f') || (C >= 'A' && C <= 'F')))
          return nullptr;
      }
    } else if (!*Text || !strchr("\"\\/bfnrt", *Text)) {
      return nullptr;
    }
  }
  return Text + 1;
}

/// Skips past a whole number; null: there is none.
const char *skipNumber(const char *Text) {
  Text += *Text == '-';
  if (*Text == '0')
    return Text + 1;
  const char *First = Text;
  while (*Text >= '0' && *Text <= '9')
    ++Text;
  return Text == First ? nullptr : Text;
}

} // namespace

bool isJsonArray(const char *Text) {
  constexpr unsigned Deepest = 8;
  unsigned Depth = 0;
  bool MayClose = true; // there is no comma before
  if (*Text != '[')
    return false;
  for (;;) {
    // An element or, in an empty array, the end.
    if (*Text == '[') {
      if (++Depth > Deepest)
        return false;
      ++Text;
      MayClose = true;
      continue;
    }
    if (!(*Text == ']' && MayClose)) {
      Text = *Text == '"' ? skipString(Text) : skipNumber(Text);
      if (!Text)
        return false;
    }
    // What follows the element.
    while (*Text == ']') {
      ++Text;
      if (!--Depth)
        return !*Text;
    }
    if (*Text++ != ',')
      return false;
    MayClose = false;
  }
}

} // namespace seamscope::format
