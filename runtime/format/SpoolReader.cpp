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
    return {offsetof(SpoolHeader, HeaderSize), "its header has another size than this version's"};
  if (H->BlockSize != BlockBytes)
    return {offsetof(SpoolHeader, BlockSize), "its blocks have another size than this version's"};
  First = H->First;
  // The process may be storing the next one, into the other place.
  const ClockPair &Last = H->Last[__atomic_load_n(&H->LastIndex, __ATOMIC_ACQUIRE) % 2];
  Newest.Tick = __atomic_load_n(&Last.Tick, __ATOMIC_RELAXED);
  Newest.MonotonicNs = __atomic_load_n(&Last.MonotonicNs, __ATOMIC_RELAXED);
  // A factor of more than 16 GHz or less than 1 MHz is no clock's.
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

uint64_t SpoolReader::ticksPerSecond() const {
  const unsigned __int128 Product =
      static_cast<unsigned __int128>(Newest.Tick - First.Tick) * 1000000000u;
  return static_cast<uint64_t>(Product / (Newest.MonotonicNs - First.MonotonicNs));
}

} // namespace seamscope::format
