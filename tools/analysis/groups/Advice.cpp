//===- Advice.cpp - findings, and what they could save at most ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Advice.h"

#include "analysis/core/Median.h"
#include "analysis/core/Order.h"
#include "analysis/devices/Collectives.h"
#include "analysis/devices/Communication.h"
#include "analysis/devices/Efficiency.h"
#include "analysis/devices/OpInputs.h"
#include "analysis/groups/KernelRuns.h"
#include "analysis/groups/LateLaunches.h"
#include "analysis/groups/ProductAdvice.h"
#include "analysis/groups/SavingBounds.h"
#include "analysis/groups/TeamAdvice.h"
#include "kernels/Category.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string percent(int64_t Part, int64_t Whole) {
  return fmt::format("{:.1f} %",
                     Whole ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole) : 0.0);
}

bool saysTf32(std::string_view Kernel) { return Kernel.find("tf32") != Kernel.npos; }

/// Whether a compiler would fuse it with others into one kernel.
bool isFusible(KernelCategory Category) {
  switch (Category) {
  case KernelCategory::ExternMM:
  case KernelCategory::Convolution:
  case KernelCategory::Attention:
  case KernelCategory::Copy:
  case KernelCategory::Collective:
    return false;
  default:
    return true;
  }
}

/// Time of one kind of finding, and how often it was seen.
struct Found {
  uint64_t Calls = 0;
  int64_t Ns = 0;
  double SavingNs = 0;
  std::string Example; ///< of the longest call
  int64_t LongestNs = -1;

  void add(int64_t CallNs, double Saving, const auto &Describe) {
    ++Calls;
    Ns += CallNs;
    SavingNs += Saving;
    if (CallNs > LongestNs) {
      LongestNs = CallNs;
      Example = Describe();
    }
  }
};

constexpr const char *OverlapRemedy =
    "overlap communication with computation: smaller buckets, an earlier start";

class Adviser {
public:
  explicit Adviser(const AdviceInput &Input)
      : Input(Input), Source(*Input.Source), Events(Source.Events),
        WindowNs(Input.Numbers->WindowNs),
        Bounds(Source, *Input.Links, *Input.Devices, Input.Paths),
        IsCollective(Source.Sites.size()), Small(Source.Sites.size()),
        Fusible(Source.Sites.size()) {
    for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
      const Site &What = Source.Sites[Id];
      if (!isDeviceWork(What.Kind, What.Device) || What.Kind != SiteKind::Kernel)
        continue;
      const KernelCategory Category = categorize(Source.text(What.Name));
      IsCollective[Id] = Category == KernelCategory::Collective;
      Small[Id] = Category == KernelCategory::Pointwise;
      Fusible[Id] = isFusible(Category);
    }
    for (const ClippedEvent &Of : Source.Details.Clipped) {
      Clipped.insert(Of.Event);
      ClippedNames.emplace(siteOf(Of.Event).Name, siteOf(Of.Event).Device);
      ClippedDevices.insert(siteOf(Of.Event).Device);
    }
  }

  std::vector<Advice> run() {
    launches();
    products();
    roofs();
    sequences();
    lateRanks();
    exposed(SiteKind::Copy, "exposed-copies", "copies ran while no kernel did",
            "copy on a stream of its own from pinned memory (non_blocking=True), or do not copy");
    exposed(SiteKind::Kernel, "exposed-collectives", "collectives ran while nothing else did",
            OverlapRemedy);
    collectivesOfHost();
    streams();
    graphBreaks();
    for (TeamFinding &Finding : teamFindings(*Input.Numbers, Source, Input.Loops, Input.Processors))
      add(Finding.Kind, std::move(Finding.Evidence), Finding.Remedy,
          static_cast<double>(Finding.SavingNs));
    std::erase_if(All,
                  [&](const Advice &A) { return A.SavingNs < WindowNs / 100 || A.SavingNs <= 0; });
    std::ranges::stable_sort(All, std::greater<>(), &Advice::SavingNs);
    return std::move(All);
  }

