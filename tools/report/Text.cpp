//===- Text.cpp - a report for people --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"

#include "report/Attribution.h"
#include "report/FileNames.h"
#include "report/FusedGroups.h"
#include "report/GpuKernels.h"
#include "report/GpuLoops.h"
#include "report/InlinedFunctions.h"
#include "report/Loops.h"
#include "report/Ranks.h"
#include "report/Recording.h"
#include "report/Regions.h"
#include "report/Table.h"
#include "report/Torch.h"
#include "report/Untimed.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

namespace seamscope::tools {

namespace {

constexpr size_t NameWidth = 48;
constexpr size_t SourceWidth = 40;
/// Rows of the kernel table where --top does not say. Who has thousands of kernels looks at the
/// first.
constexpr size_t UsualKernels = 50;

std::string shownName(const Trace &Source, const Site &What) {
  return shortened(escaped(Source.text(What.Name)), NameWidth);
}

std::string shownRow(const Trace &Eager, const EagerRow &Row) {
  return shortened(escaped(Row.title(Eager)), NameWidth);
}

/// A percentile of a profile, which is known by the floor of its bucket: no more than its end.
std::string shownBound(const std::optional<int64_t> &Floor, const CallStatistics &Times) {
  if (!Floor)
    return "-";
  // A bucket is at most a quarter wider than its floor; both ends were rounded.
  const int64_t Bound = std::min(*Floor + *Floor / 4 + 2, Times.MaxNs.value_or(INT64_MAX));
  return "<=" + tools::shownTime(Bound);
}

std::string shownTime(const std::optional<int64_t> &Ns) { return Ns ? tools::shownTime(*Ns) : "-"; }

/// How the recording ended, where that is not the program's own end; else empty.
std::string recordingEndText(const Trace &Source) {
  const TraceInfo &Info = Source.Info;
  if (Info.End == "running" && !Source.Open.empty())
    return "read while the process was still running";
  if (!Info.Recovered)
    return "";
  const std::string Sentence = "recovered from a process that did not end by itself";
  return Info.End == "last sign of life" && !Source.Open.empty()
             ? Sentence + "; calls that were open are shown until its last sign of life, and may "
                          "have taken longer"
             : Sentence;
}

/// What became of the calls of a row that did not return; empty if all did.
std::string unendedText(const KernelRow &Row) {
  const auto Were = [](uint64_t Calls) {
    return fmt::format("{} call{}", Calls, Calls == 1 ? " was" : "s were");
  };
  std::string Text;
  if (Row.Open)
    Text = Were(Row.Open) + " open at the end";
  if (Row.Abandoned)
    Text += fmt::format("{}{} left without an exit", Text.empty() ? "" : ", ", Were(Row.Abandoned));
  return Text;
}

class TextReport {
public:
  TextReport(const ReportInput &Input, bool Colours)
      : Input(Input), Source(*Input.Source), Numbers(*Input.Numbers), Files(Source),
        Colours(Colours) {}

  std::string run() {
    head();
    Text += ranksText(Input, Colours);
    // Of a compiled program first what compiling brought.
    Text += attributionText(Input, Colours);
    Text += torchText(Input, Colours);
    line("");
    if (Input.Devices)
      devices(*Input.Devices);
    if (!Numbers.Kernels.empty() || !Input.Devices || Input.Devices->Operators.empty())
      kernels();
    if (const std::string Groups = fusedGroupsText(Input, Colours); !Groups.empty())
      Text += '\n' + Groups;
    if (const std::string Gpu = gpuKernelsText(Input, Colours); !Gpu.empty())
      Text += '\n' + Gpu;
    if (Input.Devices)
      operators(Input.Devices->Operators);
    Text += regionsText(Input, Colours);
    if (const std::string Loops = loopsText(Input, Colours); !Loops.empty())
      Text += '\n' + Loops;
    if (const std::string Loops = gpuLoopsText(Input, Colours); !Loops.empty())
      Text += '\n' + Loops;
    if (const std::string Inlined = inlinedFunctionsText(Input, Colours); !Inlined.empty())
      Text += '\n' + Inlined;
    if (const std::string Recording = recordingText(Source, Numbers, Input.Recording, Colours);
        !Recording.empty())
      Text += '\n' + Recording;
    if (Input.Devices)
      findings(*Input.Devices);
    if (Input.Baseline)
      baseline();
    // The head leaves a line behind itself, most parts one before.
    for (size_t At; (At = Text.find("\n\n\n")) != Text.npos;)
      Text.erase(At, 1);
    return std::move(Text);
  }

private:
  void line(const std::string &Sentence) { Text += Sentence + '\n'; }

