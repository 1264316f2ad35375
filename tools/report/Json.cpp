//===- Json.cpp - a report for scripts -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys are docs/formats.md's.
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Operators.h"
#include "kernels/Category.h"
#include "report/Attribution.h"
#include "report/FusedGroups.h"
#include "report/GpuKernels.h"
#include "report/InlinedFunctions.h"
#include "report/Loops.h"
#include "report/Ranks.h"
#include "report/Recording.h"
#include "report/Report.h"
#include "report/SiteJson.h"
#include "report/Torch.h"
#include "report/Untimed.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

template <typename T> Json orNull(const std::optional<T> &Value) {
  return Value ? Json(*Value) : Json();
}

Json textOrNull(std::string_view Text) { return Text.empty() ? Json() : Json(Text); }

/// "static" of "for schedule(static)"
std::string_view scheduleIn(std::string_view Construct) {
  const size_t Open = Construct.find('('), Close = Construct.rfind(')');
  return Open == Construct.npos || Close == Construct.npos || Close < Open
             ? std::string_view()
             : Construct.substr(Open + 1, Close - Open - 1);
}

/// `{name, source, calls, total_ns, threads}`
Json placeJson(const Trace &Source, const PlaceRow &Row) {
  Json Threads = Json::array();
  for (const ThreadShare &Share : Row.Threads)
    Threads.push_back({{"thread", orNull(Share.Thread)},
                       {"calls", Share.Calls},
                       {"total_ns", Share.WaitNs + Share.BusyNs}});
  const Site &What = Source.Sites[Row.Site];
  return {{"name", Source.text(What.Name)},
          {"source", sourceJson(Source, What)},
          {"calls", Row.Calls},
          {"total_ns", Row.TotalNs},
          {"threads", std::move(Threads)}};
}

Json waitJson(const Trace &Source, const PlaceRow &Row) {
  const std::string_view Construct = Source.text(Source.Sites[Row.Site].Ops);
  const size_t Schedule = Construct.find(" schedule(");
  Json Wait = {{"kind", textOrNull(Construct.substr(0, Schedule))},
               {"schedule", textOrNull(scheduleIn(Construct))}};
  Wait.update(placeJson(Source, Row));
  if (Row.Untimed.Calls)
    Wait["sampled"] = sampledJson(Row.Untimed);
  return Wait;
}

Json regionJson(const Trace &Source, const RegionRow &Region) {
  Json Waits = Json::array(), Tasks = Json::array();
  for (const PlaceRow &Wait : Region.Waits)
    Waits.push_back(waitJson(Source, Wait));
  for (const PlaceRow &Task : Region.Tasks)
    Tasks.push_back(placeJson(Source, Task));
  const auto OrNull = [&](const PlaceRow &Row) {
    return Row.Calls ? placeJson(Source, Row) : Json();
  };
  const Site &What = Source.Sites[Region.Site];
  return {{"name", Source.text(What.Name)},
          {"source", sourceJson(Source, What)},
          {"calls", Region.Calls},
          {"total_ns", Region.TotalNs},
          {"open", Region.Open},
          {"wait_ns", Region.WaitNs},
          {"imbalance", orNull(Region.Imbalance)},
          {"threads", threadsJson(Region.Threads, /*Waits=*/true)},
          {"waits", std::move(Waits)},
          {"tasks", std::move(Tasks)},
          {"fork", OrNull(Region.Fork)},
          {"join", OrNull(Region.Join)}};
}

void addEfficiency(Json &Into, const Efficiency &Row) {
  Into["flop"] = orNull(Row.Flop);
  Into["bytes"] = orNull(Row.Bytes);
  Into["flop_calls"] = Row.FlopCalls;
  Into["bytes_calls"] = Row.BytesCalls;
  Into["flop_per_s"] = orNull(Row.FlopPerS);
  Into["bytes_per_s"] = orNull(Row.BytesPerS);
  Into["flop_per_byte"] = orNull(Row.Intensity);
}

