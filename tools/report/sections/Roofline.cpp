//===- Roofline.cpp - kernels below the roofs of their devices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Machine.h"
#include "report/sections/CountedWork.h"
#include "report/sections/Page.h"
#include "report/sections/ReplacedOperators.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// For a chart in which points can be told apart.
constexpr size_t MostPoints = 500;

/// The kernels of one kind of device, or of the host.
struct Group {
  std::string Name; ///< the device's name in the trace; empty: none
  bool OfHost = false;
  const DevicePeaks *Peaks = nullptr; ///< null: not known
  Roofline Chart;
};

/// Kernels or operators, and their time.
struct Count {
  size_t Kernels = 0;
  int64_t Ns = 0;
  void add(int64_t TotalNs) {
    ++Kernels;
    Ns = saturatingSum(Ns, TotalNs);
  }
  void add(const KernelRow &Row) { add(Row.Times.TotalNs); }
};

/// All known roofs, memory first; one if several units have the same.
std::vector<Roofline::Roof> roofsOf(const DevicePeaks &Peaks) {
  std::vector<Roofline::Roof> Made;
  if (Peaks.DramGBPerS > 0)
    Made.push_back({"memory", Peaks.DramGBPerS * 1e9, true});
  for (const ComputeUnit &Unit : computeUnits()) {
    const double Peak = Peaks.*(Unit.TFlops) * 1e12;
    if (Peak <= 0)
      continue;
    const auto Same = std::ranges::find_if(
        Made, [&](const auto &Roof) { return !Roof.OfMemory && Roof.Peak == Peak; });
    if (Same == Made.end()) {
      Made.push_back({Unit.Name, Peak, false});
      continue;
    }
    // "fp16, bf16 matrix"
    if (constexpr std::string_view Matrix = " matrix";
        Same->Name.ends_with(Matrix) && std::string_view(Unit.Name).ends_with(Matrix))
      Same->Name.resize(Same->Name.size() - Matrix.size());
    Same->Name += fmt::format(", {}", Unit.Name);
  }
  return Made;
}

/// The roofs of the processors that ran the kernels, with all of them: memory from L1 on, then
/// arithmetic.
std::vector<Roofline::Roof> roofsOf(const Machine &Of) {
  std::vector<Roofline::Roof> Made;
  for (const char *const Level : {"L1", "L2", "L3", "DRAM"})
    if (const double Rate = Of.memoryRoof(Level, Of.Processors); Rate > 0)
      Made.push_back({Level, Rate, true});
  for (const char *const Type : {"f32", "f64"})
    if (const double Peak = Of.peakFlops(Type, Of.Processors); Peak > 0)
      Made.push_back({Type, Peak, false});
  return Made;
}

std::optional<size_t> roofNamed(const std::vector<Roofline::Roof> &Roofs, std::string_view Name) {
  const auto Found = std::ranges::find(Roofs, Name, &Roofline::Roof::Name);
  return Found == Roofs.end() ? std::nullopt : std::optional<size_t>(Found - Roofs.begin());
}

/// The roof of a unit; nothing: not known.
std::optional<size_t> roofOf(const std::vector<Roofline::Roof> &Roofs, const DevicePeaks &Peaks,
                             const ComputeUnit *Unit) {
  const double Peak = Unit ? Peaks.*(Unit->TFlops) * 1e12 : 0;
  const auto Found = std::ranges::find_if(
      Roofs, [&](const auto &Roof) { return !Roof.OfMemory && Roof.Peak == Peak; });
  return Found == Roofs.end() ? std::nullopt : std::optional<size_t>(Found - Roofs.begin());
}

class Builder {
public:
  explicit Builder(const Context &In)
      : In(In), Of(In->Input.Devices ? In->Input.Devices->Efficiency : nullptr) {
    for (size_t Row = 0; Row < In->Numbers.Kernels.size(); ++Row)
      add(Row);
    for (Group &Each : Groups) {
      std::ranges::stable_sort(Each.Chart.Points, std::greater(), &Roofline::Point::TotalNs);
      for (size_t I = MostPoints; I < Each.Chart.Points.size(); ++I)
        Small.add(In->Numbers.Kernels[Each.Chart.Points[I].Row]);
      if (Each.Chart.Points.size() > MostPoints)
        Each.Chart.Points.resize(MostPoints);
      addReplaced(Each.Chart);
    }
  }

  bool any() const { return !Groups.empty(); }

  void write(Section &To) {
    To.Items.emplace_back(Sentence{coverage(), ForHtml});
    if (const std::string Text = eagerCoverage(); !Text.empty())
      To.Items.emplace_back(Sentence{Text, ForHtml});
    for (size_t I = 0; I < Groups.size(); ++I) {
      Group &Each = Groups[I];
      To.Items.emplace_back(Sentence{aboutRoofs(Each), ForHtml});
      const std::string Title = Each.OfHost         ? "the host"
                                : Each.Name.empty() ? "a device without a name"
                                                    : Each.Name;
      To.Items.emplace_back(Chart{I ? fmt::format("roofline-{}", I + 1) : "roofline",
                                  "Roofline of " + Title, std::move(Each.Chart)});
    }
  }

