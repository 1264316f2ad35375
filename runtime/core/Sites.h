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

/// A site's contents, the fields of site.def; null text is not known.
struct SiteText {
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) uint32_t Field;
#define SEAMSCOPE_SITE_TEXT(field, Field) const char *Field;
#define SEAMSCOPE_SITE_JSON(field, Field) const char *Field;
#include "seamscope/site.def"
};

/// Gives equal sites equal ids, so that a library loaded a thousand times has its sites once, and
/// keeps them all as SiteEntry records: for the spool, for a fork's child's spool, and after the
/// library they came from is gone. Only under Process::Lock.
class SiteTable {
public:
  /// The id of \p Site, from 1; 0 when there is no room for a new one. A new one goes to
  /// \p Spool at once if that is open.
  uint32_t intern(const SiteText &Site, Arena &Spool);

  /// Writes the sites that \p Spool does not have yet, as far as there is room.
  void copyMissing(Arena &Spool);

  uint32_t count() const { return Count; }
  /// Whether a site launches a CUDA graph. Also without the lock.
  bool launchesGraphs() const { return loadRelaxed(&GraphLaunches); }

  /// A new spool has none of them yet.
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
