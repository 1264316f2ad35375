//===- GpuKernels.cpp - kernels of GPUs: gaps, occupancy, stamps ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top.
constexpr size_t UsualKernels = 20;

const GpuKernel *find(const ReportContext &In, const KernelRow &Row) {
  if (!In.Input.Devices)
    return nullptr;
  const Site &Kernel = In.site(Row.Site);
  const auto Found = In.Input.Devices->Gpu.find({Kernel.Name, Kernel.Device});
  return Found == In.Input.Devices->Gpu.end() ? nullptr : &Found->second;
}

/// "program.cu:98:3", and how many more.
std::string launchedAt(const ReportContext &In, const GpuKernel &Kernel) {
  if (Kernel.Launches.empty())
    return "";
  std::string Text = In.Files.place(In.site(Kernel.Launches[0].first));
  if (const size_t More = Kernel.Launches.size() - 1)
    Text += fmt::format(" and {} more", More);
  return Text;
}

/// Whether it has stamps, or launches with a known place in the source.
bool isKnownWithin(const GpuKernel &Kernel) { return Kernel.Stamped || !Kernel.Launches.empty(); }

/// Whether there is more to say than that the device went from one kernel straight to the next, as
/// when a graph is replayed.
bool saysMore(const ReportContext &In, const GpuKernel &Kernel, const KernelRow &Row) {
  const Site &What = In.site(Row.Site);
  const EfficiencyInput *const Of = In.Input.Devices->Efficiency;
  return Kernel.Gap.insideNs() > In.Numbers.WindowNs / 1000 || Kernel.MedianLatencyNs ||
         Kernel.OccupancyPercent.value() ||
         (Of && kernelEfficiency(*Of, What.Name, What.Device).roofShare());
}

/// "host late 83 %": the reason of most of the gap.
std::string mainReason(const IdleReasons &Gap) {
  const auto [Ns, Name] = mainReasonOf(Gap);
  if (Ns <= 0)
    return "-";
  return fmt::format("{} {:.0f} %", Name,
                     100 * static_cast<double>(Ns) / static_cast<double>(Gap.insideNs()));
}

const char *shownLimiter(OccupancyLimiter Limiter) {
  return Limiter == OccupancyLimiter::SharedMemory ? "shared memory" : nameOf(Limiter);
}

/// With a fixed number of decimals for people.
Cell meanCell(const WeightedMean &Mean, int Decimals) {
  const auto Value = Mean.value();
  return Value ? Cell(*Value, fmt::format("{:.{}f}", *Value, Decimals)) : Cell();
}

/// \p Get for kernels for which \p Has is true; other rows lack the column.
template <typename Has, typename F> auto ofKernel(const Context &In, Has Wanted, F Get) {
  return [In, Wanted, Get](const KernelRow &R) -> Cell {
    const GpuKernel *const Of = find(*In, R);
    return Of && Wanted(*Of) ? Cell(std::invoke(Get, *Of)) : Cell(Value(Absent()));
  };
}

} // namespace

std::pair<int64_t, std::string_view> mainReasonOf(const IdleReasons &Gap) {
  const std::pair<int64_t, std::string_view> Reasons[] = {{Gap.HostNs, "host late"},
                                                          {Gap.SyncNs, "host waits"},
                                                          {Gap.InitNs, "set-up"},
                                                          {Gap.LatencyNs, "latency"},
                                                          {Gap.UnknownNs, "unknown"}};
  return *std::ranges::max_element(Reasons, {}, [](const auto &Each) { return Each.first; });
}