  std::string nothing() const {
    return fmt::format(
        "for {} of {} kernels ({}), FLOPs and bytes are not both known{}. They follow from "
        "operators' shapes (torch.profiler with record_shapes=True), are in the trace, or were "
        "counted, if the machine's roofs are known (docs/work.md)",
        Unknown.Kernels, All.Kernels, share(Unknown),
        Idle.Kernels ? fmt::format(", {} with {} have 0 FLOPs", Idle.Kernels, share(Idle)) : "");
  }

private:
  void add(size_t Row) {
    const KernelRow &Kernel = In->Numbers.Kernels[Row];
    const Site &What = In->site(Kernel.Site);
    All.add(Kernel);
    if (addCounted(Row))
      return;
    const Efficiency Rates = Of ? kernelEfficiency(*Of, What.Name, What.Device) : Efficiency();
    if (!Rates.Intensity || !Rates.FlopPerS)
      return Unknown.add(Kernel);
    // Zero and below have no place on a logarithmic scale.
    if (*Rates.Intensity <= 0 || *Rates.FlopPerS <= 0)
      return Idle.add(Kernel);
    Group &To = groupOf(What.Device);
    Roofline::Point Point;
    Point.Row = Row;
    Point.Name = In->Source.text(What.Name);
    Point.FlopPerByte = *Rates.Intensity;
    Point.FlopPerS = *Rates.FlopPerS;
    Point.TotalNs = Kernel.Times.TotalNs;
    Point.Calls = Kernel.Times.Calls;
    Point.KnownCalls = Rates.FlopCalls;
    if (To.Peaks)
      Point.Unit = roofOf(To.Chart.Roofs, *To.Peaks, kernelUnit(*Of, What.Name, What.Device));
    if (const auto Share = Rates.roofShare()) {
      Point.Percent = 100 * *Share;
      // Memory is the first roof.
      Point.Roof = Share == Rates.DramShare ? std::optional<size_t>(0) : Point.Unit;
    }
    Drawn.add(Kernel);
    To.Chart.Points.push_back(std::move(Point));
  }

  /// A kernel of the host that counted its work. Its bytes are distinct ones, or executed ones if
  /// it is nearer to L1's roof. Returns false if these or the FLOPs are not known.
  bool addCounted(size_t Row) {
    const KernelRow &Kernel = In->Numbers.Kernels[Row];
    const KernelWork *const Work = countedWork(*In, Kernel);
    const RoofShares Shares = kernelRoofs(*In, Kernel);
    if (!Work || !Shares.isKnown() || !Shares.Arithmetic)
      return false;
    const auto Seconds = static_cast<double>(kernelTime(*In, Kernel)->Ns) / 1e9;
    const double Flop = static_cast<double>(Work->All.flop().Most);
    const bool OfL1 = Shares.L1.value_or(0) > Shares.Memory.value_or(0);
    const auto Distinct = Work->footprint();
    const auto Bytes =
        static_cast<double>(OfL1 || !Distinct ? Work->All.bytes().Most : Distinct->Bytes);
    if (Bytes <= 0)
      return false;
    Group &To = groupOf(-1);
    const auto Types = Work->All.flopByType();
    const auto Main =
        std::ranges::max_element(Types, {}, [](const auto &Each) { return Each.second.Most; });
    Roofline::Point Point;
    Point.Row = Row;
    Point.Name = In->name(Kernel.Site);
    Point.FlopPerByte = Flop / Bytes;
    Point.FlopPerS = Flop / Seconds;
    Point.TotalNs = Kernel.Times.TotalNs;
    Point.Calls = Point.KnownCalls = Kernel.Times.Calls;
    Point.Unit = roofNamed(To.Chart.Roofs, Main->first);
    // Roofs of the divider and of functions have no line.
    const auto [Name, Share] = Shares.nearest();
    Point.Roof = Name == "arithmetic" ? Point.Unit : roofNamed(To.Chart.Roofs, Name);
    if (Point.Roof)
      Point.Percent = 100 * *Share;
    Drawn.add(Kernel);
    To.Chart.Points.push_back(std::move(Point));
    return true;
  }

  /// The operators that the kernels of a chart replaced.
  void addReplaced(Roofline &To) {
    for (size_t Point = 0; Point < To.Points.size(); ++Point)
      for (ReplacedCalls &Each : replacedCalls(*In, To.Points[Point].Row)) {
        Eager.All.add(Each.Ns);
        if (Each.IsShared) {
          Eager.Shared.add(Each.Ns);
        } else if (!Each.Work || !Each.Work->Bytes || Each.Ns <= 0) {
          Eager.Unknown.add(Each.Ns);
        } else if (!Each.Work->Flop) {
          Eager.Idle.add(Each.Ns);
        } else {
          Eager.Drawn.add(Each.Ns);
          const auto Flop = static_cast<double>(Each.Work->Flop);
          To.Operators.push_back(
              {Point, std::move(Each.Name), Flop / static_cast<double>(Each.Work->Bytes),
               Flop / (static_cast<double>(Each.Ns) / 1e9), Each.Ns, Each.Calls});
        }
      }
  }

