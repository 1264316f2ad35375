//===- Messages.cpp - messages about traces -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Messages.h"
#include "trace/model/Trace.h"

#include <fmt/format.h>

namespace seamscope::tools {

void inform(const std::string &Sentence) { complain(Sentence); }

int reportDamage(const TraceInfo &Info, bool Strict) {
  if (Info.SkippedEvents)
    complain(fmt::format("{}: {} event(s) left out, the first at offset {}: {}", Info.Path,
                         Info.SkippedEvents, Info.Skipped[0].Offset, Info.Skipped[0].Reason));
  if (Info.Damage)
    return fail(*Info.Damage);
  return Strict && Info.SkippedEvents ? 1 : 0;
}

} // namespace seamscope::tools
