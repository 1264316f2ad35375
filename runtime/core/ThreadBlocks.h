//===- ThreadBlocks.h - the blocks of the spool that a thread fills -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_THREADBLOCKS_H
#define SEAMSCOPE_CORE_THREADBLOCKS_H

#include "core/ThreadState.h"

#include <cstring>

namespace seamscope {

/// Entry \p Index of a block.
template <typename T> T *entryOf(format::BlockHeader *Block, uint32_t Index) {
  return reinterpret_cast<T *>(Block + 1) + Index;
}

/// The next entry of a table that grows by blocks.
template <typename T>
T *nextEntry(format::BlockHeader *&Block, uint32_t &Used, size_t PerBlock, format::BlockKind Kind) {
  if (!Block || Used == PerBlock) {
    format::BlockHeader *New = TheProcess.Spool.claim();
    if (!New)
      return nullptr;
    Block = New;
    Used = 0;
    storeRelease(&Block->Kind, Kind);
  }
  return entryOf<T>(Block, Used++);
}

/// Makes room for \p Site in a thread's array by site. Returns false if there is no memory. Only
/// under SignalBlocker.
template <typename T> bool reserveSite(T **&Array, uint32_t &Size, uint32_t Site) {
  if (Site < Size)
    return true;
  uint32_t Bigger = Size ? Size : 512;
  while (Bigger <= Site)
    Bigger *= 2;
  auto **New = static_cast<T **>(allocatePages(Bigger * sizeof(T *)));
  if (!New)
    return false;
  if (Size)
    memcpy(static_cast<void *>(New), Array, Size * sizeof(T *));
  // The old array stays, since code that a handler interrupted may be reading it.
  Array = New;
  Size = Bigger;
  return true;
}

/// Makes room for \p Count consecutive records. Returns false if there is none. Only under
/// SignalBlocker.
bool makeRoom(unsigned Count);

/// The sums of \p Site on this thread; null: no room. Only under SignalBlocker.
format::SiteProfile *profileOf(uint32_t Site);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_THREADBLOCKS_H