Json kernelJson(const Trace &Source, const KernelRow &Row, const EfficiencyInput *Efficiency) {
  const Site &What = Source.Sites[Row.Site];
  Json Regions = Json::array();
  for (const RegionRow &Region : Row.Regions)
    Regions.push_back(regionJson(Source, Region));
  Json Kernel = {{"name", Source.text(What.Name)},
                 {"calls", Row.Times.Calls},
                 {"total_ns", Row.Times.TotalNs},
                 {"self_ns", orNull(Row.SelfNs)},
                 {"mean_ns", orNull(Row.Times.MeanNs)},
                 {"min_ns", orNull(Row.Times.MinNs)},
                 {"p50_ns", orNull(Row.Times.MedianNs)},
                 {"p99_ns", orNull(Row.Times.P99Ns)},
                 {"max_ns", orNull(Row.Times.MaxNs)},
                 {"open", Row.Open},
                 {"abandoned", Row.Abandoned},
                 {"category", categoryName(categorize(Source.text(What.Name)))},
                 {"device", What.Device < 0 ? Json() : Json(What.Device)},
                 {"ops", operatorsOf(Source, What).Sequence},
                 {"source", sourceJson(Source, What)},
                 {"regions", std::move(Regions)}};
  if (Row.Times.Untimed)
    Kernel["sampled"] = sampledJson(*Row.Times.Untimed);
  if (Efficiency) {
    const auto Rates = kernelEfficiency(*Efficiency, What.Name, What.Device);
    addEfficiency(Kernel, Rates);
    Kernel["flop_peak_share"] = orNull(Rates.FlopShare);
    Kernel["dram_peak_share"] = orNull(Rates.DramShare);
  }
  return Kernel;
}

Json eagerJson(const Trace &Eager, const EagerRow &Row) {
  return {{"name", Row.title(Eager)},
          {"calls", Row.Calls},
          {"total_ns", Row.TotalNs},
          {"mean_ns", roundedMean(Row.TotalNs, Row.Calls)}};
}

Json baselineJson(const ReportInput &Input) {
  const Trace &Eager = *Input.Baseline->Eager;
  const BaselineComparison &Comparison = *Input.Baseline->Comparison;
  const auto Name = [&](size_t Kernel) {
    return Input.Source->text(Input.Source->Sites[Input.Numbers->Kernels[Kernel].Site].Name);
  };
  Json Pairs = Json::array();
  for (const BaselinePair &Pair : Comparison.Pairs) {
    Json Ops = Json::array();
    for (const ReplacedOperator &Op : Pair.Operators) {
      Json Rows = Json::array();
      for (const size_t Row : Op.Rows)
        Rows.push_back(eagerJson(Eager, Comparison.Rows[Row]));
      Ops.push_back({{"op", Op.Name},
                     {"count", orNull(Op.Count)},
                     {"mean_ns", Op.Rows.empty() ? Json() : Json(Op.MeanNs)},
                     {"rows", std::move(Rows)}});
    }
    Pairs.push_back({{"name", Name(Pair.Kernel)},
                     {"fused_mean_ns", Pair.FusedMeanNs},
                     {"eager_mean_ns", Pair.EagerMeanNs},
                     {"speedup", Pair.FusedMeanNs ? Json(Pair.Speedup) : Json()},
                     {"approximate", Pair.Approximate},
                     {"ops", std::move(Ops)}});
  }
  Json Fused = Json::array(), Rows = Json::array();
  for (const size_t Kernel : Comparison.UnmatchedFused)
    Fused.push_back(Name(Kernel));
  for (const size_t Row : Comparison.UnmatchedEager)
    Rows.push_back(eagerJson(Eager, Comparison.Rows[Row]));
  return {{"path", Eager.Info.Path},
          {"pairs", std::move(Pairs)},
          {"unmatched_fused", std::move(Fused)},
          {"unmatched_eager", std::move(Rows)}};
}

Json skippedJson(const TraceInfo &Info) {
  Json Skipped = Json::array();
  for (const SkippedEvent &Event : Info.Skipped)
    Skipped.push_back({{"offset", Event.Offset}, {"reason", Event.Reason}});
  return Skipped;
}

