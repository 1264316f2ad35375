//===- OpenCalls.cpp - calls that were left without an exit ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/OpenCalls.h"

#include "core/Record.h"
#include "core/ThreadBlocks.h"

namespace seamscope {

using namespace format;

void dropOpenCalls(OpenCall *Keep) {
  ThreadState &T = ThisThread;
  for (OpenCall *Open = T.NextOpen; Open-- > Keep;) {
    if (modes::at(Open->Begin) == SEAMSCOPE_TRACE)
      writeEscape(EscapeAbandoned, Open->Begin, Open->Site);
    else if (SiteProfile *P = profileOf(Open->Site))
      storeRelaxed(&P->Abandoned, P->Abandoned + 1);
    storeRelaxed(&Open->Begin, uint64_t{0});
  }
  T.NextOpen = Keep;
  T.TopFrame = Keep == T.Slot->Live->Open ? NoFrame : Keep[-1].Frame;
}

void dropDeadCalls(uint64_t Address) {
  const ThreadState &T = ThisThread;
  // A handler that runs on its own stack says nothing about the calls of the interrupted code.
  uint64_t Low = 0, Size = UINT64_MAX;
  stack_t Own;
  if (sigaltstack(nullptr, &Own) == 0 && (Own.ss_flags & SS_ONSTACK)) {
    Low = reinterpret_cast<uint64_t>(Own.ss_sp);
    Size = Own.ss_size;
  }
  const auto IsDead = [&](uint64_t Frame) { return Frame <= Address && Frame - Low < Size; };
  if (!IsDead(T.TopFrame))
    return;
  OpenCall *Keep = T.NextOpen;
  while (Keep > T.Slot->Live->Open && IsDead(Keep[-1].Frame))
    --Keep;
  dropOpenCalls(Keep);
}

void recordLateReturn(uint64_t Begin, uint32_t Site) {
  if (modes::at(Begin) == SEAMSCOPE_TRACE)
    writeEscape(EscapeReturned, Begin, Site);
  else if (SiteProfile *P = profileOf(Site))
    storeRelaxed(&P->Abandoned, P->Abandoned - 1);
}

} // namespace seamscope
