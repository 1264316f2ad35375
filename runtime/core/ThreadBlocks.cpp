//===- ThreadBlocks.cpp - the blocks of the spool that a thread fills -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/ThreadBlocks.h"

#include "core/Clock.h"
#include "core/Helper.h"
#include "core/Throttle.h"

#include <cstring>

namespace seamscope {

using namespace format;

bool makeRoom(unsigned Count) {
  ThreadState &T = ThisThread;
  if (T.End && T.Cursor + Count <= T.End)
    return true;
  throttleByRecords();
  BlockHeader *Block = TheProcess.Spool.claim();
  wakeHelper();
  if (!Block) {
    T.Cursor = T.End = nullptr;
    return false;
  }
  Block->Thread = T.Index;
  Block->Sequence = T.Slot->Sequence++;
  Block->Tick = clock::now();
  storeRelease(&Block->Kind, BlockKind::Events);
  T.Cursor = entryOf<Record>(Block, 0);
  T.End = T.Cursor + RecordsPerBlock;
  T.TeamThread = -1;
  return true;
}

SiteProfile *profileOf(uint32_t Site) {
  ThreadSlot &Slot = *ThisThread.Slot;
  if (Site >= Slot.ProfileCount) {
    uint32_t Count = Slot.ProfileCount ? Slot.ProfileCount : 512;
    while (Count <= Site)
      Count *= 2;
    auto **Bigger = static_cast<SiteProfile **>(allocatePages(Count * sizeof(SiteProfile *)));
    if (!Bigger)
      return nullptr;
    if (Slot.ProfileCount)
      memcpy(Bigger, Slot.Profiles, Slot.ProfileCount * sizeof(SiteProfile *));
    // The old array stays, since code that a handler interrupted may be reading it.
    Slot.Profiles = Bigger;
    Slot.ProfileCount = Count;
  }
  if (SiteProfile *Profile = Slot.Profiles[Site])
    return Profile;
  auto *Profile = nextEntry<SiteProfile>(Slot.ProfileBlock, Slot.ProfileUsed, ProfilesPerBlock,
                                         BlockKind::Profile);
  if (!Profile)
    return nullptr;
  Profile->Thread = ThisThread.Index;
  Profile->TeamThread = -1;
  Profile->MinTicks = UINT64_MAX;
  storeRelease(&Profile->Site, Site);
  Slot.Profiles[Site] = Profile;
  return Profile;
}

} // namespace seamscope