  void head() {
    const TraceInfo &Info = Source.Info;
    line(fmt::format("{}: {}{}{}, window {}{}", escaped(Info.Path), recorded(),
                     Info.Producer.empty() ? "" : ", written by " + escaped(Info.Producer),
                     Info.Rank ? fmt::format(", rank {}", *Info.Rank) : "",
                     tools::shownTime(Numbers.WindowNs),
                     Numbers.ApartNs ? fmt::format(" without {} of compilation",
                                                   tools::shownTime(*Numbers.ApartNs))
                                     : ""));
    if (const std::string Steps = stepsText(Source); !Steps.empty())
      line(Steps);
    if (const std::string End = recordingEndText(Source); !End.empty())
      line(End);
    if (Info.Part) {
      line(fmt::format("a part: the {} calls that began in the first {}, and sums of the {} later "
                       "ones; all of them are in {}",
                       Info.Part->Calls, tools::shownTime(Info.Part->UntilNs), Info.Part->LeftOut,
                       escaped(Info.Part->AllIn)));
      line(
          "totals of kernels and regions are of all calls, operators and steps of that part alone; "
          "shares of the window are not known");
    }
    if (Info.LostEvents)
      line(fmt::format("warning: {} events were dropped for want of space; sums are too low",
                       Info.LostEvents));
    if (Info.TwoOpenMP)
      line("warning: two OpenMP runtimes were live; times of parallel kernels are not to be "
           "trusted");
    if (!Info.Inlined.empty())
      line("note: " + escaped(Info.Inlined.sentence()));
    for (const std::string &Note : Info.Notes)
      line("note: " + escaped(Note));
    line("");
  }

  /// How much there is in the trace.
  std::string recorded() const {
    const size_t Events = Source.Events.size();
    // A part of a long trace has sums of the rest; a line of its own says so.
    if (Source.Profile.empty() || Source.Info.Part)
      return fmt::format("{} events", Events);
    uint64_t Calls = 0;
    for (const ProfileRow &Row : Source.Profile)
      Calls += Row.Calls;
    return fmt::format("sums of {} calls{} (mode profile)", Calls,
                       Events ? fmt::format(", {} events", Events) : "");
  }

  /// What each device did, why it did nothing, and with what it was busy.
  void devices(const DeviceReport &Devices) {
    if (Devices.Rows.empty())
      return;
    Table Rows({"Device", "Kernels", "Busy", "Busy %", "Idle", "Host late", "Host waits", "Latency",
                "Unknown", "Outside"});
    for (const DeviceRow &Row : Devices.Rows) {
      const std::string_view Name = Source.text(Row.Name);
      Rows.add({fmt::format("{}{}{}", Row.Id, Name.empty() ? "" : " ", escaped(Name)),
                std::to_string(Row.Kernels), tools::shownTime(Row.BusyNs),
                shownShare(Row.BusyNs, Numbers.WindowNs), tools::shownTime(Row.IdleNs),
                tools::shownTime(Row.Idle.HostNs), tools::shownTime(Row.Idle.SyncNs),
                tools::shownTime(Row.Idle.LatencyNs), tools::shownTime(Row.Idle.UnknownNs),
                tools::shownTime(Row.Idle.OutsideNs)});
    }
    Text += Rows.text(Colours) + '\n';

    int64_t Sum = 0;
    for (const CategoryRow &Row : Devices.Categories)
      Sum += Row.TotalNs;
    Table Categories({"Category", "Calls", "Total", "%"});
    for (const CategoryRow &Row : Devices.Categories)
      Categories.add({std::string(Row.Name), std::to_string(Row.Calls),
                      tools::shownTime(Row.TotalNs), shownShare(Row.TotalNs, Sum)});
    Text += Categories.text(Colours) + '\n';

    const LinkCounts &Linking = Devices.Linking;
    if (Linking.Kernels)
      line(fmt::format("{} of {} kernels linked to their operator, {} to their launch\n",
                       Linking.Linked, Linking.Kernels, Linking.Launched));
  }

  void findings(const DeviceReport &Devices) {
    if (const std::string Compiled = compiledText(Source, Devices.Compiled, Colours);
        !Compiled.empty())
      Text += '\n' + Compiled;
    constexpr size_t MostAdvice = 5;
    if (const std::string Advice = adviceText(Devices.Findings, Numbers.WindowNs, MostAdvice);
        !Advice.empty())
      Text += '\n' + Advice;
  }

