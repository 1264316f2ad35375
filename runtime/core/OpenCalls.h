//===- OpenCalls.h - calls that were left without an exit -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_OPENCALLS_H
#define SEAMSCOPE_CORE_OPENCALLS_H

#include "core/ThreadState.h"

namespace seamscope {

/// Removes the open calls from \p Keep on from the list: they were left without an exit. Only under
/// SignalBlocker.
void dropOpenCalls(format::OpenCall *Keep);

/// Removes the calls that are dead when a call with its frame at \p Address begins: those on the
/// same stack with frames up to there. The innermost open frame is not above \p Address. Only under
/// SignalBlocker.
void dropDeadCalls(uint64_t Address);

/// Counts the calls of this thread that are still open as left without an exit. Only under
/// SignalBlocker.
inline void abandonOpenCalls() { dropOpenCalls(ThisThread.Slot->Live->Open); }

/// Records that a call did return after it was counted as left without an exit. Only under
/// SignalBlocker.
void recordLateReturn(uint64_t Begin, uint32_t Site);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_OPENCALLS_H
