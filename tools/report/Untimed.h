//===- Untimed.h - calls that were counted and not timed, in a report -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_UNTIMED_H
#define SEAMSCOPE_TOOLS_REPORT_UNTIMED_H

#include "analysis/core/Throttled.h"
#include "report/Table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace seamscope::tools {

/// The line under a row some of whose calls were not timed.
inline std::string shownUntimed(const UntimedCalls &Untimed) {
  if (Untimed.IsLimited)
    return fmt::format("~ 1 in {} timed; all there is around", Untimed.Every);
  if (!Untimed.StderrNs)
    return fmt::format("~ 1 in {} timed; error unknown", Untimed.Every);
  return fmt::format("~ 1 in {} timed: at most, +- {}", Untimed.Every,
                     shownTime(static_cast<int64_t>(std::llround(*Untimed.StderrNs))));
}

/// `sampled` of a row: docs/formats.md.
inline nlohmann::ordered_json sampledJson(const UntimedCalls &Untimed) {
  return {{"every", Untimed.Every},
          {"counted", Untimed.Timed + Untimed.Calls},
          {"timed", Untimed.Timed},
          {"untimed_ns", Untimed.Ns},
          {"stderr_ns",
           Untimed.StderrNs ? nlohmann::ordered_json(*Untimed.StderrNs) : nlohmann::ordered_json()},
          {"limited", Untimed.IsLimited}};
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_UNTIMED_H
