//===- DeviceLog.h - device blocks of the spool ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_DEVICELOG_H
#define SEAMSCOPE_CORE_DEVICELOG_H

#include "core/Arena.h"

namespace seamscope {

/// Appends entries to device blocks. Only under SignalBlocker, with Process::Lock held.
class DeviceLog {
public:
  /// Returns false if there is no room.
  bool append(Arena &Spool, const void *Entry, uint32_t Size);
  /// Starts again with a new block, since the spool is a new one.
  void forgetSpool() {
    Block = nullptr;
    Work = false;
  }
  /// Whether there are entries about work of a device, or about calls that launched work.
  bool hasWork() const { return Work; }

private:
  format::BlockHeader *Block = nullptr;
  size_t Used = 0;
  bool Work = false;
};

} // namespace seamscope
#endif // SEAMSCOPE_CORE_DEVICELOG_H
