//===- Helper.h - the thread that keeps blocks ready ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_HELPER_H
#define SEAMSCOPE_CORE_HELPER_H

#include <cstdint>

namespace seamscope {

/// Measures SpoolHeader::CallCost, in the helper; null: nothing does. A pointer, since the hooks
/// that it measures need the helper. Set before recording begins.
extern uint64_t (*HelperMeasuresCost)();

/// Starts the thread with the spool. Only under SignalBlocker.
void startHelper();
/// Wakes the thread to back blocks ahead of use.
void wakeHelper();
/// Has the thread look soon whether the program's threads have all left.
void noteLastThread();
/// In a fork's child: there is no such thread.
void forgetHelper();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_HELPER_H
