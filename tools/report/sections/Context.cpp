//===- Context.cpp - what the sections of a report share ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Context.h"

#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {

Fields<UntimedCalls> sampledFields() {
  return {
      {{"every", "", Unit::Count, "calls of which one was timed, on average"},
       [](const UntimedCalls &U) { return U.Every; }},
      {{"counted", "", Unit::Count, "calls since then"},
       [](const UntimedCalls &U) { return U.Timed + U.Calls; }},
      {{"timed", "", Unit::Count, "of these, those that were timed"},
       [](const UntimedCalls &U) { return U.Timed; }},
      {{"untimed_ns", "", Unit::Ns, "what the others took, by the mean of those that were timed"},
       [](const UntimedCalls &U) { return U.Ns; }},
      {{"stderr_ns", "", Unit::Ns, "standard error of untimed_ns: calls times s / sqrt(n)"},
       [](const UntimedCalls &U) { return U.StderrNs; }},
      {{"limited", "", Unit::Flag, "there was less room for them: untimed_ns is all that was left"},
       [](const UntimedCalls &U) { return U.IsLimited; }},
  };
}

std::string untimedText(const UntimedCalls &Untimed) {
  if (Untimed.IsLimited)
    return fmt::format("~ 1 in {} timed; all there is around", Untimed.Every);
  if (!Untimed.StderrNs)
    return fmt::format("~ 1 in {} timed; error unknown", Untimed.Every);
  return fmt::format("~ 1 in {} timed: at most, +- {}", Untimed.Every,
                     shownTime(static_cast<int64_t>(std::llround(*Untimed.StderrNs))));
}

Cell timeCell(int64_t Ns, bool IsEstimate) {
  return IsEstimate ? Cell(Ns, "~" + shownTime(Ns)) : Cell(Ns);
}

Fields<ThreadShare> threadFields() {
  return {
      {{"thread", "Thread", Unit::Count, "OpenMP thread number"},
       [](const ThreadShare &S) { return S.Thread; }},
      {column::calls(), [](const ThreadShare &S) { return S.Calls; }},
      {column::busy(), [](const ThreadShare &S) { return S.BusyNs; }},
      {column::wait(), [](const ThreadShare &S) { return S.WaitNs; }},
  };
}

} // namespace seamscope::tools
