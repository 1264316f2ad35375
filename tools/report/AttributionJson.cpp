//===- AttributionJson.cpp - eager against compiled, for scripts ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys are docs/formats.md's.
//
//===----------------------------------------------------------------------===//
#include "report/Attribution.h"
#include "report/Torch.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

Json partsJson(const Parts &Of) {
  Json Rows = Json::array();
  for (size_t I = 0; I < StepParts; ++I)
    Rows.push_back({{"name", keyOf(static_cast<StepPart>(I))},
                    {"eager_ns", Of[I].EagerNs},
                    {"compiled_ns", Of[I].CompiledNs},
                    {"kernels", Of[I].Kernels},
                    {"ops", Of[I].Ops}});
  return Rows;
}

Json passJson(const PassTimes &Of) {
  return {{"eager_ns", Of.EagerNs}, {"compiled_ns", Of.CompiledNs}};
}

Json leftOutJson(const LeftOut &Out) {
  return {{"steps", Out.Steps}, {"eager_ns", Out.EagerNs}, {"compiled_ns", Out.CompiledNs}};
}

Json opsJson(const OpsByShape &Of) {
  Json Ops = Json::array();
  for (const auto &[Name, Op] : Of)
    Ops.push_back({{"name", Name.first},
                   {"shapes", Name.second},
                   {"calls", Op.Calls},
                   {"proven", Op.Proven},
                   {"total_ns", Op.Ns},
                   {"bytes", Op.BytesCalls == Op.Calls ? Json(Op.Bytes) : Json()}});
  return Ops;
}

/// \p Times: of at least one call.
void addKernel(Json &Kernel, const CallTimes &Times, const Team &Of) {
  Kernel["threads"] = Of.Threads ? Json(Of.Threads) : Json();
  Kernel["imbalance"] = Of.Imbalance ? Json(*Of.Imbalance) : Json();
  Kernel["eager_ns"] = Times.EagerNs;
  Kernel["compared_calls"] = Times.Calls;
  Kernel["compared_ns"] = Times.CompiledNs;
  Kernel["layout_for"] = Times.LayoutFor.empty() ? Json() : Json(Times.LayoutFor);
  Kernel["ratio"] = Times.LayoutFor.empty() ? ratioJson(Times.Paired.ratio()) : Json();
  Kernel["bytes_moved"] = Times.Bytes ? Json(*Times.Bytes) : Json();
  const std::optional<SavedBytes> Saved = Times.savedBytes();
  Kernel["bytes_saved"] = Saved ? Json(Saved->Eager - Saved->Compiled) : Json();
  for (Json &Op : Kernel["eager_ops"]) {
    uint64_t Calls = 0;
    int64_t Ns = 0;
    for (const auto &[Name, Known] : Times.Ops)
      if (Op["name"] == Name.first) {
        Calls += Known.Calls;
        Ns += Known.Ns;
      }
    Op["compared_calls"] = Calls;
    Op["total_ns"] = Ns;
  }
  // What only the eager run tells: views and copies that no node stands for.
  std::map<std::string, OpTimes> More;
  for (const auto &[Name, Known] : Times.Ops)
    if (std::ranges::none_of(Kernel["eager_ops"],
                             [&](const Json &Op) { return Op["name"] == Name.first; })) {
      OpTimes &To = More[Name.first];
      To.Calls += Known.Calls;
      To.Ns += Known.Ns;
    }
  for (const auto &[Name, Known] : More)
    Kernel["eager_ops"].push_back({{"name", Name},
                                   {"calls", (Known.Calls + Times.Calls / 2) / Times.Calls},
                                   {"partial", 0},
                                   {"compared_calls", Known.Calls},
                                   {"total_ns", Known.Ns}});
}

} // namespace

nlohmann::ordered_json ratioJson(const std::optional<RatioEstimate> &Ratio) {
  if (!Ratio)
    return {};
  return {{"value", Ratio->Value}, {"low", Ratio->Low}, {"high", Ratio->High}};
}

std::vector<std::string> steppedFunctions(const Attribution &All) {
  std::vector<std::string> Names;
  for (const StepTimes &Step : All.Steps) {
    const std::string Name = All.Marked ? std::string() : Step.Name;
    if (std::ranges::find(Names, Name) == Names.end())
      Names.push_back(Name);
  }
  return Names;
}

PairedTimes pairedTimes(const Attribution &All) {
  PairedTimes Times;
  for (const StepTimes &Step : All.Steps)
    Times.add(Step.EagerNs, Step.CompiledNs);
  return Times;
}

