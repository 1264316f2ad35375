//===- Sites.h - every site of the process, numbered -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_SITES_H
#define SEAMSCOPE_CORE_SITES_H

#include "core/Arena.h"
#include "seamscope/abi.h"

namespace seamscope {

/// A site's contents: the fields of site.def. A null text is unknown.
struct SiteText {
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) uint32_t Field;
#define SEAMSCOPE_SITE_TEXT(field, Field) const char *Field;
#define SEAMSCOPE_SITE_JSON(field, Field) const char *Field;
#include "seamscope/site.def"
};

/// Gives equal sites equal ids, so that a library loaded a thousand times has its sites once. Keeps
/// all sites as SiteEntry records, which the spool of a fork's child needs as well, even if their
/// library was unloaded. Only under Process::Lock.
class SiteTable {
public:
  /// The id of \p Site, from 1; 0: no room for a new one. A new site is written to \p Spool at once
  /// if that is open.
  uint32_t intern(const SiteText &Site, Arena &Spool);

  /// Writes the sites that \p Spool lacks, as far as there is room.
  void copyMissing(Arena &Spool);

  uint32_t count() const { return Count; }
  /// Whether a site launches a CUDA graph. May be called without the lock.
  bool launchesGraphs() const { return loadRelaxed(&GraphLaunches); }

  /// Notes that a new spool has no sites yet.
  void forgetSpool() {
    Block = nullptr;
    InSpool = 0;
  }

private:
  bool reserve();
  bool hasRoom();
  bool grow();
  bool append(Arena &Spool, const format::SiteEntry &Entry);

  unsigned char *Log = nullptr;
  size_t LogBytes = 0; ///< address space, not memory
  size_t LogOpen = 0;  ///< bytes that can be written
  size_t LogUsed = 0;
  size_t InSpool = 0; ///< bytes of the log that the spool has
  uint32_t Count = 0;
  uint32_t GraphLaunches = 0;
  uint32_t *Slots = nullptr; ///< open addressing: offset into Log, in 8 bytes, plus 1
  uint32_t SlotCount = 0;
  format::BlockHeader *Block = nullptr;
  size_t BlockUsed = 0;
};

} // namespace seamscope
#endif // SEAMSCOPE_CORE_SITES_H
