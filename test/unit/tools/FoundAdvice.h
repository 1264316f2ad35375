//===- FoundAdvice.h - the findings about events ------------------*- C++ -* -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_UNIT_FOUNDADVICE_H
#define SEAMSCOPE_TEST_UNIT_FOUNDADVICE_H

#include "TestFile.h"
#include "analysis/groups/Advice.h"
#include "analysis/torch/CriticalPath.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace seamscope::tools {

/// What is known of the machine that a trace is of.
struct AdvisedMachine {
  unsigned Processors = 0;
  bool Disturbed = false; ///< other programs ran
};

inline std::vector<Advice> findings(const std::vector<std::string> &Events,
                                    const char *Device = "NVIDIA A100-SXM4-80GB",
                                    const AdvisedMachine &On = {}) {
  Trace Source = traceOf(
      fmt::format(R"({{"deviceProperties": [{{"id": 0, "name": "{}"}}], "traceEvents": [{}]}})",
                  Device, fmt::join(Events, ",\n")));
  if (On.Disturbed)
    Source.Health.Found.emplace_back().Check = HealthCheck::BusyMachine;
  const Statistics Numbers = computeStatistics(Source);
  const std::vector<Origin> Links = linkWork(Source);
  std::vector<IdleGap> Gaps;
  const std::vector<DeviceRow> Devices = deviceRows(Source, Numbers.WindowNs, Links, &Gaps);
  const TraceWork Work(Source, Links, DType::Unknown);
  const PeakTable Peaks = PeakTable::published();
  const CompiledView Compiled = compiledView(Source, Links);
  const LoopTree Loops = loopTree(Source);
  const CriticalPaths Paths(Source, Links);
  return advise({&Source, &Numbers, &Devices, &Links, &Work, &Peaks, &Compiled, &Loops,
                 On.Processors, &Gaps, &Paths});
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TEST_UNIT_FOUNDADVICE_H
