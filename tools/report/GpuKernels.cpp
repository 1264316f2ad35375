//===- GpuKernels.cpp - kernels of GPUs from within, in a report ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/GpuKernels.h"

#include "report/FileNames.h"
#include "report/SiteJson.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;
constexpr size_t PlaceWidth = 40;
/// Rows where --top does not say.
constexpr size_t UsualKernels = 20;

using Json = nlohmann::ordered_json;

Json orNull(const WeightedMean &Mean) {
  const auto Value = Mean.value();
  return Value ? Json(*Value) : Json();
}

const GpuKernel *find(const ReportInput &Input, const Site &Kernel) {
  if (!Input.Devices)
    return nullptr;
  const auto Found = Input.Devices->Gpu.find({Kernel.Name, Kernel.Device});
  return Found == Input.Devices->Gpu.end() ? nullptr : &Found->second;
}

/// "program.cu:98:3", and how many more.
std::string launchedAt(const FileNames &Files, const Trace &Source, const GpuKernel &Kernel) {
  if (Kernel.Launches.empty())
    return "";
  std::string Text = Files.place(Source.Sites[Kernel.Launches[0].first]);
  if (const size_t More = Kernel.Launches.size() - 1)
    Text += fmt::format(" and {} more", More);
  return Text;
}

/// Whether it has stamps, or launches whose place in the source is known.
bool hasOwnTable(const GpuKernel &Kernel) { return Kernel.Stamped || !Kernel.Launches.empty(); }

/// "host late 83 %": the reason of most of the gap.
std::string mainReason(const IdleReasons &Gap) {
  const std::pair<int64_t, const char *> Reasons[] = {{Gap.HostNs, "host late"},
                                                      {Gap.SyncNs, "host waits"},
                                                      {Gap.LatencyNs, "latency"},
                                                      {Gap.UnknownNs, "unknown"}};
  const auto &[Ns, Name] =
      *std::ranges::max_element(Reasons, {}, &std::pair<int64_t, const char *>::first);
  if (Ns <= 0)
    return "-";
  return fmt::format("{} {:.0f} %", Name,
                     100 * static_cast<double>(Ns) / static_cast<double>(Gap.insideNs()));
}

const char *shownLimiter(OccupancyLimiter Limiter) {
  return Limiter == OccupancyLimiter::SharedMemory ? "shared memory" : nameOf(Limiter);
}

std::string shown(const WeightedMean &Mean, int Decimals) {
  const auto Value = Mean.value();
  return Value ? fmt::format("{:.{}f}", *Value, Decimals) : "-";
}

} // namespace

void addGpuKernel(Json &Into, const ReportInput &Input, const Site &Kernel) {
  const GpuKernel *const Of = find(Input, Kernel);
  if (!Of)
    return;
  const Trace &Source = *Input.Source;
  Into["gap"] = {{"total_ns", Of->Gap.insideNs()},
                 {"synchronisation_ns", Of->Gap.SyncNs},
                 {"host_ns", Of->Gap.HostNs},
                 {"latency_ns", Of->Gap.LatencyNs},
                 {"unknown_ns", Of->Gap.UnknownNs}};
  Into["launch_latency_ns"] = {{"p50", Of->MedianLatencyNs ? Json(*Of->MedianLatencyNs) : Json()}};
  Into["occupancy"] = {{"percent", orNull(Of->OccupancyPercent)},
                       {"limiter", Of->Limiter ? Json(nameOf(*Of->Limiter)) : Json()}};
  if (!hasOwnTable(*Of))
    return;
  if (Of->Stamped)
    Into["inside"] = {{"launches", Of->Stamped},
                      {"sms", Of->Sms},
                      {"blocks", orNull(Of->Blocks)},
                      {"resident_blocks", orNull(Of->ResidentBlocks)},
                      {"waves", orNull(Of->Waves)},
                      {"tail_percent", orNull(Of->TailPercent)},
                      {"sm_imbalance", orNull(Of->SmImbalance)},
                      {"warp_imbalance", orNull(Of->WarpImbalance)},
                      {"sampled", orNull(Of->Share)},
                      {"open_warps", Of->OpenWarps},
                      {"lost_warps", Of->LostWarps}};
  Json Launches = Json::array();
  for (const auto &[Id, Calls] : Of->Launches)
    Launches.push_back({{"source", sourceJson(Source, Source.Sites[Id])}, {"calls", Calls}});
  Into["launches"] = std::move(Launches);
}

