//===- Unrecorded.cpp - what recording does to a program, reported ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Unrecorded.h"
#include "report/Attribution.h"

#include <cmath>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

Json sideJson(const StepFigures &Of, double MeanNs) {
  return {{"mean_ns", std::llround(MeanNs)},
          {"median_ns", Of.MedianNs},
          {"page_faults", Of.PageFaults},
          {"waits", Of.Waits},
          {"preempted", Of.Preempted}};
}

/// \p First and \p Second: what the two runs are called.
Json besideJson(const std::optional<StepsBeside> &Of, const char *First, const char *Second) {
  if (!Of)
    return {};
  return {{"steps", Of->Times.steps()},
          {First, sideJson(Of->First, Of->Times.meanEagerNs())},
          {Second, sideJson(Of->Second, Of->Times.meanCompiledNs())},
          {"ratio", ratioJson(Of->Times.ratio())}};
}

Json effectJson(const RecordingEffect &Of) {
  return {{"in_turns", besideJson(Of.InTurns, "recorded", "unrecorded")},
          {"of_runs", besideJson(Of.OfRuns, "recorded", "unrecorded")}};
}

} // namespace

std::string unrecordedText(const ReportInput &Input) {
  std::string Text;
  if (!Input.Beside)
    return Text;
  Text += '\n';
  for (const std::string &Line : Input.Beside->lines())
    Text += Line + '\n';
  for (const std::string &Warning : Input.Beside->warnings())
    Text += "note: " + Warning + '\n';
  return Text;
}

void addUnrecordedJson(Json &Report, const ReportInput &Input) {
  if (!Input.Beside)
    return;
  const Unrecorded &Of = *Input.Beside;
  Report["unrecorded"] = {{"eager", effectJson(Of.Eager)},
                          {"compiled", effectJson(Of.Compiled)},
                          {"speedup", besideJson(Of.Speedup, "eager", "compiled")},
                          {"notes", Of.warnings()}};
  if (Of.Own)
    Report["own_compiler"] = {
        {"steps", Of.Own->Times.steps()},
        {"mean_ns", std::llround(Of.Own->Times.meanCompiledNs())},
        {"own_mean_ns", std::llround(Of.Own->Times.meanEagerNs())},
        {"ratio", ratioJson(Of.Own->Times.ratio())},
        {"own_speedup", ratioJson(Of.OwnSpeedup ? Of.OwnSpeedup->Times.ratio() : std::nullopt)},
        {"median_ns", Of.Own->Second.MedianNs},
        {"own_median_ns", Of.Own->First.MedianNs},
        {"eager_median_ns", Of.OwnSpeedup ? Json(Of.OwnSpeedup->First.MedianNs) : Json()}};
}

} // namespace seamscope::tools
