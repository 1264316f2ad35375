//===- Schedule.cpp - which steps of a program are recorded ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/OtherCopy.h"
#include "core/Process.h"

using namespace seamscope;

static SeamscopeSchedule Steps;
static uint64_t Step;
static bool Running;

/// The mode of step \p Number.
static SeamscopeMode modeOf(uint64_t Number) {
  if (Number < Steps.skip_first)
    return SEAMSCOPE_OFF;
  Number -= Steps.skip_first;
  const uint64_t Idle = uint64_t{Steps.wait} + Steps.warmup;
  const uint64_t Cycle = Idle + Steps.active;
  if (Steps.repeat && Number / Cycle >= Steps.repeat)
    return SEAMSCOPE_OFF;
  if (Number % Cycle < Idle)
    return SEAMSCOPE_OFF;
  const SeamscopeMode Asked = TheProcess.Settings.Mode;
  return Asked == SEAMSCOPE_OFF ? SEAMSCOPE_TRACE : Asked;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_schedule(const SeamscopeSchedule *Schedule) {
  SEAMSCOPE_FORWARD(seamscope_set_schedule, Schedule);
  if (Schedule && !Schedule->active)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SeamscopeMode First;
  {
    SignalBlocker Blocker;
    SpinGuard Guard(TheProcess.Lock);
    Running = Schedule != nullptr;
    if (!Running)
      return SEAMSCOPE_OK;
    Steps = *Schedule;
    Step = 0;
    First = modeOf(0);
  }
  return seamscope_set_mode(First);
}

SEAMSCOPE_EXPORT void seamscope_step(void) {
  SEAMSCOPE_FORWARD(seamscope_step);
  SeamscopeMode Next;
  {
    SignalBlocker Blocker;
    SpinGuard Guard(TheProcess.Lock);
    if (!Running)
      return;
    Next = modeOf(++Step);
  }
  if (Next != seamscope_mode())
    seamscope_set_mode(Next);
}