/// When the device got to each kernel, and how near it came to what it can do.
static std::string usesText(const ReportInput &Input, bool Colours) {
  const Trace &Source = *Input.Source;
  Table Rows({"GPU kernel", "Calls", "Idle before", "Mostly", "Launch to begin", "Occupancy %",
              "By", "Roof %"},
             {3, 6});
  Rows.cut(0, NameWidth);
  const size_t Most = Input.rowsOf(UsualKernels);
  size_t Shown = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const Site &What = Source.Sites[Row.Site];
    const GpuKernel *const Of = find(Input, What);
    if (!Of || !Of->Calls || Shown++ >= Most)
      continue;
    std::optional<double> Roof;
    if (Input.Devices->Efficiency)
      Roof = kernelEfficiency(*Input.Devices->Efficiency, What.Name, What.Device).roofShare();
    Rows.add({escaped(Source.text(What.Name)), fmt::to_string(Of->Calls),
              shownTime(Of->Gap.insideNs()), mainReason(Of->Gap),
              Of->MedianLatencyNs ? shownTime(*Of->MedianLatencyNs) : "-",
              shown(Of->OccupancyPercent, 0), Of->Limiter ? shownLimiter(*Of->Limiter) : "-",
              Roof ? fmt::format("{:.1f}", 100 * *Roof) : "-"});
  }
  return textOfFirst(Rows, Colours, Input.Width, Most, Shown);
}

/// What stamps and lines of launches tell.
static std::string insideText(const ReportInput &Input, bool Colours) {
  const Trace &Source = *Input.Source;
  const FileNames Files(Source);
  Table Rows({"GPU kernel, from within", "Launches", "SMs", "Blocks", "A SM", "Waves", "Tail %",
              "SM imb.", "Warp imb.", "Stamped %", "Launched at"},
             {10});
  Rows.cut(0, NameWidth);
  Rows.cut(10, PlaceWidth);
  const size_t Most = Input.rowsOf(UsualKernels);
  size_t Shown = 0;
  uint64_t Open = 0, Lost = 0;
  // In the order of the table of kernels.
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const Site &What = Source.Sites[Row.Site];
    const GpuKernel *const Of = find(Input, What);
    if (!Of || !hasOwnTable(*Of) || Shown++ >= Most)
      continue;
    const auto Share = Of->Share.value();
    Rows.add({escaped(Source.text(What.Name)), Of->Stamped ? fmt::to_string(Of->Stamped) : "-",
              Of->Stamped ? fmt::to_string(Of->Sms) : "-", shown(Of->Blocks, 0),
              shown(Of->ResidentBlocks, 1), shown(Of->Waves, 2), shown(Of->TailPercent, 1),
              shown(Of->SmImbalance, 2), shown(Of->WarpImbalance, 2),
              Share ? fmt::format("{:.1f}", 100 * *Share) : "-", launchedAt(Files, Source, *Of)});
    Open += Of->OpenWarps;
    Lost += Of->LostWarps;
  }
  std::string Text = textOfFirst(Rows, Colours, Input.Width, Most, Shown);
  if (Lost)
    Text += fmt::format("{} warps' stamps were overwritten before they were read: a larger "
                        "SEAMSCOPE_GPU_BUFFER keeps them\n",
                        Lost);
  if (Open)
    Text += fmt::format("{} warps did not leave their kernel by a return\n", Open);
  return Text;
}

std::string gpuKernelsText(const ReportInput &Input, bool Colours) {
  if (!Input.Devices || Input.Devices->Gpu.empty())
    return {};
  std::string Text = usesText(Input, Colours);
  if (const std::string Inside = insideText(Input, Colours); !Inside.empty())
    Text += (Text.empty() ? "" : "\n") + Inside;
  return Text;
}

} // namespace seamscope::tools
