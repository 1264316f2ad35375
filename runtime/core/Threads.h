//===- Threads.h - begin and end of threads -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_THREADS_H
#define SEAMSCOPE_CORE_THREADS_H

namespace seamscope {

/// Gives this thread a slot. Returns false if nothing can be recorded. Only under SignalBlocker.
bool setUpThread();

/// Forgets the parent's slots, in a fork's child.
void forgetThreads();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_THREADS_H
