//===- TraceLines.h - traces of a host and its devices, by line ----*- C++ -* -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_UNIT_TRACELINES_H
#define SEAMSCOPE_TEST_UNIT_TRACELINES_H

#include "TestFile.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/Devices.h"
#include "analysis/health/Judge.h"
#include "analysis/torch/Steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace seamscope::tools {

/// Lines of a trace; times in us.
class TraceLines {
public:
  TraceLines &add(const char *Category, const std::string &Name, const std::string &Pid, int Tid,
                  double Begin, double Duration, const std::string &Arguments = "") {
    All.push_back(fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
        Category, Name, Pid, Tid, Begin, Duration, Arguments));
    return *this;
  }
  /// An operator that launches something, 20 us in all.
  TraceLines &launch(int64_t Id, double At, const char *Call = "cudaLaunchKernel") {
    add("cpu_op", "aten::mm", "10", 10, At, 12,
        R"("Input Dims": [[512, 512], [512, 512]], "Input type": ["float", "float"])");
    return add("cuda_runtime", Call, "10", 10, At + 4, 6, fmt::format("\"correlation\": {}", Id));
  }
  TraceLines &kernel(int64_t Id, double At, double Duration = 5, int Stream = 7, int Device = 0) {
    return add(
        "kernel", "sgemm", std::to_string(Device), Stream, At, Duration,
        fmt::format("\"device\": {}, \"stream\": {}, \"correlation\": {}", Device, Stream, Id));
  }
  TraceLines &both(int64_t Id, double At) { return launch(Id, At).kernel(Id, At + 15); }

  Trace read() const {
    Trace Source = traceOf(fmt::format("[{}]", fmt::join(All, ",\n")));
    judge(Source);
    return Source;
  }

private:
  std::vector<std::string> All;
};

inline std::string namesOf(const Trace &Source) {
  std::string Names;
  for (const HealthFinding &Each : Source.Health.Found)
    Names += fmt::format("{}{} {}", Names.empty() ? "" : ", ", nameOf(Each.Check), Each.Count);
  return Names;
}

inline std::vector<DeviceRow> rowsOf(const Trace &Source) {
  return deviceRows(Source, computeStatistics(Source, CompileScope).WindowNs, linkWork(Source));
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TEST_UNIT_TRACELINES_H
