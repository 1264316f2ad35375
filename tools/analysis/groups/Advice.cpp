//===- Advice.cpp - what is worth a look, and what it could save at most --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Advice.h"

#include "analysis/core/Order.h"
#include "analysis/devices/Collectives.h"
#include "analysis/devices/Communication.h"
#include "analysis/devices/Efficiency.h"
#include "analysis/devices/OpInputs.h"
#include "analysis/groups/TeamAdvice.h"
#include "kernels/Category.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string percent(int64_t Part, int64_t Whole) {
  return fmt::format("{:.1f} %",
                     Whole ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole) : 0.0);
}

bool saysTf32(std::string_view Kernel) { return Kernel.find("tf32") != Kernel.npos; }

/// Whether a compiler would put it into one kernel with others.
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
        WindowNs(Input.Numbers->WindowNs), IsCollective(Source.Sites.size()),
        Small(Source.Sites.size()), Fusible(Source.Sites.size()) {
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
    for (TeamFinding &Finding :
         teamFindings(*Input.Numbers, Source, Input.Loops, Input.Processors))
      add("imbalance", std::move(Finding.Evidence), Finding.Remedy,
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

  const DevicePeaks *peaksOf(int32_t Device) const {
    return tools::peaksOf(Source, *Input.Peaks, Device);
  }

  /// Whether torch can capture what the device runs: as graphs of CUDA, or of HIP by that name.
  bool hasGraphs(int32_t Device) const {
    return std::ranges::any_of(*Input.Links, [&](const Origin &Link) {
      return Link.Launch != NoEvent && siteOf(Link.Work).Device == Device &&
             (nameOf(Link.Launch).starts_with("cu") || nameOf(Link.Launch).starts_with("hip"));
    });
  }

  /// The device had nothing to do because the host had not launched it.
  void launches() {
    for (const DeviceRow &Row : *Input.Devices) {
      if (!Row.Kernels)
        continue;
      // A mean of clipped kernels says nothing.
      const std::string Mean =
          ClippedDevices.contains(Row.Id)
              ? ""
              : fmt::format(" of {:.1f} us on average", static_cast<double>(Row.KernelNs) / 1e3 /
                                                            static_cast<double>(Row.Kernels));
      add("launch-bound",
          fmt::format("device {} waited {} of the window for the host to launch the next of its {} "
                      "kernels{}",
                      Row.Id, percent(Row.Idle.HostNs, WindowNs), Row.Kernels, Mean),
          fmt::format("{}larger batches, less Python between launches",
                      hasGraphs(Row.Id) ? "CUDA graphs (torch.compile(mode=\"reduce-overhead\")), "
                                        : ""),
          static_cast<double>(Row.Idle.HostNs));
      add("synchronisation",
          fmt::format("device {} was idle {} of the window while the host waited for it before it "
                      "launched more",
                      Row.Id, percent(Row.Idle.SyncNs, WindowNs)),
          "leave out .item(), .cpu(), printing and torch.cuda.synchronize() inside the step",
          static_cast<double>(Row.Idle.SyncNs));
      // Some us before each are what any launch takes.
      constexpr int64_t LongNs = 100'000;
      if (Row.LongestLatencyNs > LongNs)
        add("device-waits",
            fmt::format(
                "device {} had nothing to do for {} of the window although its next work had "
                "been launched, {:.1f} ms the longest time, before {}",
                Row.Id, percent(Row.Idle.LatencyNs, WindowNs),
                static_cast<double>(Row.LongestLatencyNs) / 1e6,
                shortened(nameOf(Row.LongestLatency), 60)),
            "see what that work waited for: an event of another stream, another process on the "
            "device, or work from before the trace begins",
            static_cast<double>(Row.Idle.LatencyNs));
    }
  }

  /// Whether a product of 16-bit numbers can be loaded and stored by whole lines of 16 bytes, as
  /// far as can be told: its kernel may say how it does. Else the columns of the result decide,
  /// which lie side by side; how the factors lie is not recorded.
  bool isAligned(const Origin &Product) const {
    constexpr std::string_view Word = "align";
    const std::string_view Kernel = nameOf(Product.Work);
    if (const size_t At = Kernel.rfind(Word); At != Kernel.npos) {
      int64_t Elements = 0;
      const char *const Begin = Kernel.data() + At + Word.size();
      if (std::from_chars(Begin, Kernel.data() + Kernel.size(), Elements).ec == std::errc())
        return Elements >= 8;
    }
    return columnsOf(dimensionsIn(Source.text(siteOf(Product.Operator).Inputs))) % 8 == 0;
  }

  /// The last dimension of the last tensor in \p Shapes that has several: of the second factor. 0:
  /// there is none.
  static int64_t columnsOf(std::string_view Shapes) {
    int64_t Number = -1, Last = 0, Columns = 0;
    size_t Dimensions = 0;
    for (const char C : Shapes) {
      if (C >= '0' && C <= '9') {
        Number = std::min<int64_t>(std::max<int64_t>(Number, 0) * 10 + (C - '0'), 1 << 30);
        continue;
      }
      if (Number >= 0) {
        ++Dimensions;
        Last = Number;
        Number = -1;
      }
      if (C == ']') {
        // A vector that is added, and numbers, decide nothing.
        if (Dimensions > 1)
          Columns = Last;
        Dimensions = 0;
      }
    }
    return Columns;
  }

  /// Matrix products on matrix units: their alignment, and fp32 where tf32 would do.
  void products() {
    std::map<DType, double> Best; // FLOP/ns of aligned ones
    Found Misaligned, Plain;
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
        // What is faster than the other units can be ran on the tensor cores, whatever its name.
        if (Peaks && Peaks->Tf32 > Peaks->Fp32 && !saysTf32(nameOf(Link.Work)) &&
            Rate <= Peaks->Fp32 * 1e3)
          Plain.add(Ns, static_cast<double>(Ns) * (1 - Peaks->Fp32 / Peaks->Tf32),
                    [&] { return std::string(nameOf(Link.Operator)); });
      }
      if (Work.Compute != DType::Float16 && Work.Compute != DType::BFloat16)
        continue;
      if (isAligned(Link))
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
      const double Saved = static_cast<double>(Ns) - static_cast<double>(*C.Work.Flop) / Rate;
      if (Saved > 0)
        Misaligned.add(Ns, Saved, [&] {
          return fmt::format(
              "{} {}", nameOf(C.Link->Operator),
              dimensionsIn(Source.text(siteOf(C.Link->Operator).Inputs)).substr(0, 60));
        });
    }
    if (Misaligned.Calls)
      add("gemm-alignment",
          fmt::format(
              "{} 16-bit matrix products have rows that are no multiple of 8 elements long ({} of "
              "the window; the longest is {})",
              Misaligned.Calls, percent(Misaligned.Ns, WindowNs), Misaligned.Example),
          "pad the dimension (vocabulary, classes) to a multiple of 8, better 64",
          Misaligned.SavingNs);
    if (Plain.Calls)
      add("tf32",
          fmt::format("{} fp32 matrix products ran without tensor cores ({} of the window)",
                      Plain.Calls, percent(Plain.Ns, WindowNs)),
          "torch.set_float32_matmul_precision(\"high\") where 10 bits of mantissa are enough",
          Plain.SavingNs);
  }

  /// Kernels that take long and reach little of what the device can do.
  void roofs() {
    for (const KernelRow &Row : Input.Numbers->Kernels) {
      const Site &What = Source.Sites[Row.Site];
      if (ClippedNames.contains({What.Name, What.Device}))
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
            "larger problems a launch, another algorithm or layout, fusion with its neighbours",
            static_cast<double>(Row.Times.TotalNs) * (1 - *Share));
    }
  }

  /// Kernels one after the other on a stream, which one fused kernel could do.
  struct KernelRuns {
    uint64_t Runs = 0, Kernels = 0;
    int64_t Ns = 0;
    int64_t SavedNs = 0;           ///< if each run took as long as its longest kernel
    std::vector<uint32_t> Example; ///< the run of which most would be saved
    int64_t ExampleNs = -1;        ///< that

    double saving() const { return static_cast<double>(SavedNs); }
  };

  /// Of \p Work, in order on each stream, the runs of what \p Belongs to them and of which some
  /// kernel is one that \p Needed is true of.
  KernelRuns runsOf(const std::vector<uint32_t> &Work, auto Belongs, auto Needed) const {
    KernelRuns Found;
    std::vector<uint32_t> Run;
    int64_t RunNs = 0, LongestNs = 0;
    bool Has = false;
    TrackId Where = 0;
    const auto Close = [&] {
      if (Run.size() > 1 && Has) {
        ++Found.Runs;
        Found.Kernels += Run.size();
        Found.Ns += RunNs;
        Found.SavedNs += RunNs - LongestNs;
        if (RunNs - LongestNs > Found.ExampleNs) {
          Found.ExampleNs = RunNs - LongestNs;
          Found.Example = Run;
        }
      }
      Run.clear();
      RunNs = LongestNs = 0;
      Has = false;
    };
    for (const uint32_t I : Work) {
      if (!Run.empty() && (Events.Track[I] != Where || !Belongs(I)))
        Close();
      Where = Events.Track[I];
      if (!Belongs(I))
        continue;
      Run.push_back(I);
      RunNs += Events.DurationNs[I];
      LongestNs = std::max(LongestNs, Events.DurationNs[I]);
      Has |= Needed(I);
    }
    Close();
    return Found;
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
        Work, [&](uint32_t I) { return Small[Events.Site[I]]; }, [](uint32_t) { return true; });
    if (Pointwise.Runs)
      add("fusion",
          fmt::format(
              "{} pointwise kernels follow each other in {} run{} ({} of the window); as one "
              "kernel each run would take about as long as its longest; the run with most to save "
              "is {}",
              Pointwise.Kernels, Pointwise.Runs, Pointwise.Runs == 1 ? "" : "s",
              percent(Pointwise.Ns, WindowNs), exampleText(Pointwise)),
          "torch.compile, or foreach and fused forms of optimizers", Pointwise.saving());
    // Even an empty kernel takes some us from its begin to its end. Runs of pointwise ones alone
    // are in the finding above.
    constexpr int64_t ShortNs = 10'000;
    const KernelRuns Short = runsOf(
        Work, [&](uint32_t I) { return Fusible[Events.Site[I]] && Events.DurationNs[I] < ShortNs; },
        [&](uint32_t I) { return !Small[Events.Site[I]]; });
    if (Short.Runs)
      add("short-kernels",
          fmt::format("{} kernels of less than {} us follow each other in {} run{} ({} of the "
                      "window); much of that is what beginning and ending any kernel takes; the "
                      "run with most to save is {}",
                      Short.Kernels, ShortNs / 1000, Short.Runs, Short.Runs == 1 ? "" : "s",
                      percent(Short.Ns, WindowNs), exampleText(Short)),
          "one fused kernel in place of each run, or more work a kernel: larger batches",
          Short.saving());
  }

  bool isCollective(uint32_t Event) const { return IsCollective[Events.Site[Event]]; }

  /// Collectives that no device runs, as gloo's. Of several processes the one with most counts.
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

  /// Collectives that waited for other ranks, which began to record, or to run, later: far longer
  /// than others of their name. What they took says nothing of communication.
  void lateRanks() {
    constexpr int64_t FarLonger = 100, LeastNs = 10'000'000;
    std::map<StringId, std::vector<int64_t>> Times;
    for (const Origin &Link : *Input.Links)
      if (isCollective(Link.Work))
        Times[siteOf(Link.Work).Name].push_back(Events.DurationNs[Link.Work]);
    std::map<StringId, int64_t> MedianNs; // of few it says nothing
    for (auto &[Name, Ns] : Times) {
      const auto Middle = Ns.begin() + static_cast<std::ptrdiff_t>((Ns.size() - 1) / 2);
      std::ranges::nth_element(Ns, Middle);
      MedianNs[Name] = Ns.size() > 2 ? *Middle : INT64_MAX;
    }
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
              "device {}: {} collective{} took {:.3f} s, far longer than others of the "
              "name: other ranks came late (they began to run or to record later, or stalled)",
              Device, Of.first, Of.first == 1 ? "" : "s", static_cast<double>(Of.second) / 1e9),
          "look at what follows (--window), and begin to record behind a barrier",
          static_cast<double>(Of.second));
  }

  /// Time in which a device did work of one sort alone.
  void exposed(SiteKind Kind, const char *Name, const char *Evidence, const char *Remedy) {
    // Where kernels are missing, nobody knows what else ran.
    if (!Source.Details.Unserved.empty())
      return;
    std::map<int32_t, std::vector<std::pair<int64_t, int>>> Edges; // by device: time, which
    const auto IsIt = [&](uint32_t I) {
      return Kind == SiteKind::Copy ? siteOf(I).Kind == SiteKind::Copy : isCollective(I);
    };
    std::map<int32_t, bool> Any;
    for (const Origin &Link : *Input.Links)
      Any[siteOf(Link.Work).Device] |= IsIt(Link.Work);
    for (const Origin &Link : *Input.Links) {
      const int32_t Device = siteOf(Link.Work).Device;
      if (!Any[Device] || Late.contains(Link.Work))
        continue;
      const int Sign = IsIt(Link.Work) ? 2 : 1;
      Edges[Device].push_back({Events.BeginNs[Link.Work], Sign});
      Edges[Device].push_back({Events.endNs(Link.Work), -Sign});
    }
    for (auto &[Device, Times] : Edges) {
      std::ranges::sort(Times);
      int64_t ExposedNs = 0, Since = 0;
      int64_t These = 0, Others = 0;
      for (const auto &[At, Sign] : Times) {
        if (These > 0 && Others <= 0)
          ExposedNs += At - Since;
        Since = At;
        (Sign == 2 || Sign == -2 ? These : Others) += Sign > 0 ? 1 : -1;
      }
      add(Name,
          fmt::format("device {}: {} for {} of the window", Device, Evidence,
                      percent(ExposedNs, WindowNs)),
          Remedy, static_cast<double>(ExposedNs));
    }
  }

  /// Streams of one device that share work unevenly.
  void streams() {
    std::map<std::pair<int32_t, TrackId>, int64_t> Busy;
    for (const Origin &Link : *Input.Links)
      if (siteOf(Link.Work).Kind == SiteKind::Kernel && !isCollective(Link.Work))
        Busy[{siteOf(Link.Work).Device, Events.Track[Link.Work]}] += Events.DurationNs[Link.Work];
    for (auto First = Busy.begin(); First != Busy.end();) {
      const int32_t Device = First->first.first;
      int64_t Longest = 0, Sum = 0, Count = 0;
      auto Last = First;
      for (; Last != Busy.end() && Last->first.first == Device; ++Last)
        Longest = std::max(Longest, Last->second);
      for (auto At = First; At != Last; ++At)
        if (At->second >= Longest / 4) { // others are helpers, not partners
          Sum += At->second;
          ++Count;
        }
      const int64_t Mean = Count ? Sum / Count : 0;
      if (Count > 1)
        add("stragglers",
            fmt::format("device {}: of {} streams that share its kernels the busiest has {} of the "
                        "window, the mean {}",
                        Device, Count, percent(Longest, WindowNs), percent(Mean, WindowNs)),
            "divide the work evenly between the streams", static_cast<double>(Longest - Mean));
      First = Last;
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
    // What a device did all the same would have to be done without breaks, too.
    int64_t IdleNs = 0;
    bool HasDevice = false;
    for (const DeviceRow &Row : *Input.Devices)
      if (Row.Kernels) {
        HasDevice = true;
        IdleNs = std::max(IdleNs, Row.Idle.HostNs + Row.Idle.SyncNs);
      }
    if (HasDevice)
      OutsideNs = std::min(OutsideNs, IdleNs);
    if (Breaks)
      add("graph-breaks",
          fmt::format("{} returns to Python between compiled regions, with {} eager operators",
                      Breaks, Ops),
          "TORCH_LOGS=graph_breaks tells the lines; torch.compile(fullgraph=True) refuses them",
          static_cast<double>(OutsideNs));
  }

  const AdviceInput &Input;
  const Trace &Source;
  const EventColumns &Events;
  const int64_t WindowNs;
  std::vector<bool> IsCollective, Small, Fusible; ///< by site
  std::set<uint32_t> Clipped; ///< whose duration is not known: no advice from it
  std::set<std::pair<StringId, int32_t>> ClippedNames; ///< with their devices
  std::set<int32_t> ClippedDevices;
  std::set<uint32_t> Late; ///< collectives, by lateRanks()
  std::vector<Advice> All;
};

} // namespace

std::vector<Advice> advise(const AdviceInput &Input) { return Adviser(Input).run(); }

} // namespace seamscope::tools
