//===- OperatorTimes.h - the operators of a framework, by name ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_OPERATORTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_OPERATORTIMES_H

#include "analysis/devices/Devices.h"

namespace seamscope::tools {

/// All calls of one operator on the host.
struct OperatorTimesRow {
  StringId Name = 0;
  uint64_t Calls = 0;   ///< without repeats, see OperatorNesting
  int64_t TotalNs = 0;  ///< sum of durations, inner operators included
  int64_t SelfNs = 0;   ///< less the time of operators and spans directly inside, on its thread
  int64_t DeviceNs = 0; ///< time of work launched from it and from no inner operator
};

/// How operators are nested on their threads, by event; meaningless for other events.
struct OperatorNesting {
  std::vector<int64_t> SelfNs; ///< the duration less the events directly inside
  /// Whether it is everything inside an operator of the same name: an operator that calls itself
  /// with another dispatch key is one call, as in torch's key_averages().
  std::vector<bool> IsRepeat;
};
OperatorNesting operatorNesting(const Trace &Input);
/// By site, whether its events are nested in these: operators, and spans, whose time inside an
/// operator is not the operator's own.
std::vector<bool> nestedWithOperators(const Trace &Input);

/// Rows, longest SelfNs first. \p Links: linkWork() of the same trace; \p Untimed: untimedShares().
std::vector<OperatorTimesRow> operatorTimes(const Trace &Input, const std::vector<Origin> &Links,
                                            std::span<const UntimedShare> Untimed = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_OPERATORTIMES_H
