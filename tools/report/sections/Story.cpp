//===- Story.cpp - what ran, where the time went, what to do -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedSteps.h"
#include "analysis/compare/StepsAlone.h"
#include "kernels/Category.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Page.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 60;

std::string programText(const ReportContext &In) {
  const TraceInfo &Info = In.Source.Info;
  std::string Text;
  if (!Info.CommandLine.empty())
    Text = fmt::format("What ran: {}", fit(Info.CommandLine, 200));
  if (!Info.HostName.empty())
    Text += fmt::format("{}on {}", Text.empty() ? "What ran, " : ", ", fit(Info.HostName, 60));
  return Text;
}

/// The kernels with the most time, and the time outside kernels.
std::string timeText(const ReportContext &In) {
  const Statistics &Numbers = In.Numbers;
  if (Numbers.Kernels.empty() || !Numbers.WindowNs)
    return {};
  const bool HasDevice = In.Input.Devices && !In.Input.Devices->Rows.empty();
  const auto TimeOf = [&](const KernelRow &Row) {
    return HasDevice || !Row.SelfNs ? Row.Times.TotalNs : *Row.SelfNs;
  };
  std::vector<const KernelRow *> Rows;
  int64_t Sum = 0;
  for (const KernelRow &Row : Numbers.Kernels) {
    Rows.push_back(&Row);
    Sum += TimeOf(Row);
  }
  const int64_t Whole = HasDevice ? Sum : Numbers.WindowNs;
  std::ranges::stable_sort(Rows, std::greater(), [&](const KernelRow *R) { return TimeOf(*R); });
  std::string Names;
  for (size_t I = 0; I < std::min<size_t>(3, Rows.size()); ++I)
    Names += fmt::format("{}{} ({} %)", I ? ", " : "", fit(In.name(Rows[I]->Site), NameWidth),
                         shownShare(TimeOf(*Rows[I]), Whole));
  std::string Text = fmt::format("Where the time went: {} kernel{} ran {} in {} of {}; most in {}.",
                                 Rows.size(), Rows.size() == 1 ? "" : "s", shownTime(Sum),
                                 HasDevice ? "all" : "all, each moment counted once,",
                                 shownTime(Numbers.WindowNs), Names);
  if (Numbers.UnattributedNs && !HasDevice)
    Text += fmt::format(" {} % of the window is outside kernels.",
                        shownShare(*Numbers.UnattributedNs, Numbers.WindowNs));
  return Text;
}

/// The share of collectives, which is partly waiting for other ranks, in the time of all devices'
/// work.
double collectiveShare(const DeviceReport &Devices) {
  int64_t Sum = 0, Collectives = 0;
  for (const CategoryRow &Row : Devices.Categories) {
    Sum += Row.TotalNs;
    if (Row.Name == categoryName(KernelCategory::Collective))
      Collectives += Row.TotalNs;
  }
  return Sum ? static_cast<double>(Collectives) / static_cast<double>(Sum) : 0;
}

/// Nobody reads a sentence each for more devices.
constexpr size_t MostDevices = 8;

std::string deviceText(const ReportContext &In) {
  std::string Text;
  if (!In.Input.Devices)
    return Text;
  const std::vector<DeviceRow> &Rows = In.Input.Devices->Rows;
  if (Rows.size() > MostDevices) {
    const auto [Least, Most] = std::ranges::minmax(Rows, {}, &DeviceRow::BusyNs);
    const std::string Low = shownShare(Least.BusyNs, In.Numbers.WindowNs),
                      High = shownShare(Most.BusyNs, In.Numbers.WindowNs);
    return fmt::format("{} devices were busy for {}{} % of the window.", Rows.size(),
                       Low == High ? "" : Low + " to ", High);
  }
  for (const DeviceRow &Row : Rows) {
    Text += fmt::format("{}Device {} was busy for {} % of the window", Text.empty() ? "" : " ",
                        Row.Id, shownShare(Row.BusyNs, In.Numbers.WindowNs));
    // Between its work it hardly waited.
    constexpr double NeverIdle = 0.95;
    const bool Full =
        static_cast<double>(Row.BusyNs) >= NeverIdle * static_cast<double>(Row.spanNs());
    if (Full)
      Text += fmt::format(", and for {} % from its first to its last work",
                          shownShare(Row.BusyNs, Row.spanNs()));
    else if (Row.Idle.insideNs() > 0)
      Text += fmt::format("; between work it was idle mostly for this reason: {}",
                          mainReasonOf(Row.Idle).second);
    Text += '.';
    if (const std::string Late = lateStart(Row, In.Numbers.WindowNs); !Late.empty())
      Text += fmt::format(" Its {}.", Late);
    else if (Full && Row.Idle.OutsideNs > In.Numbers.WindowNs / 10)
      Text += fmt::format(" {} % of the window lies before its first and after its last work; it "
                          "waits for the host then.",
                          shownShare(Row.Idle.OutsideNs, In.Numbers.WindowNs));
    if (Full && collectiveShare(*In.Input.Devices) < 0.1)
      Text += " Faster kernels would shorten its work; earlier launches would not.";
  }
  return Text;
}

