//===- Sites.cpp - every site of the process, numbered ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Sites.h"

#include "core/MemoryRoom.h"

#include <cstring>
#include <sys/mman.h>

namespace seamscope {

using format::BlockBytes;
using format::BlockHeader;
using format::BlockKind;
using format::SiteEntry;

/// Longest text of a field, in bytes.
static constexpr size_t MaxText = 4096;
/// Longest text of JSON: an operator's inputs, a description of counters. A longer one is left out,
/// since a cut one would say something else.
static constexpr size_t MaxInputs = 128 * 1024;
/// How many texts of MaxText a site may have.
static constexpr size_t TextCount = 0
#define SEAMSCOPE_SITE_TEXT(field, Field) +1
#include "seamscope/site.def"
    ;
static constexpr size_t MaxEntry = sizeof(SiteEntry) + TextCount * (MaxText + 1) + MaxInputs + 8;
static_assert(MaxEntry < BlockBytes - sizeof(BlockHeader));
/// Address space of the log if nothing limits it, and the bytes made accessible at a time.
static constexpr size_t MaxLog = 256u << 20, LogStep = 1u << 20;
static_assert(MaxEntry <= LogStep && MaxLog % LogStep == 0);

static uint64_t hashOf(const unsigned char *Bytes, size_t Size) {
  uint64_t Hash = 0xcbf29ce484222325u; // FNV-1a
  for (size_t I = 0; I < Size; ++I)
    Hash = (Hash ^ Bytes[I]) * 0x100000001b3u;
  return Hash ^ Hash >> 32;
}

/// Entries that agree in all but Size and Id are of the same site.
static constexpr size_t IdentityOffset = offsetof(SiteEntry, Kind);

bool SiteTable::reserve() {
  if (!Log) {
    const uint64_t Share = addressRoom() / AddressShares;
    LogBytes = Share < MaxLog ? static_cast<size_t>(Share) & ~(LogStep - 1) : MaxLog;
    Log = static_cast<unsigned char *>(reservePages(LogBytes));
  }
  return Log && (Slots || grow());
}

/// Whether there is room for one more site of any size.
bool SiteTable::hasRoom() {
  // One slot stays free, so that a search ends.
  if (!reserve() || LogUsed + MaxEntry > LogBytes || Count + 2 > SlotCount ||
      Count + 1 >= format::EscapeFirst)
    return false;
  for (; LogUsed + MaxEntry > LogOpen; LogOpen += LogStep)
    if (!openPages(Log + LogOpen, LogStep))
      return false;
  return true;
}

bool SiteTable::grow() {
  const uint32_t NewCount = SlotCount ? SlotCount * 2 : 1024;
  auto *NewSlots = static_cast<uint32_t *>(allocatePages(NewCount * sizeof(uint32_t)));
  if (!NewSlots)
    return false;
  for (size_t At = 0; At < LogUsed;) {
    const auto *Entry = reinterpret_cast<const SiteEntry *>(Log + At);
    uint64_t Slot = hashOf(Log + At + IdentityOffset, Entry->Size - IdentityOffset);
    while (NewSlots[Slot & (NewCount - 1)])
      ++Slot;
    NewSlots[Slot & (NewCount - 1)] = static_cast<uint32_t>(At / 8 + 1);
    At += Entry->Size;
  }
  if (Slots)
    munmap(Slots, SlotCount * sizeof(uint32_t));
  Slots = NewSlots;
  SlotCount = NewCount;
  return true;
}

uint32_t SiteTable::intern(const SiteText &Site, Arena &Spool) {
  if (!hasRoom())
    return 0;
  // Written beyond the log's end; kept only if it is new.
  auto *Entry = reinterpret_cast<SiteEntry *>(Log + LogUsed);
  memset(Entry, 0, sizeof(SiteEntry));
  size_t Size = sizeof(SiteEntry);
  const auto Put = [&](const char *Text) -> uint32_t {
    if (!Text || !*Text)
      return 0;
    const size_t Length = strnlen(Text, MaxText);
    const size_t At = Size;
    memcpy(Log + LogUsed + At, Text, Length);
    Log[LogUsed + At + Length] = 0;
    Size += Length + 1;
    return static_cast<uint32_t>(At);
  };
  size_t InputsLeft = MaxInputs;
  const auto PutWhole = [&](const char *Text) -> uint32_t {
    const size_t Length = Text ? strnlen(Text, InputsLeft) : 0;
    if (!Length || Length >= InputsLeft)
      return 0;
    InputsLeft -= Length + 1;
    const size_t At = Size;
    memcpy(Log + LogUsed + At, Text, Length + 1);
    Size += Length + 1;
    return static_cast<uint32_t>(At);
  };
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) Entry->Field = Site.Field;
  // The description of counters is JSON, too.
  const bool IsWork = Site.Kind == SEAMSCOPE_SITE_WORK;
#define SEAMSCOPE_SITE_TEXT(field, Field)                                                          \
  Entry->Field = IsWork && &Site.Field == &Site.Ops ? PutWhole(Site.Field) : Put(Site.Field);
#define SEAMSCOPE_SITE_JSON(field, Field) Entry->Field = PutWhole(Site.Field);
#include "seamscope/site.def"
  while (Size % 8)
    Log[LogUsed + Size++] = 0;

  const unsigned char *Identity = Log + LogUsed + IdentityOffset;
  uint64_t Slot = hashOf(Identity, Size - IdentityOffset);
  for (; Slots[Slot & (SlotCount - 1)]; ++Slot) {
    const size_t At = (Slots[Slot & (SlotCount - 1)] - 1) * size_t{8};
    const auto *Old = reinterpret_cast<const SiteEntry *>(Log + At);
    if (Old->Size == Size && !memcmp(Log + At + IdentityOffset, Identity, Size - IdentityOffset))
      return Old->Id;
  }
  Entry->Size = static_cast<uint32_t>(Size);
  Entry->Id = ++Count;
  if (Site.Kind == SEAMSCOPE_SITE_LAUNCH && Site.Name && strstr(Site.Name, "GraphLaunch"))
    storeRelaxed(&GraphLaunches, GraphLaunches + 1);
  Slots[Slot & (SlotCount - 1)] = static_cast<uint32_t>(LogUsed / 8 + 1);
  LogUsed += Size;
  if (Spool.isOpen())
    copyMissing(Spool);
  const uint32_t Id = Entry->Id;
  if (Count * 2 > SlotCount && !grow())
    return 0;
  return Id;
}

bool SiteTable::append(Arena &Spool, const SiteEntry &Entry) {
  if (!Block || BlockUsed + Entry.Size > BlockBytes) {
    format::BlockHeader *New = Spool.claim();
    if (!New)
      return false;
    Block = New;
    BlockUsed = sizeof(BlockHeader);
    storeRelease(&Block->Kind, BlockKind::Sites);
  }
  auto *Target =
      reinterpret_cast<SiteEntry *>(reinterpret_cast<unsigned char *>(Block) + BlockUsed);
  memcpy(reinterpret_cast<unsigned char *>(Target) + sizeof(Entry.Size),
         reinterpret_cast<const unsigned char *>(&Entry) + sizeof(Entry.Size),
         Entry.Size - sizeof(Entry.Size));
  BlockUsed += Entry.Size;
  storeRelease(&Target->Size, Entry.Size);
  return true;
}

void SiteTable::copyMissing(Arena &Spool) {
  while (InSpool < LogUsed) {
    const auto *Entry = reinterpret_cast<const SiteEntry *>(Log + InSpool);
    if (!append(Spool, *Entry))
      return;
    InSpool += Entry->Size;
  }
}

} // namespace seamscope
