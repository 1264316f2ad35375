//===- Helper.h - the thread that keeps blocks ready ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_HELPER_H
#define SEAMSCOPE_CORE_HELPER_H

#include <cstdint>

namespace seamscope {

/// Measures SpoolHeader::CallCost in the helper; null: not measured. It is a pointer because the
/// hooks that it measures depend on the helper. Set before recording begins.
extern uint64_t (*HelperMeasuresCost)();

/// Starts the thread for an open spool. Only under SignalBlocker.
void startHelper();
/// Wakes the thread to give blocks storage before they are claimed.
void wakeHelper();
/// Makes the thread check soon whether all threads of the program have ended.
void noteLastThread();
/// Called in a fork's child, which does not have the thread.
void forgetHelper();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_HELPER_H
