//===- ThreadState.cpp - the runtime's state of a thread -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/ThreadState.h"

#include "core/Clock.h"

namespace seamscope {

using namespace format;

__thread ThreadState ThisThread = {};

OpenCall *openEnd() {
  const ThreadState &T = ThisThread;
  OpenCall *First = T.Slot->Live->Open;
  return clock::UseMonotonic || isMirrored() ? First : First + MaxOpenCalls;
}

} // namespace seamscope