std::string comparedText(const ReportContext &In) {
  if (In.Input.Beside && In.Input.Beside->Speedup)
    return speedupText(In) + '.';
  if (!In.Input.Compared || In.Input.Compared->All.Steps.empty())
    return {};
  const Attribution &All = In.Input.Compared->All;
  const PairedTimes Times = pairedTimes(All);
  if (Times.meanCompiledNs() <= 0)
    return {};
  return fmt::format("Effect of torch.compile, by recorded steps: {}.",
                     takesText(Times, Times.ratio()));
}

/// What a compiled step is made of.
std::string partsText(const ReportContext &In) {
  const Attribution *const All = In.Input.Compared ? &In.Input.Compared->All : nullptr;
  if (!All && !In.Input.Steps)
    return {};
  const StepTimes Sum = sumOf(All ? All->Steps : In.Input.Steps->Steps);
  const bool OnDevice = All ? All->OnDevice : In.Input.Steps->OnDevice;
  std::vector<std::pair<int64_t, std::string_view>> Parts;
  for (size_t I = 0; I < StepParts; ++I)
    if (const int64_t Ns = Sum.Of[I].CompiledNs; Ns > 0)
      Parts.emplace_back(Ns, OnDevice ? titleOnDevice(static_cast<StepPart>(I))
                                      : titleOf(static_cast<StepPart>(I)));
  std::ranges::stable_sort(Parts, std::greater(), [](const auto &Part) { return Part.first; });
  std::string Text;
  for (const auto &[Ns, Title] : Parts)
    Text +=
        fmt::format("{}{} {} %", Text.empty() ? "" : ", ", Title, shownShare(Ns, Sum.CompiledNs));
  if (Text.empty())
    return Text;
  const std::string Mean =
      All ? std::string()
          : fmt::format(
                " ({} in the mean of {})",
                shownTime(Sum.CompiledNs / static_cast<int64_t>(In.Input.Steps->Steps.size())),
                In.Input.Steps->Steps.size());
  return fmt::format("Where the time of a compiled step{} went: {}.", Mean, Text);
}

/// For a program of operators, those with the most self time on the host.
std::string operatorText(const ReportContext &In) {
  const DeviceReport *const Devices = In.Input.Devices;
  if (!Devices || !Devices->Rows.empty() || Devices->Operators.empty() || In.Input.Compared)
    return {};
  int64_t Sum = 0;
  for (const OperatorTimesRow &Row : Devices->Operators)
    Sum += Row.SelfNs;
  std::string Names;
  for (size_t I = 0; I < std::min<size_t>(3, Devices->Operators.size()); ++I)
    Names += fmt::format("{}{} ({} %)", I ? ", " : "",
                         fit(In.Source.text(Devices->Operators[I].Name), NameWidth),
                         shownShare(Devices->Operators[I].SelfNs, Sum));
  return fmt::format("Host operators took {} (self time); most in {}.", shownTime(Sum), Names);
}

