//===- ModeHistory.cpp - the mode that a call began in ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/ModeHistory.h"

#include "core/Clock.h"

namespace seamscope {
OwnerPage Owner = {};
}

namespace seamscope::modes {

/// Ticks of the last changes; the two modes alternate. A call that began before the oldest kept
/// change counts as begun in the mode before that change.
static constexpr uint64_t Kept = 1024;
static uint64_t Changes[Kept];
static uint64_t Count;
static SeamscopeMode FirstMode;

static SeamscopeMode modeAfter(uint64_t Change) {
  if (Change % 2 == 0)
    return FirstMode;
  return FirstMode == SEAMSCOPE_TRACE ? SEAMSCOPE_PROFILE : SEAMSCOPE_TRACE;
}

void change(uint64_t Tick, SeamscopeMode Mode) {
  if (Count && modeAfter(Count - 1) == Mode)
    return;
  if (!Count) {
    FirstMode = Mode;
    Tick = 0;
  }
  storeRelaxed(&Changes[Count % Kept], Tick);
  storeRelease(&Count, Count + 1);
  restore();
}

void restore() {
  if (!Count)
    return;
  const uint64_t Since = ~loadRelaxed(&Changes[(Count - 1) % Kept]);
  const bool Trace = modeAfter(Count - 1) == SEAMSCOPE_TRACE;
  storeRelaxed(&Owner.NotBeforeProfile, Trace ? uint64_t{0} : Since);
  storeRelaxed(&Owner.NotBeforeTrace, Trace ? Since : uint64_t{0});
  storeRelaxed(&Owner.NotBeforeStamped, Trace && !clock::UseMonotonic ? Since : uint64_t{0});
}

SeamscopeMode at(uint64_t Begin) {
  const uint64_t End = loadAcquire(&Count);
  if (!End)
    return SEAMSCOPE_OFF;
  uint64_t Change = End - 1;
  while (Change && End - Change < Kept && loadRelaxed(&Changes[Change % Kept]) > Begin)
    --Change;
  return modeAfter(Change);
}

} // namespace seamscope::modes
