//===- DeviceLog.h - the spool's blocks about devices ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_DEVICELOG_H
#define SEAMSCOPE_CORE_DEVICELOG_H

#include "core/Arena.h"

namespace seamscope {

/// Knows where the next entry goes. Only under SignalBlocker, with Process::Lock held.
class DeviceLog {
public:
  /// False: there is no room.
  bool append(Arena &Spool, const void *Entry, uint32_t Size);
  /// The spool is another one.
  void forgetSpool() {
    Block = nullptr;
    Work = false;
  }
  /// Whether there are entries of work that a device did, or of calls for it.
  bool hasWork() const { return Work; }

private:
  format::BlockHeader *Block = nullptr;
  size_t Used = 0;
  bool Work = false;
};

} // namespace seamscope
#endif // SEAMSCOPE_CORE_DEVICELOG_H