Fields<KernelRow> gpuKernelFields(const Context &In) {
  const auto Always = [](const GpuKernel &) { return true; };
  const auto Stamped = [](const GpuKernel &K) { return K.Stamped != 0; };
  const auto Gap = [&](auto Member) {
    return ofKernel(In, Always, [Member](const GpuKernel &K) { return K.Gap.*Member; });
  };
  const auto Inside = [&](auto Member, int Decimals) {
    return ofKernel(In, Stamped, [=](const GpuKernel &K) { return meanCell(K.*Member, Decimals); });
  };
  Fields<KernelRow> Made = {
      {Column("gap.total_ns", "Idle before", Unit::Ns, "idle time of the device before it began"),
       ofKernel(In, Always, [](const GpuKernel &K) { return K.Gap.insideNs(); })},
      {Column("gap.main", "Mostly", Unit::Text, "the reason of most of that").left().in(0),
       ofKernel(In, Always, [](const GpuKernel &K) { return mainReason(K.Gap); })},
      {Column("gap.synchronisation_ns", Unit::Ns, "of it, the host waited for the device"),
       Gap(&IdleReasons::SyncNs)},
      {Column("gap.host_ns", Unit::Ns, "of it, the host had not launched it"),
       Gap(&IdleReasons::HostNs)},
      {Column("gap.initialisation_ns", Unit::Ns, "of it, the host set up a device or loaded code"),
       Gap(&IdleReasons::InitNs)},
      {Column("gap.latency_ns", Unit::Ns, "of it, it was launched"), Gap(&IdleReasons::LatencyNs)},
      {Column("gap.unknown_ns", Unit::Ns, "of it, the launch is not in the trace"),
       Gap(&IdleReasons::UnknownNs)},
      {Column("launch_latency_ns.p50", "Launch to begin", Unit::Ns,
              "median time from the launch on the host to the begin on the device"),
       ofKernel(In, Always, &GpuKernel::MedianLatencyNs)},
      {Column("occupancy.percent", "Occupancy %", Unit::Percent,
              "of the warps that an SM can hold, by the kernel's needs"),
       ofKernel(In, Always, [](const GpuKernel &K) { return meanCell(K.OccupancyPercent, 0); })},
      {Column("occupancy.limiter", "By", Unit::Text, "what keeps more warps from an SM").left(),
       ofKernel(In, Always,
                [](const GpuKernel &K) {
                  return K.Limiter ? Cell(nameOf(*K.Limiter), std::string(shownLimiter(*K.Limiter)))
                                   : Cell();
                })},
      {Column("inside.launches", "Launches", Unit::Count, "launches with stamps"),
       ofKernel(In, Stamped, &GpuKernel::Stamped)},
      {Column("inside.sms", "SMs", Unit::Count, "that ran blocks, at most"),
       ofKernel(In, Stamped, &GpuKernel::Sms)},
      {Column("inside.blocks", "Blocks", Unit::Count, "of a launch, the mean").typed("number"),
       Inside(&GpuKernel::Blocks, 0)},
      {Column("inside.resident_blocks", "A SM", Unit::Count, "blocks on one SM at a time, at most")
           .typed("number"),
       Inside(&GpuKernel::ResidentBlocks, 1)},
      {Column("inside.waves", "Waves", Unit::Ratio,
              "blocks over those that all SMs hold at a time"),
       Inside(&GpuKernel::Waves, 2)},
      {Column("inside.tail_percent", "Tail %", Unit::Percent,
              "of the SMs' time that lies behind their last block's end"),
       Inside(&GpuKernel::TailPercent, 1)},
      {Column("inside.sm_imbalance", "SM imb.", Unit::Ratio, "time with blocks: longest over mean"),
       Inside(&GpuKernel::SmImbalance, 2)},
      {Column("inside.warp_imbalance", "Warp imb.", Unit::Ratio,
              "longest of a block's warps over their mean"),
       Inside(&GpuKernel::WarpImbalance, 2)},
      {Column("inside.sampled", "Stamped %", Unit::Rate, "share of the warps with stamps: 0 to 1"),
       ofKernel(In, Stamped,
                [](const GpuKernel &K) {
                  const auto Share = K.Share.value();
                  return Share ? Cell(*Share, fmt::format("{:.1f}", 100 * *Share)) : Cell();
                })},
      {Column("inside.open_warps", Unit::Count, "warps that did not leave by a return"),
       ofKernel(In, Stamped, &GpuKernel::OpenWarps)},
      {Column("inside.lost_warps", Unit::Count, "warps whose stamps were overwritten"),
       ofKernel(In, Stamped, &GpuKernel::LostWarps)},
      {Column("launched_at", "Launched at", Unit::Text, "line of the launch").left().cut(40).in(0),
       ofKernel(In, isKnownWithin, [In](const GpuKernel &K) { return launchedAt(*In, K); })},
  };
  for (Field<KernelRow> &Each : Made) {
    if (Each.In)
      Each.In = ForJson;
    Each.Optional = true;
  }
  using Launch = std::pair<SiteId, uint64_t>;
  auto Launches = rowsField<KernelRow>(
      "launches", "lines of the host's code that launched it",
      Fields<Launch>{
          {column::source(), [In](const Launch &L) { return In->source(In->site(L.first)); }},
          {column::calls(), &Launch::second}},
      [In](const KernelRow &R) { return std::span(find(*In, R)->Launches); });
  Launches.Optional = true;
  Launches.Get = [In, Inner = Launches.Get](const KernelRow &R) -> Cell {
    const GpuKernel *const Of = find(*In, R);
    return Of && isKnownWithin(*Of) ? Inner(R) : Cell(Value(Absent()));
  };
  Made.push_back(std::move(Launches));
  return Made;
}

