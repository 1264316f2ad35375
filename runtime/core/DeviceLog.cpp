//===- DeviceLog.cpp - device blocks of the spool --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/DeviceLog.h"

#include "format/DeviceEntry.h"

#include <cstring>

namespace seamscope {

bool DeviceLog::append(Arena &Spool, const void *Entry, uint32_t Size) {
  if (!Block || Used + Size > format::BlockBytes) {
    format::BlockHeader *New = Spool.claim();
    if (!New)
      return false;
    Block = New;
    Used = sizeof(format::BlockHeader);
    storeRelease(&Block->Kind, format::BlockKind::Device);
  }
  unsigned char *To = reinterpret_cast<unsigned char *>(Block) + Used;
  memcpy(To + sizeof(Size), static_cast<const unsigned char *>(Entry) + sizeof(Size),
         Size - sizeof(Size));
  Used += Size;
  const auto Kind = static_cast<const format::DeviceEntry *>(Entry)->Kind;
  Work |= Kind == format::DeviceEntryKind::Activity || Kind == format::DeviceEntryKind::Inside;
  storeRelease(reinterpret_cast<uint32_t *>(To), Size);
  return true;
}

} // namespace seamscope