  Group &groupOf(int32_t Device) {
    const bool OfHost = Device < 0;
    const std::string Name(OfHost ? "" : In->Source.text(deviceName(In->Source, Device)));
    const auto Known = std::ranges::find_if(
        Groups, [&](const Group &Each) { return Each.OfHost == OfHost && Each.Name == Name; });
    if (Known != Groups.end())
      return *Known;
    Group &New = Groups.emplace_back(
        Group{Name, OfHost, Of ? peaksOf(In->Source, *Of->Peaks, Device) : nullptr, {}});
    if (New.Peaks)
      New.Chart.Roofs = roofsOf(*New.Peaks);
    else if (OfHost && In->Input.Roofs)
      New.Chart.Roofs = roofsOf(*In->Input.Roofs);
    return New;
  }

  std::string share(const Count &Of) const {
    return fmt::format("{} % of the kernels' time", shownShare(Of.Ns, All.Ns));
  }

  /// How much of the program is drawn, and what is not.
  std::string coverage() const {
    std::string Text = fmt::format("{} of {} kernels are drawn, {}.", Drawn.Kernels - Small.Kernels,
                                   All.Kernels, share({0, Drawn.Ns - Small.Ns}));
    const auto Add = [&](const Count &Left, const char *Why) {
      if (Left.Kernels)
        Text += fmt::format(" {} with {} {} not there: {}.", Left.Kernels, share(Left),
                            Left.Kernels == 1 ? "is" : "are", Why);
    };
    Add(Unknown, "FLOPs and bytes are not both known (docs/work.md)");
    Add(Idle, "0 FLOPs");
    Add(Small, "only those with the most time are drawn");
    return Text;
  }

  /// The same of the eager operators that drawn kernels replaced; empty: none are known.
  std::string eagerCoverage() const {
    if (!Eager.All.Kernels)
      return "";
    const auto Part = [&](const Count &Of) {
      return fmt::format("{} % of their time", shownShare(Of.Ns, Eager.All.Ns));
    };
    std::string Text = fmt::format(
        "Hollow dots: {} of {} eager operators that the drawn kernels replaced, {}, each with a "
        "line to its kernel. Their FLOPs and bytes are by formula, their FLOP/s over their own "
        "recorded time (docs/work.md).",
        Eager.Drawn.Kernels, Eager.All.Kernels, Part(Eager.Drawn));
    const auto Add = [&](const Count &Left, const char *Why) {
      if (Left.Kernels)
        Text += fmt::format(" {} with {} {} not there: {}.", Left.Kernels, Part(Left),
                            Left.Kernels == 1 ? "is" : "are", Why);
    };
    Add(Eager.Unknown, "FLOPs and bytes, or the time that they took, are not known");
    Add(Eager.Idle, "0 FLOPs");
    Add(Eager.Shared, "other kernels do a part of what they did");
    return Text;
  }

  std::string aboutRoofs(const Group &Of) const {
    if (Of.OfHost)
      return In->Input.Roofs
                 ? fmt::format(
                       "Roofs of {} with {} threads, as seamscope machine measured them. "
                       "Bytes of kernels that counted their work are distinct ones, or "
                       "executed ones if they are nearer to the roof of L1; their percent is "
                       "of the threads that they had (docs/work.md).",
                       fit(In->Input.Roofs->Cpu, 80), In->Input.Roofs->Processors)
                 : "No processor peaks are known, so host kernels have no roof.";
    if (Of.Chart.Roofs.empty())
      return Of.Name.empty()
                 ? "No roof: the trace does not name the device, so its peaks are not known."
                 : fmt::format("No roof: the peaks of {} are not known. A file for --peaks gives "
                               "them (docs/work.md).",
                               fit(Of.Name, 80));
    return fmt::format("Peaks of {}: {}.", fit(Of.Name, 80), Of.Peaks->Source);
  }

  const Context In;
  const EfficiencyInput *const Of;
  std::vector<Group> Groups;
  Count All, Drawn, Unknown, Idle, Small;
  struct {
    Count All, Drawn, Unknown, Idle, Shared;
  } Eager; ///< operators, of each kernel by name
};

} // namespace

std::string addRoofline(Section &To, const Context &In) {
  if (In->Numbers.Kernels.empty())
    return "no kernel ran";
  Builder Made(In);
  if (!Made.any())
    return Made.nothing();
  Made.write(To);
  return "";
}

std::string addRooflineOf(Section &To, const ReportInput &Input) {
  return addRoofline(To, std::make_shared<const ReportContext>(Input));
}

} // namespace seamscope::tools
