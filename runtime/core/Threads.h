//===- Threads.h - begin and end of threads -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_THREADS_H
#define SEAMSCOPE_CORE_THREADS_H

namespace seamscope {

/// Gives this thread its slot. False when nothing can be recorded. Only under SignalBlocker.
bool setUpThread();

/// In a fork's child: the parent's slots are not ours.
void forgetThreads();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_THREADS_H