void addDevices(Json &Report, const ReportInput &Input) {
  const Trace &Source = *Input.Source;
  const DeviceReport &Devices = *Input.Devices;
  Json Rows = Json::array(), Categories = Json::array(), Operators = Json::array();
  for (const DeviceRow &Row : Devices.Rows)
    Rows.push_back({{"id", Row.Id},
                    {"name", textOrNull(Source.text(Row.Name))},
                    {"kernels", Row.Kernels},
                    {"kernel_ns", Row.KernelNs},
                    {"busy_ns", Row.BusyNs},
                    {"idle_ns", Row.IdleNs},
                    {"idle",
                     {{"outside_ns", Row.Idle.OutsideNs},
                      {"synchronisation_ns", Row.Idle.SyncNs},
                      {"host_ns", Row.Idle.HostNs},
                      {"latency_ns", Row.Idle.LatencyNs},
                      {"unknown_ns", Row.Idle.UnknownNs}}},
                    {"idle_before_copies_ns", Row.BeforeCopiesNs}});
  for (const CategoryRow &Row : Devices.Categories)
    Categories.push_back({{"name", Row.Name}, {"calls", Row.Calls}, {"total_ns", Row.TotalNs}});
  const size_t Most = std::min(Input.Top, Devices.Operators.size());
  for (const OperatorTimesRow &Row : std::span(Devices.Operators).first(Most)) {
    Json &Operator = Operators.emplace_back(Json{{"name", Source.text(Row.Name)},
                                                 {"calls", Row.Calls},
                                                 {"total_ns", Row.TotalNs},
                                                 {"own_ns", Row.SelfNs},
                                                 {"device_ns", Row.DeviceNs}});
    if (Devices.Efficiency) {
      Operator["work"] = nameOf(Devices.Efficiency->Work->kindOf(Row.Name));
      addEfficiency(Operator, operatorEfficiency(*Devices.Efficiency, Row.Name));
    }
  }
  Report["devices"] = std::move(Rows);
  Report["linking"] = {{"kernels", Devices.Linking.Kernels},
                       {"launched", Devices.Linking.Launched},
                       {"linked", Devices.Linking.Linked}};
  Report["categories"] = std::move(Categories);
  Report["operators"] = std::move(Operators);
  Report["compiled"] = compiledJson(Source, Devices.Compiled);
  Report["advice"] = adviceJson(Devices.Findings);
}

} // namespace

static Json partJson(const TraceInfo &Info) {
  if (!Info.Part)
    return nullptr;
  return {{"calls", Info.Part->Calls},
          {"left_out", Info.Part->LeftOut},
          {"until_ns", Info.Part->UntilNs},
          {"all_in", textOrNull(Info.Part->AllIn)}};
}

static Json inlinedJson(const InlinedKernels &Inlined) {
  Json List = Json::array();
  for (const InlinedKernels::Kernel &K : Inlined.named())
    List.push_back(
        {{"name", K.Name}, {"file", textOrNull(K.File)}, {"line", K.Line ? Json(K.Line) : Json()}});
  return List;
}

std::string reportJson(const ReportInput &Input) {
  const TraceInfo &Info = Input.Source->Info;
  Json Kernels = Json::array();
  size_t Shown = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels)
    if (Shown++ < Input.Top) {
      Kernels.push_back(
          kernelJson(*Input.Source, Row, Input.Devices ? Input.Devices->Efficiency : nullptr));
      addRecording(Kernels.back(), Row, Input.Recording);
      addGroup(Kernels.back(), *Input.Source, Input.Source->Sites[Row.Site]);
      addLoops(Kernels.back(), Input, Row.Site);
      addGpuKernel(Kernels.back(), Input, Input.Source->Sites[Row.Site]);
    }
  Json Report = {{"schema", "seamscope.report/1"},
                 {"trace",
                  {{"path", Info.Path},
                   {"bytes", Info.Bytes},
                   {"events", Input.Source->Events.size()},
                   {"producer", textOrNull(Info.Producer)},
                   {"mode", textOrNull(Info.Mode)},
                   {"rank", orNull(Info.Rank)},
                   {"lost_events", Info.LostEvents},
                   {"part", partJson(Info)},
                   {"two_openmp_runtimes", Info.TwoOpenMP},
                   {"recovered", Info.Recovered},
                   {"recording_end", textOrNull(Info.End)},
                   {"inlined", inlinedJson(Info.Inlined)},
                   {"inlined_more", Info.Inlined.unnamed()}}},
                 {"window_ns", Input.Numbers->WindowNs},
                 {"compilation_ns", Input.Numbers->ApartNs.value_or(0)},
                 {"kernels", std::move(Kernels)},
                 {"unattributed_ns", orNull(Input.Numbers->UnattributedNs)},
                 {"inlined_functions", inlinedFunctionsJson(Input)},
                 {"recording", recordingJson(*Input.Source, *Input.Numbers, Input.Recording)},
                 {"skipped", skippedJson(Info)}};
  if (Input.Kernels.Rows)
    Report["filtered_out"] = {{"kernels", Input.Kernels.Rows},
                              {"calls", Input.Kernels.Calls},
                              {"total_ns", Input.Kernels.TotalNs},
                              {"self_ns", Input.Kernels.SelfNs}};
  if (Input.Devices)
    addDevices(Report, Input);
  if (Input.Baseline)
    Report["baseline"] = baselineJson(Input);
  addRanksJson(Report, Input);
  addTorchJson(Report, Input);
  addAttributionJson(Report, Input);
  // Names may hold any bytes. JSON must be UTF-8, and it may be shown on a terminal, which takes
  // some characters beyond ASCII for commands: these are all written as \\u.
  return Report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

} // namespace seamscope::tools