private:
  const Site &siteOf(uint32_t Event) const { return Source.Sites[Events.Site[Event]]; }
  std::string_view nameOf(uint32_t Event) const { return Source.text(siteOf(Event).Name); }

  void add(const char *Kind, std::string Evidence, std::string Remedy, double SavingNs) {
    All.push_back({Kind, std::move(Evidence), std::move(Remedy), static_cast<int64_t>(SavingNs)});
  }

  /// \p SavingNs, but at most the time by which the window could be shorter without the work for
  /// which \p Is is true.
  double bounded(double SavingNs, const WorkFilter &Is) const {
    if (SavingNs < static_cast<double>(WindowNs) / 100)
      return SavingNs; // too small to report
    return std::min(SavingNs, static_cast<double>(Bounds.ofWork(Is)));
  }

  const DevicePeaks *peaksOf(int32_t Device) const {
    return tools::peaksOf(Source, *Input.Peaks, Device);
  }

  /// Whether torch can capture the device's work: as CUDA graphs, or HIP graphs under that name.
  bool hasGraphs(int32_t Device) const {
    return std::ranges::any_of(*Input.Links, [&](const Origin &Link) {
      return Link.Launch != NoEvent && siteOf(Link.Work).Device == Device &&
             (nameOf(Link.Launch).starts_with("cu") || nameOf(Link.Launch).starts_with("hip"));
    });
  }

  void lateLaunches(const DeviceRow &Row) {
    if (!Input.Gaps)
      return;
    const LateLaunches Late = lateLaunchesOf(Source, *Input.Links, *Input.Gaps, Row.Id);
    constexpr uint64_t FewLaunches = 10, FewPauses = 3; // fewer may be the program's start
    // The mean of clipped kernels says nothing.
    const std::string Mean =
        ClippedDevices.contains(Row.Id)
            ? ""
            : fmt::format(" of {:.1f} us on average", static_cast<double>(Row.KernelNs) / 1e3 /
                                                          static_cast<double>(Row.Kernels));
    if (Late.Short >= FewLaunches)
      add("launch-bound",
          fmt::format(
              "device {} ran out of work {} times ({} of the window) before the host launched the "
              "next of its {} kernels{}; the host was {:.1f} us late on average",
              Row.Id, Late.Short, percent(Late.ShortNs, WindowNs), Row.Kernels, Mean,
              static_cast<double>(Late.ShortNs) / 1e3 / static_cast<double>(Late.Short)),
          fmt::format("{}larger batches, less Python between launches",
                      hasGraphs(Row.Id) ? "CUDA graphs (torch.compile(mode=\"reduce-overhead\")), "
                                        : ""),
          static_cast<double>(std::min(Late.ShortNs, Bounds.ofHost())));
    if (Late.Long >= FewPauses)
      add("host-busy",
          fmt::format("device {} ran out of work {} times for more than 1 ms ({} of the window) "
                      "before the host launched more; the longest gap, {:.1f} ms, was before {}",
                      Row.Id, Late.Long, percent(Late.LongNs, WindowNs),
                      static_cast<double>(Late.LongestNs) / 1e6,
                      shortened(nameOf(Late.Longest), 60)),
          "check in the timeline what the host does then: data loading, allocation, Python",
          static_cast<double>(std::min(Late.LongNs, Bounds.ofHost())));
  }

  /// Why devices were idle.
  void launches() {
    for (const DeviceRow &Row : *Input.Devices) {
      if (!Row.Kernels)
        continue;
      lateLaunches(Row);
      add("synchronisation",
          fmt::format("device {} was idle for {} of the window because the host waited for it "
                      "before launching more work",
                      Row.Id, percent(Row.Idle.SyncNs, WindowNs)),
          "avoid .item(), .cpu(), printing and torch.cuda.synchronize() inside the step",
          static_cast<double>(Row.Idle.SyncNs));
      deviceWaits(Row);
    }
  }

  /// The device was idle although work had been launched.
  void deviceWaits(const DeviceRow &Row) {
    // Every launch takes some us. The first ones may have waited for work from before the trace.
    constexpr int64_t LongNs = 100'000;
    constexpr uint64_t Few = 3;
    if (!Input.Gaps)
      return;
    uint64_t Count = 0;
    int64_t Ns = 0;
    for (const IdleGap &Gap : *Input.Gaps)
      if (Gap.Why.LatencyNs > LongNs && siteOf(Gap.Work).Device == Row.Id) {
        ++Count;
        Ns += Gap.Why.LatencyNs;
      }
    if (Count >= Few)
      add("device-waits",
          fmt::format(
              "device {} was idle {} times for more than 100 us ({} of the window) although its "
              "next work had been launched; the longest gap, {:.1f} ms, was before {}",
              Row.Id, Count, percent(Ns, WindowNs), static_cast<double>(Row.LongestLatencyNs) / 1e6,
              shortened(nameOf(Row.LongestLatency), 60)),
          "see what that work waited for: an event of another stream, another process on the "
          "device, or work from before the trace begins",
          static_cast<double>(Ns));
  }

  /// See isAlignedProduct().
  std::optional<bool> isAligned(const Origin &Product) {
    const auto [Known, IsNew] =
        Alignment.try_emplace({Events.Site[Product.Work], Events.Site[Product.Operator]});
    if (IsNew)
      Known->second =
          isAlignedProduct(nameOf(Product.Work), argumentsOf(Source, siteOf(Product.Operator)));
    return Known->second;
  }

  /// Matrix products on matrix units: their alignment, and fp32 where tf32 would do.
  void products() {
    std::map<DType, double> Best; // FLOP/ns of aligned products
    Found Misaligned, Plain;
    std::set<uint32_t> MisalignedWork, PlainWork;
    struct Candidate {
      const Origin *Link;
      CallWork Work;
    };
    std::vector<Candidate> Candidates;
    for (const Origin &Link : *Input.Links) {
      if (Link.Operator == NoEvent || siteOf(Link.Work).Kind != SiteKind::Kernel ||
          Clipped.contains(Link.Work))
        continue;
      const CallWork Work = Input.Work->of(Link.Work);
      const int64_t Ns = Events.DurationNs[Link.Work];
      if (Work.Kind != OpWorkKind::MatMul || !Work.Flop || !*Work.Flop || !Ns)
        continue;
      const double Rate = static_cast<double>(*Work.Flop) / static_cast<double>(Ns);
      if (Work.Compute == DType::Float32) {
        const DevicePeaks *Peaks = peaksOf(siteOf(Link.Work).Device);
        // A product that is faster than the other units allow ran on tensor cores, whatever its
        // name.
        if (Peaks && Peaks->Tf32 > Peaks->Fp32 && !saysTf32(nameOf(Link.Work)) &&
            Rate <= Peaks->Fp32 * 1e3) {
          PlainWork.insert(Link.Work);
          Plain.add(Ns, static_cast<double>(Ns) * (1 - Peaks->Fp32 / Peaks->Tf32),
                    [&] { return std::string(nameOf(Link.Operator)); });
        }
      }
      const std::optional<bool> Aligned = isAligned(Link);
      if (!Aligned)
        continue;
      if (*Aligned)
        Best[Work.Compute] = std::max(Best[Work.Compute], Rate);
      else
        Candidates.push_back({&Link, Work});
    }
    for (const Candidate &C : Candidates) {
      const int64_t Ns = Events.DurationNs[C.Link->Work];
      const DevicePeaks *Peaks = peaksOf(siteOf(C.Link->Work).Device);
      double Rate = Best[C.Work.Compute];
      if (Rate == 0 && Peaks)
        Rate = Peaks->tflops(C.Work.Kind, C.Work.Compute, "") * 1e3;
      if (Rate == 0)
        continue;
      // The bytes must be moved in any case.
      double LeastNs = static_cast<double>(*C.Work.Flop) / Rate;
      if (Peaks && Peaks->DramGBPerS > 0 && C.Work.Bytes)
        LeastNs = std::max(LeastNs, static_cast<double>(*C.Work.Bytes) / Peaks->DramGBPerS);
      const double Saved = static_cast<double>(Ns) - LeastNs;
      if (Saved > 0) {
        MisalignedWork.insert(C.Link->Work);
        Misaligned.add(Ns, Saved, [&] {
          return fmt::format("{} {}", nameOf(C.Link->Operator),
                             Source.text(siteOf(C.Link->Operator).InputDims).substr(0, 60));
        });
      }
    }
    if (Misaligned.Calls)
      add("gemm-alignment",
          fmt::format("{} matrix products do not load and store whole 16-byte lines ({} of the "
                      "window; the longest is {})",
                      Misaligned.Calls, percent(Misaligned.Ns, WindowNs), Misaligned.Example),
          "pad the rows (vocabulary, classes) to a multiple of 16 bytes, better 128, and start "
          "tensors at such an address",
          bounded(Misaligned.SavingNs, [&](uint32_t I) { return MisalignedWork.contains(I); }));
    if (Plain.Calls)
      add("tf32",
          fmt::format("{} fp32 matrix products ran without tensor cores ({} of the window)",
                      Plain.Calls, percent(Plain.Ns, WindowNs)),
          "torch.set_float32_matmul_precision(\"high\") where 10 bits of mantissa are enough",
          bounded(Plain.SavingNs, [&](uint32_t I) { return PlainWork.contains(I); }));
  }

  /// Kernels that take long and reach a small share of the device's peak.
  void roofs() {
    std::set<std::pair<StringId, int32_t>>
        OfSeveral; // the work of their operators is not theirs alone
    for (const Origin &Link : *Input.Links)
      if (Input.Work->isSplit(Link.Work))
        OfSeveral.emplace(siteOf(Link.Work).Name, siteOf(Link.Work).Device);
    for (const KernelRow &Row : Input.Numbers->Kernels) {
      const Site &What = Source.Sites[Row.Site];
      if (ClippedNames.contains({What.Name, What.Device}) ||
          OfSeveral.contains({What.Name, What.Device}))
        continue;
      const std::optional<double> Share =
          kernelEfficiency({&Source, Input.Work, Input.Peaks}, What.Name, What.Device).roofShare();
      constexpr double FarBelow = 0.3;
      if (Share && *Share < FarBelow)
        add("below-roof",
            fmt::format("{} takes {} of the window in {} calls and reaches {:.1f} % of the "
                        "device's roof",
                        shortened(Source.text(What.Name), 60), percent(Row.Times.TotalNs, WindowNs),
                        Row.Times.Calls, *Share * 100),
            "try larger problems per launch, another algorithm or layout, or fusion with its "
            "neighbours",
            bounded(static_cast<double>(Row.Times.TotalNs) * (1 - *Share), [&](uint32_t I) {
              return siteOf(I).Name == What.Name && siteOf(I).Device == What.Device;
            }));
    }
  }

  /// "a, b and 3 more", in the order in which they ran.
  std::string exampleText(const KernelRuns &Of) const {
    constexpr size_t Most = 3;
    std::string Text;
    for (size_t I = 0; I < std::min(Most, Of.Example.size()); ++I)
      Text += fmt::format("{}{}", I ? ", " : "", shortened(nameOf(Of.Example[I]), 60));
    if (Of.Example.size() > Most)
      Text += fmt::format(" and {} more", Of.Example.size() - Most);
    return Text;
  }

  void sequences() {
    std::vector<uint32_t> Work;
    for (const Origin &Link : *Input.Links)
      if (!Clipped.contains(Link.Work))
        Work.push_back(Link.Work);
    Work = orderedByTrack(Source, std::move(Work));
    const KernelRuns Pointwise = runsOf(
        Source, Work, [&](uint32_t I) { return Small[Events.Site[I]]; },
        [](uint32_t) { return true; });
    if (Pointwise.Runs)
      add("fusion",
          fmt::format("{} pointwise kernels follow each other in {} run{} ({} of the window); "
                      "fused into one kernel, each run would take about as long as its longest "
                      "kernel; the run with the most to save is {}",
                      Pointwise.Kernels, Pointwise.Runs, Pointwise.Runs == 1 ? "" : "s",
                      percent(Pointwise.Ns, WindowNs), exampleText(Pointwise)),
          "torch.compile, or foreach and fused forms of optimizers",
          bounded(static_cast<double>(Pointwise.SavedNs),
                  [&](uint32_t I) { return Small[Events.Site[I]]; }));
    // Even an empty kernel takes some us from begin to end. Runs of pointwise kernels alone are in
    // the finding above.
    constexpr int64_t ShortNs = 10'000;
    const KernelRuns Short = runsOf(
        Source, Work,
        [&](uint32_t I) { return Fusible[Events.Site[I]] && Events.DurationNs[I] < ShortNs; },
        [&](uint32_t I) { return !Small[Events.Site[I]]; });
    if (Short.Runs)
      add("short-kernels",
          fmt::format("{} kernels of less than {} us follow each other in {} run{} ({} of the "
                      "window); much of that is the fixed cost of starting and ending a kernel; "
                      "the run with the most to save is {}",
                      Short.Kernels, ShortNs / 1000, Short.Runs, Short.Runs == 1 ? "" : "s",
                      percent(Short.Ns, WindowNs), exampleText(Short)),
          "replace each run by one fused kernel, or give each kernel more work (larger batches)",
          bounded(static_cast<double>(Short.SavedNs), [&](uint32_t I) {
            return Fusible[Events.Site[I]] && Events.DurationNs[I] < ShortNs;
          }));
  }

  bool isCollective(uint32_t Event) const { return IsCollective[Events.Site[Event]]; }

  /// Collectives that no device runs, such as gloo's. Of several processes, the one with the most
  /// time counts.
  void collectivesOfHost() {
    if (!Input.Devices->empty())
      return;
    const std::vector<Collective> Found = findCollectives(Source, *Input.Links);
    if (Found.empty())
      return;
    const auto Places = communication(Source, Found).Places;
    const auto Most = std::ranges::max_element(Places, {}, &CommunicationRow::ExposedNs);
    if (Most != Places.end())
      add("exposed-collectives",
          fmt::format("process {}: collectives ran while nothing else did for {} of the window",
                      Source.text(Most->Process), percent(Most->ExposedNs, WindowNs)),
          OverlapRemedy, static_cast<double>(Most->ExposedNs));
  }

  /// Collectives that waited for ranks that began to record or to run later: far longer than others
  /// of their name. Their time says nothing about communication.
  void lateRanks() {
    constexpr int64_t FarLonger = 100, LeastNs = 10'000'000;
    std::map<StringId, std::vector<int64_t>> Times;
    for (const Origin &Link : *Input.Links)
      if (isCollective(Link.Work))
        Times[siteOf(Link.Work).Name].push_back(Events.DurationNs[Link.Work]);
    std::map<StringId, int64_t> MedianNs; // medians of few calls say nothing
    for (auto &[Name, Ns] : Times)
      MedianNs[Name] = Ns.size() > 2 ? lowerMedian(Ns) : INT64_MAX;
    std::map<int32_t, std::pair<size_t, int64_t>> OfDevice; // calls, time
    for (const Origin &Link : *Input.Links)
      if (const int64_t Ns = Events.DurationNs[Link.Work];
          Ns > LeastNs && isCollective(Link.Work) &&
          Ns / FarLonger > MedianNs[siteOf(Link.Work).Name]) {
        Late.insert(Link.Work);
        auto &[Calls, LateNs] = OfDevice[siteOf(Link.Work).Device];
        ++Calls;
        LateNs += Ns;
      }
    for (const auto &[Device, Of] : OfDevice)
      add("late-ranks",
          fmt::format(
              "device {}: {} collective{} took {:.3f} s, far longer than others of that name: "
              "other ranks arrived late (they started to run or to record later, or stalled)",
              Device, Of.first, Of.first == 1 ? "" : "s", static_cast<double>(Of.second) / 1e9),
          "look at the time after it (--window), and start recording after a barrier",
          static_cast<double>(Of.second));
  }

  /// Time in which a device did only one sort of work.
  void exposed(SiteKind Kind, const char *Name, const char *Evidence, const char *Remedy) {
    // If kernels are missing, it is not known what else ran.
    if (!Source.Details.Unserved.empty())
      return;
    const auto IsIt = [&](uint32_t I) {
      return Kind == SiteKind::Copy ? siteOf(I).Kind == SiteKind::Copy : isCollective(I);
    };
    const auto Alone = Bounds.aloneNs(IsIt, [&](uint32_t I) { return Late.contains(I); });
    for (const auto &[Device, Ns] : Alone)
      add(Name,
          fmt::format("device {}: {} for {} of the window", Device, Evidence,
                      percent(Ns, WindowNs)),
          Remedy, bounded(static_cast<double>(Ns), IsIt));
  }

  /// Streams of one device that share work unevenly: mostly they work at the same time, and then
  /// one works alone.
  void streams() {
    std::map<int32_t, std::map<TrackId, int64_t>> Busy;
    std::set<int32_t> NoStreams; // streams whose work does not overlap
    std::map<TrackId, int64_t> EndNs;
    std::vector<uint32_t> Kernels;
    for (const Origin &Link : *Input.Links)
      if (siteOf(Link.Work).Kind == SiteKind::Kernel && !isCollective(Link.Work))
        Kernels.push_back(Link.Work);
    for (const uint32_t I : orderedByTrack(Source, Kernels)) {
      const TrackId Stream = Events.Track[I];
      Busy[siteOf(I).Device][Stream] += Events.DurationNs[I];
      if (const auto Last = EndNs.find(Stream);
          Last != EndNs.end() && Last->second > Events.BeginNs[I])
        NoStreams.insert(siteOf(I).Device);
      EndNs[Stream] = Events.endNs(I);
    }
    for (const auto &[Device, Streams] : Busy) {
      const auto [Most, LongestNs] =
          *std::ranges::max_element(Streams, {}, [](const auto &Of) { return Of.second; });
      int64_t Sum = 0, Count = 0;
      for (const auto &[Stream, Ns] : Streams)
        if (Ns >= LongestNs / 4) { // the others are helpers, not partners
          Sum += Ns;
          ++Count;
        }
      if (Count < 2 || NoStreams.contains(Device))
        continue;
      const int64_t MeanNs = Sum / Count;
      const auto IsMost = [&, Stream = Most](uint32_t I) { return Events.Track[I] == Stream; };
      const auto Alone = Bounds.aloneNs(IsMost);
      const int64_t AloneNs = Alone.contains(Device) ? Alone.at(Device) : 0;
      // If they alternate, one waits for the other.
      if (2 * (LongestNs - AloneNs) < MeanNs)
        continue;
      add("stragglers",
          fmt::format("device {}: {} streams share its kernels; the busiest works for {} of the "
                      "window, the mean is {}",
                      Device, Count, percent(LongestNs, WindowNs), percent(MeanNs, WindowNs)),
          "divide the work evenly between the streams",
          bounded(static_cast<double>(std::min(LongestNs - MeanNs, AloneNs)), IsMost));
    }
  }

  void graphBreaks() {
    uint64_t Breaks = 0, Ops = 0;
    int64_t OutsideNs = 0;
    for (const CompiledStep &Step : Input.Compiled->Steps)
      if (Step.GraphBreaks) {
        Breaks += Step.GraphBreaks;
        Ops += Step.EagerOps;
        OutsideNs += Step.BreaksNs;
      }
    // What a device also did would have to be done without breaks, too.
    int64_t IdleNs = 0;
    bool HasDevice = false;
    for (const DeviceRow &Row : *Input.Devices)
      if (Row.Kernels) {
        HasDevice = true;
        IdleNs = std::max(IdleNs, Row.Idle.HostNs + Row.Idle.SyncNs);
      }
    if (HasDevice)
      OutsideNs = std::min({OutsideNs, IdleNs, Bounds.ofHost()});
    if (Breaks)
      add("graph-breaks",
          fmt::format("{} returns to Python between compiled regions, with {} eager operators",
                      Breaks, Ops),
          "TORCH_LOGS=graph_breaks names the lines; torch.compile(fullgraph=True) makes them "
          "errors",
          static_cast<double>(OutsideNs));
  }

  const AdviceInput &Input;
  const Trace &Source;
  const EventColumns &Events;
  const int64_t WindowNs;
  const SavingBounds Bounds;
  std::vector<bool> IsCollective, Small, Fusible; ///< by site
  std::set<uint32_t> Clipped; ///< their duration is not known: no advice from them
  std::set<std::pair<StringId, int32_t>> ClippedNames; ///< with their devices
  std::set<int32_t> ClippedDevices;
  std::map<std::pair<SiteId, SiteId>, std::optional<bool>> Alignment; ///< by kernel and operator
  std::set<uint32_t> Late; ///< collectives, by lateRanks()
  std::vector<Advice> All;
};

} // namespace

std::vector<Advice> advise(const AdviceInput &Input) { return Adviser(Input).run(); }

void addAdvice(std::vector<Advice> &To, std::vector<Advice> More) {
  constexpr std::string_view Breaks = "graph-breaks";
  if (std::ranges::any_of(More, [&](const Advice &Each) { return Each.Kind == Breaks; }))
    std::erase_if(To, [&](const Advice &Each) { return Each.Kind == Breaks; });
  std::ranges::move(More, std::back_inserter(To));
  std::ranges::stable_sort(To, std::ranges::greater(), [](const Advice &Each) {
    return std::pair(Each.InWindow, Each.SavingNs);
  });
}

} // namespace seamscope::tools