/// Whether \p Name is in \p Text as a whole word.
bool mentions(std::string_view Text, std::string_view Name) {
  const auto IsPart = [&](size_t At) {
    return At < Text.size() &&
           (std::isalnum(static_cast<unsigned char>(Text[At])) || Text[At] == '_');
  };
  for (size_t At = Text.find(Name); At != Text.npos; At = Text.find(Name, At + 1))
    if (!IsPart(At - 1) && !IsPart(At + Name.size()))
      return true;
  return false;
}

/// The row that a finding is about: the longest whose name, or whose region's name, it mentions.
std::optional<Link> evidenceOf(const ReportContext &In, const Advice &Of) {
  std::optional<Link> Found;
  size_t Longest = 0;
  const auto Consider = [&](std::string_view Name, const char *Table, size_t Row) {
    // A long name is there with its middle cut out.
    if (Name.size() > Longest &&
        (mentions(Of.Evidence, Name) || mentions(Of.Evidence, shortened(Name, NameWidth)))) {
      Longest = Name.size();
      Found = {Table, Row};
    }
  };
  for (size_t I = 0; I < In.Numbers.Kernels.size(); ++I) {
    Consider(In.name(In.Numbers.Kernels[I].Site), "kernels", I);
    for (const RegionRow &Region : In.Numbers.Kernels[I].Regions)
      Consider(In.name(Region.Site), "kernels", I);
  }
  if (Found)
    return Found;
  if (In.Input.Devices)
    for (size_t I = 0; I < In.Input.Devices->Operators.size(); ++I)
      Consider(In.Source.text(In.Input.Devices->Operators[I].Name), "operators", I);
  if (!Found && In.Input.Devices && !In.Input.Devices->Rows.empty())
    return Link{"", 0, "devices"};
  if (!Found && In.Input.Compared)
    return Link{"", 0, "compiled"};
  return Found;
}

/// How much of a device's time could have no findings, because its work is not known.
std::string unknownText(const ReportContext &In) {
  const DeviceReport &Devices = *In.Input.Devices;
  if (Devices.Rows.empty() || !Devices.Efficiency)
    return {};
  int64_t Sum = 0, Unknown = 0;
  for (const KernelRow &Row : In.Numbers.Kernels) {
    const Site &What = In.site(Row.Site);
    Sum += Row.Times.TotalNs;
    if (!kernelEfficiency(*Devices.Efficiency, What.Name, What.Device).roofShare())
      Unknown += Row.Times.TotalNs;
  }
  if (Unknown <= Sum / 10)
    return {};
  return fmt::format(" For kernels with {} % of the kernels' time, it is not known how close they "
                     "come to the device's peak.",
                     shownShare(Unknown, Sum));
}

/// The three with the largest savings.
void addFirstFindings(Section &To, const Context &In) {
  if (!In->Input.Devices)
    return;
  const std::vector<Advice> &Found = In->Input.Devices->Findings;
  for (size_t I = 0; I < std::min<size_t>(3, Found.size()); ++I) {
    const Advice &A = Found[I];
    To.Items.emplace_back(Finding{A.Kind, A.Evidence, A.Remedy, A.SavingNs,
                                  percentOf(A.SavingNs, In->Numbers.WindowNs), ForHtml,
                                  evidenceOf(*In, A)});
  }
  if (Found.empty())
    To.Items.emplace_back(
        Sentence{fmt::format("Nothing stands out that costs more than it should: see the kernels "
                             "and the timeline for where the time goes.{}",
                             unknownText(*In)),
                 ForHtml});
}

} // namespace

void addStory(Section &To, const Context &In, const std::string &Path) {
  if (!In->Input.Page)
    return;
  for (std::string Text :
       {programText(*In), comparedText(*In), In->Input.Compared ? std::string() : timeText(*In),
        partsText(*In), operatorText(*In), deviceText(*In), Path})
    if (!Text.empty())
      To.Items.emplace_back(Sentence{std::move(Text), ForHtml});
  if (In->Input.Beside)
    for (const std::string &Warning : In->Input.Beside->warnings())
      To.Items.emplace_back(Sentence{"Note: " + Warning + '.', ForHtml});
  addFirstFindings(To, In);
  if (In->Input.Compared && !In->Input.Compared->All.Steps.empty() && !disagreement(*In))
    To.Items.emplace_back(waterfallOf(In->Input.Compared->All));
}

} // namespace seamscope::tools
