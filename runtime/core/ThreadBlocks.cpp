//===- ThreadBlocks.cpp - the blocks of the spool that a thread fills -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/ThreadBlocks.h"

#include "core/Clock.h"
#include "core/Helper.h"
#include "core/Throttle.h"

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
  if (!reserveSite(Slot.Profiles, Slot.ProfileCount, Site))
    return nullptr;
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
