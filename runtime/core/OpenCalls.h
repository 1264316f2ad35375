//===- OpenCalls.h - calls that were left without an exit -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_OPENCALLS_H
#define SEAMSCOPE_CORE_OPENCALLS_H

#include "core/ThreadState.h"

namespace seamscope {

/// Ends the list of open calls before \p Keep: the calls from there on were left without an exit.
/// Only under SignalBlocker.
void dropOpenCalls(format::OpenCall *Keep);

/// Drops the calls that are dead when one begins whose frame is at \p Address, which is not below
/// the innermost open one: those with frames up to there, on the same stack. Only under
/// SignalBlocker.
void dropDeadCalls(uint64_t Address);

/// Counts the calls of this thread that are still open as left without an exit. Only under
/// SignalBlocker.
inline void abandonOpenCalls() { dropOpenCalls(ThisThread.Slot->Live->Open); }

/// Takes back that a call was left without an exit. Only under SignalBlocker.
void recordLateReturn(uint64_t Begin, uint32_t Site);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_OPENCALLS_H