  /// Operators of the host, most of the time of their own first.
  void operators(const std::vector<OperatorTimesRow> &Operators) {
    // A trace whose every operator is a kernel has said it all.
    std::unordered_set<StringId> KernelNames;
    for (const KernelRow &Kernel : Numbers.Kernels)
      KernelNames.insert(Source.Sites[Kernel.Site].Name);
    if (std::ranges::all_of(
            Operators, [&](const OperatorTimesRow &Row) { return KernelNames.contains(Row.Name); }))
      return;
    const size_t Most = Input.rowsOf(20);
    // On the host the operator's time is the work's; a device's rates stand with its kernels.
    const EfficiencyInput *Efficiency =
        Input.Devices->Rows.empty() ? Input.Devices->Efficiency : nullptr;
    const bool Rates =
        Efficiency && (Efficiency->Work->total().flop() || Efficiency->Work->total().bytes());
    std::vector<std::string> Head = {"Operator", "Calls", "Self", "Total", "Device"};
    if (Rates)
      Head = {"Operator", "Calls", "Self", "Total", "GFLOP/s", "GB/s", "FLOP/B"};
    Table Rows(std::move(Head));
    Rows.cut(0, NameWidth);
    OperatorTimesRow Rest;
    size_t Shown = 0;
    for (const OperatorTimesRow &Row : Operators) {
      if (Shown++ < Most) {
        std::vector<std::string> Cells = {escaped(Source.text(Row.Name)), std::to_string(Row.Calls),
                                          tools::shownTime(Row.SelfNs),
                                          tools::shownTime(Row.TotalNs)};
        if (Rates)
          addRates(Cells, operatorEfficiency(*Efficiency, Row.Name), 1e9);
        else
          Cells.push_back(tools::shownTime(Row.DeviceNs));
        Rows.add(std::move(Cells));
      } else {
        Rest.Calls += Row.Calls;
        Rest.SelfNs += Row.SelfNs;
        Rest.DeviceNs += Row.DeviceNs;
      }
    }
    if (Shown > Most)
      Rows.add({fmt::format("[{} more]", Shown - Most), std::to_string(Rest.Calls),
                tools::shownTime(Rest.SelfNs), "", Rates ? "" : tools::shownTime(Rest.DeviceNs)},
               Emphasis::Faint);
    if (Input.Operators.Rows)
      Rows.add({fmt::format("[{} filtered out]", Input.Operators.Rows),
                std::to_string(Input.Operators.Calls), tools::shownTime(Input.Operators.SelfNs), "",
                Rates ? "" : tools::shownTime(Input.Operators.TotalNs)},
               Emphasis::Faint);
    Text += '\n' + Rows.text(Colours, Input.Width);
  }

  static void addRates(std::vector<std::string> &Cells, const Efficiency &Row, double FlopUnit) {
    Cells.push_back(shownRate(Row.FlopPerS, FlopUnit));
    Cells.push_back(shownRate(Row.BytesPerS, 1e9));
    Cells.push_back(shownRate(Row.Intensity, 1));
  }

  std::vector<ReportColumn> chosenColumns(bool Rates) const {
    if (!Input.Columns.empty())
      return Input.Columns;
    using enum ReportColumn;
    std::vector<ReportColumn> Columns = {Calls, Total, Mean, Min, Median, P99};
    // Sums do not tell what ran beside what.
    if (this->Source.Profile.empty())
      Columns.push_back(Window);
    if (Rates)
      Columns.insert(Columns.end(), {Tflops, Bandwidth, Intensity, Roof});
    Columns.push_back(ReportColumn::Source);
    return Columns;
  }

  std::string percentile(const std::optional<int64_t> &Ns, const CallStatistics &Times) const {
    return Source.Profile.empty() ? shownTime(Ns) : shownBound(Ns, Times);
  }

  /// Marks what is estimated.
  std::string cell(ReportColumn Column, const KernelRow &Row, const Efficiency &Achieved) const {
    using enum ReportColumn;
    const bool Estimate = Column == Total || Column == Mean || Column == Median || Column == P99 ||
                          Column == Self || Column == Window;
    return (Estimate && Row.Times.Untimed ? "~" : "") + exactCell(Column, Row, Achieved);
  }