void addGpuKernels(Section &To, const Context &In, const Table &Kernels) {
  if (!In->Input.Devices || In->Input.Devices->Gpu.empty())
    return;
  std::vector<size_t> Used, Within;
  uint64_t Open = 0, Lost = 0;
  const size_t Most = In->Input.rowsOf(UsualKernels);
  for (size_t I = 0; I < Kernels.Count; ++I)
    if (const GpuKernel *const Of = find(*In, In->Numbers.Kernels[I])) {
      if (Of->Calls && saysMore(*In, *Of, In->Numbers.Kernels[I]))
        Used.push_back(I);
      if (!isKnownWithin(*Of))
        continue;
      if (Within.size() < Most) {
        Open += Of->OpenWarps;
        Lost += Of->LostWarps;
      }
      Within.push_back(I);
    }
  const auto Add = [&](const char *Id, const char *Title, std::vector<size_t> Rows,
                       std::vector<std::string> Keys) {
    if (Rows.empty())
      return;
    if (severalDevices(*In))
      Keys.insert(Keys.begin() + 1, "device");
    Table Shown = view(Kernels, Title, std::move(Rows), Keys);
    Shown.Key = Id;
    Shown.In = ForPeople;
    for (Column &Each : Shown.Columns) {
      Each.In |= ForPeople;
      Each.Sums = false;
    }
    Shown.Top = Most;
    Shown.Notes = nullptr;
    Shown.Summaries.clear();
    To.add(std::move(Shown));
  };
  // When the device began each kernel, and how close it came to its limits.
  Add("gpu-kernels", "GPU kernel", std::move(Used),
      {"name", "calls", "gap.total_ns", "gap.main", "launch_latency_ns.p50", "occupancy.percent",
       "occupancy.limiter", "roof_percent"});
  // Results of stamps and launch lines.
  Add("gpu-within", "GPU kernel, from within", std::move(Within),
      {"name", "inside.launches", "inside.sms", "inside.blocks", "inside.resident_blocks",
       "inside.waves", "inside.tail_percent", "inside.sm_imbalance", "inside.warp_imbalance",
       "inside.sampled", "launched_at"});
  if (Lost)
    To.say(fmt::format("{} warps' stamps were overwritten before they were "
                       "read: a larger SEAMSCOPE_GPU_BUFFER keeps them",
                       Lost));
  if (Open)
    To.say(fmt::format("{} warps did not leave their kernel by a return", Open));
}

} // namespace seamscope::tools
