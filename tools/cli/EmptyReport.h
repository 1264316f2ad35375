//===- EmptyReport.h - a report of nothing, for its schema -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_EMPTYREPORT_H
#define SEAMSCOPE_TOOLS_CLI_EMPTYREPORT_H

#include "analysis/compare/StepsAlone.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/Ranks.h"
#include "analysis/core/RecordingCost.h"
#include "report/Report.h"
#include "run/join/ComparedRuns.h"
#include "run/join/TorchRun.h"
#include "run/join/Unrecorded.h"

namespace seamscope::tools {

/// The parts of an empty report.
struct EmptyReport {
  Trace Source;
  Statistics Numbers;
  PeakTable Peaks;
  DeviceReport Devices;
  TraceWork Work{Source, Devices.Links, DType::Unknown};
  EfficiencyInput Efficiency{&Source, &Work, &Peaks};
  LoopTree Loops;
  RecordingCost Recording;
  TorchRun Torch{CompiledGraphs(CompileLog()), {}, {}, {}};
  Unrecorded Beside;
  ComparedRuns Compared;
  StepsAlone Alone;
  RankReport Ranks;
  BaselineComparison Comparison;
  BaselineInput Baseline{&Source, &Comparison};

  EmptyReport() { Devices.Efficiency = &Efficiency; }
  EmptyReport(const EmptyReport &) = delete;
  EmptyReport &operator=(const EmptyReport &) = delete;

  /// The parts that every report has.
  ReportInput least() {
    ReportInput Input{};
    Input.Source = &Source;
    Input.Numbers = &Numbers;
    Input.Devices = &Devices;
    Input.Loops = &Loops;
    return Input;
  }

  /// All parts that a report can have.
  ReportInput most() {
    Source.Info.Part.emplace();
    ReportInput Input = least();
    Input.Kernels.Rows = 1;
    Input.Torch = &Torch;
    Input.Ranks = &Ranks;
    Input.Recording = &Recording;
    Input.Compared = &Compared;
    Input.Steps = &Alone;
    const StepsBeside Steps = {};
    Beside = {{Steps, Steps}, {Steps, Steps}, Steps, Steps, true, StepsBy::Call, {}, {}};
    Input.Beside = &Beside;
    Input.Baseline = &Baseline;
    Input.Everything = true;
    return Input;
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_EMPTYREPORT_H