  std::string exactCell(ReportColumn Column, const KernelRow &Row,
                        const Efficiency &Achieved) const {
    switch (Column) {
    case ReportColumn::Calls:
      return std::to_string(Row.Times.Calls);
    case ReportColumn::Total:
      return tools::shownTime(Row.Times.TotalNs);
    case ReportColumn::Mean:
      return shownTime(Row.Times.MeanNs);
    case ReportColumn::Min:
      return shownTime(Row.Times.MinNs);
    case ReportColumn::Median:
      return percentile(Row.Times.MedianNs, Row.Times);
    case ReportColumn::P99:
      return percentile(Row.Times.P99Ns, Row.Times);
    case ReportColumn::Max:
      return shownTime(Row.Times.MaxNs);
    case ReportColumn::Self:
      return shownTime(Row.SelfNs);
    case ReportColumn::Window:
      return Row.SelfNs ? shownShare(*Row.SelfNs, Numbers.WindowNs) : "-";
    case ReportColumn::Tflops:
      return shownRate(Achieved.FlopPerS, 1e12);
    case ReportColumn::Bandwidth:
      return shownRate(Achieved.BytesPerS, 1e9);
    case ReportColumn::Intensity:
      return shownRate(Achieved.Intensity, 1);
    case ReportColumn::Roof:
      return shownRate(Achieved.roofShare(), 0.01);
    case ReportColumn::Source:
      return Files.place(Source.Sites[Row.Site]);
    }
    return "";
  }

  /// A row that stands for many, or for none: only what can be added up.
  static std::vector<std::string> sumRow(const std::vector<ReportColumn> &Columns, std::string Name,
                                         std::string Calls, std::string Total, std::string Window) {
    std::vector<std::string> Cells = {std::move(Name)};
    for (const ReportColumn Column : Columns)
      Cells.push_back(Column == ReportColumn::Calls    ? Calls
                      : Column == ReportColumn::Total  ? Total
                      : Column == ReportColumn::Window ? Window
                                                       : "");
    return Cells;
  }

  void kernels() {
    const EfficiencyInput *Efficient = Input.Devices ? Input.Devices->Efficiency : nullptr;
    const bool Rates = Efficient && std::ranges::any_of(Numbers.Kernels, [&](const KernelRow &Row) {
                         const Site &What = Source.Sites[Row.Site];
                         return Efficient->Work->ofKernel(What.Name, What.Device) != nullptr;
                       });
    const std::vector<ReportColumn> Columns = chosenColumns(Rates);
    std::vector<std::string> Head = {"Kernel"};
    std::vector<size_t> TextColumns;
    for (const ReportColumn Column : Columns) {
      if (Column == ReportColumn::Source)
        TextColumns.push_back(Head.size());
      Head.emplace_back(headingOf(Column));
    }
    Table Rows(std::move(Head), TextColumns);
    Rows.cut(0, NameWidth);
    for (const size_t Column : TextColumns)
      Rows.cut(Column, SourceWidth);
    const size_t Most = Input.rowsOf(UsualKernels);
    size_t Shown = 0;
    CallStatistics Rest;
    int64_t RestSelf = 0;
    for (const KernelRow &Row : Numbers.Kernels) {
      if (Shown++ >= Most) {
        Rest.Calls += Row.Times.Calls;
        Rest.TotalNs += Row.Times.TotalNs;
        RestSelf += Row.SelfNs.value_or(0);
        continue;
      }
      const Site &What = Source.Sites[Row.Site];
      const Efficiency Achieved =
          Rates ? kernelEfficiency(*Efficient, What.Name, What.Device) : Efficiency{};
      std::vector<std::string> Cells = {escaped(Source.text(What.Name))};
      for (const ReportColumn Column : Columns)
        Cells.push_back(cell(Column, Row, Achieved));
      Rows.add(std::move(Cells));
      for (const std::string &Note :
           {unendedText(Row), Row.Times.Untimed ? shownUntimed(*Row.Times.Untimed) : ""})
        if (!Note.empty())
          Rows.add({"  " + Note}, Emphasis::Faint);
    }
    if (Shown > Most)
      Rows.add(sumRow(Columns, fmt::format("[{} more]", Shown - Most), std::to_string(Rest.Calls),
                      tools::shownTime(Rest.TotalNs),
                      Numbers.UnattributedNs ? shownShare(RestSelf, Numbers.WindowNs) : "-"),
               Emphasis::Faint);
    if (Input.Kernels.Rows)
      Rows.add(sumRow(Columns, fmt::format("[{} filtered out]", Input.Kernels.Rows),
                      std::to_string(Input.Kernels.Calls), tools::shownTime(Input.Kernels.TotalNs),
                      shownShare(Input.Kernels.SelfNs, Numbers.WindowNs)),
               Emphasis::Faint);
    if (Numbers.UnattributedNs)
      Rows.add(sumRow(Columns, "[unattributed]", "", tools::shownTime(*Numbers.UnattributedNs),
                      shownShare(*Numbers.UnattributedNs, Numbers.WindowNs)),
               Emphasis::Faint);
    Rows.add(sumRow(Columns, "[window]", "", tools::shownTime(Numbers.WindowNs),
                    Numbers.UnattributedNs ? "100.0" : "-"),
             Emphasis::Faint);
    Text += Rows.text(Colours, Input.Width);
  }