PairedTimes pairedTimes(const Attribution &All, const std::string &Name) {
  PairedTimes Times;
  for (const StepTimes &Step : All.Steps)
    if (All.Marked || Step.Name == Name)
      Times.add(Step.EagerNs, Step.CompiledNs);
  return Times;
}

std::optional<Spread> speedupOf(const Attribution &All, const std::string &Name) {
  std::vector<double> Ratios;
  for (const StepTimes &Step : All.Steps)
    if ((All.Marked || Step.Name == Name) && Step.CompiledNs > 0)
      Ratios.push_back(static_cast<double>(Step.EagerNs) / static_cast<double>(Step.CompiledNs));
  if (Ratios.empty())
    return std::nullopt;
  std::ranges::sort(Ratios);
  const size_t Half = Ratios.size() / 2;
  const double Median = Ratios.size() % 2 ? Ratios[Half] : (Ratios[Half - 1] + Ratios[Half]) / 2;
  return Spread{Median, Ratios.front(), Ratios.back()};
}

void addAttributionJson(Json &Report, const ReportInput &Input) {
  addUnrecordedJson(Report, Input);
  if (!Input.Compared || !Input.Torch)
    return;
  const ComparedRuns &Runs = *Input.Compared;
  const Attribution &All = Runs.All;
  const TorchRun &Torch = *Input.Torch;
  Json &Kernels = Report["kernels"];
  for (size_t I = 0; I < Kernels.size(); ++I)
    if (const GeneratedKernel *Kernel = Torch.kernel(Input.Numbers->Kernels[I].Site))
      if (const CallTimes Times = timesOf(All, Torch, *Kernel); Times.Calls)
        addKernel(Kernels[I], Times, teamOf(*Input.Source, Input.Numbers->Kernels[I]));

  Json Steps = Json::array(), Functions = Json::array(), Calls = Json::array();
  for (const StepTimes &Step : All.Steps)
    Steps.push_back({{"name", Step.Name},
                     {"eager_ns", Step.EagerNs},
                     {"compiled_ns", Step.CompiledNs},
                     {"guards_ns", Step.GuardsNs},
                     {"backward", passJson(Step.Backward)},
                     {"parts", partsJson(Step.Of)}});
  const StepTimes Sum = sumOf(All.Steps);
  Json WithoutEvent = Json::array();
  for (const auto &[Name, Count] : All.WithoutEvent)
    WithoutEvent.push_back({{"name", Name}, {"calls", Count}});
  for (const std::string &Name : steppedFunctions(All))
    if (const auto Speedup = speedupOf(All, Name)) {
      const auto Ratio = pairedTimes(All, Name).ratio();
      Functions.push_back({{"name", Name.empty() ? Json() : Json(Name)},
                           {"ratio", ratioJson(Ratio)},
                           {"speedup", Speedup->Median},
                           {"speedup_min", Speedup->Min},
                           {"speedup_max", Speedup->Max}});
    }
  for (const KernelUse &Use : Torch.Graphs.uses()) {
    const CallTimes *Found = All.find(Use.Graph, Use.Call);
    if (!Found)
      continue;
    const CallTimes &Times = *Found;
    Json Row = callJson(Torch.Graphs, Use);
    Row["calls"] = Times.Calls;
    Row["compiled_ns"] = Times.CompiledNs;
    Row["eager_ns"] = Times.EagerNs;
    Row["bytes_moved"] = Times.Bytes ? Json(*Times.Bytes) : Json();
    Row["eager_ops"] = opsJson(Times.Ops);
    Calls.push_back(std::move(Row));
  }
  const auto Named = [](const std::string &Path) { return Path.empty() ? Json() : Json(Path); };
  Report["attribution"] = {{"runs", Runs.Pairs},
                           {"compiler", Named(Runs.Tools.Compiler)},
                           {"openmp", Named(Runs.Tools.OpenMP)},
                           {"steps_marked", All.Marked},
                           {"time_of", All.OnDevice ? "device" : "host"},
                           {"total", passJson({Sum.EagerNs, Sum.CompiledNs})},
                           {"parts", partsJson(Sum.Of)},
                           {"guards_ns", Sum.GuardsNs},
                           {"backward", passJson(Sum.Backward)},
                           {"unplaced", opsJson(All.Unplaced)},
                           {"without_event", std::move(WithoutEvent)},
                           {"functions", std::move(Functions)},
                           {"steps", std::move(Steps)},
                           {"calls", std::move(Calls)},
                           {"left_out",
                            {{"compiling", leftOutJson(All.Compiling)},
                             {"warm_up", leftOutJson(All.WarmUp)},
                             {"unpaired", All.Unpaired}}},
                           {"compiling_ns", All.CompilingNs},
                           {"notes", Runs.Notes}};
}

} // namespace seamscope::tools
