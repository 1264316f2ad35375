//===- RankClocks.h - the clocks of traces that are joined ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_RANKCLOCKS_H
#define SEAMSCOPE_TOOLS_CLI_RANKCLOCKS_H

#include "analysis/devices/ClockAlignment.h"
#include "trace/model/Trace.h"
#include "trace/rewrite/CombinePlan.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Collects what the traces of a plan say of their clocks, without keeping the traces.
class RankClocks {
public:
  explicit RankClocks(CombinePlan &Plan) : Plan(Plan), Calls(Plan.Inputs.size()) {}

  /// The next input of the plan.
  void add(const Trace &Input);
  /// Corrects the plan's times by collectives. Returns what is known of each clock.
  std::vector<RankClock> align();

private:
  CombinePlan &Plan;
  StringTable Names;
  std::vector<std::optional<int64_t>> Ranks; ///< by input
  RankCalls Calls;
  std::optional<std::vector<ProcessGroup>> Groups; ///< of all inputs so far; empty: they differ
};

/// What a report says of clocks, a sentence each. \p Labels: of the inputs.
std::vector<std::string> clockNotes(const std::vector<RankClock> &Clocks,
                                    const std::vector<std::string> &Labels,
                                    const std::string &NotAligned);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_RANKCLOCKS_H