  void baseline() {
    const Trace &Eager = *Input.Baseline->Eager;
    const BaselineComparison &Comparison = *Input.Baseline->Comparison;
    Table Rows({"Fused kernel beside eager", "Calls", "Mean", "In one fused call", "Speedup"});
    bool Approximate = false;
    for (const BaselinePair &Pair : Comparison.Pairs) {
      const KernelRow &Kernel = Numbers.Kernels[Pair.Kernel];
      Rows.add({shownName(Source, Source.Sites[Kernel.Site]), std::to_string(Kernel.Times.Calls),
                tools::shownTime(Pair.FusedMeanNs), tools::shownTime(Pair.FusedMeanNs),
                fmt::format("{:.2f}x{}", Pair.Speedup, Pair.Approximate ? " ~" : "")},
               Emphasis::Strong);
      Approximate |= Pair.Approximate;
      for (const ReplacedOperator &Op : Pair.Operators) {
        const std::string Name = shortened(escaped(Op.Name), NameWidth);
        const std::string Times = Op.Count ? fmt::format("{} x ", *Op.Count) : "";
        if (Op.Rows.empty()) {
          Rows.add({fmt::format("  {}{}: not in the baseline", Times, Name)}, Emphasis::Faint);
          continue;
        }
        // Several rows can carry one operator: its time in a fused call stands beside the first.
        std::string Together;
        if (int64_t Ns; Op.Count && !__builtin_mul_overflow(Op.MeanNs, *Op.Count, &Ns))
          Together = tools::shownTime(Ns);
        for (const size_t Index : Op.Rows) {
          const EagerRow &Row = Comparison.Rows[Index];
          Rows.add({fmt::format("  {}{}: {}", Times, Name, shownRow(Eager, Row)),
                    std::to_string(Row.Calls),
                    tools::shownTime(roundedMean(Row.TotalNs, Row.Calls)), Together});
          Together.clear();
        }
      }
      Rows.add({"  eager, together", "", "", tools::shownTime(Pair.EagerMeanNs)}, Emphasis::Faint);
    }
    for (const size_t K : Comparison.UnmatchedFused)
      Rows.add({"[no eager match] " + shownName(Source, Source.Sites[Numbers.Kernels[K].Site]),
                std::to_string(Numbers.Kernels[K].Times.Calls),
                shownTime(Numbers.Kernels[K].Times.MeanNs)},
               Emphasis::Faint);
    constexpr size_t MostUnmatched = 10;
    size_t Shown = 0;
    for (const size_t Index : Comparison.UnmatchedEager) {
      const EagerRow &Row = Comparison.Rows[Index];
      if (Shown++ == MostUnmatched) {
        Rows.add({fmt::format("[{} more eager rows not replaced]",
                              Comparison.UnmatchedEager.size() - MostUnmatched)},
                 Emphasis::Faint);
        break;
      }
      Rows.add({"[eager, not replaced] " + shownRow(Eager, Row), std::to_string(Row.Calls),
                tools::shownTime(roundedMean(Row.TotalNs, Row.Calls))},
               Emphasis::Faint);
    }
    Text += fmt::format("\nbaseline {}\n", escaped(Eager.Info.Path));
    Text += Rows.text(Colours);
    if (Approximate)
      line("~ approximate: the baseline lacks an operator of the kernel, or the kernel's name does "
           "not "
           "tell how often each occurs");
  }

  const ReportInput &Input;
  const Trace &Source;
  const Statistics &Numbers;
  const FileNames Files;
  bool Colours;
  std::string Text;
};

} // namespace

std::string reportText(const ReportInput &Input, bool Colours) {
  return TextReport(Input, Colours).run();
}

} // namespace seamscope::tools
