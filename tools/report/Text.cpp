//===- Text.cpp - a report for people --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"

#include "report/Attribution.h"
#include "report/Ranks.h"
#include "report/Table.h"
#include "report/Torch.h"
#include "trace/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {

std::string sourceText(const Trace &Source, const Site &What, bool Short) {
  std::string_view File = Source.text(What.File);
  if (File.empty())
    return "";
  if (const size_t Slash = File.rfind('/'); Short && Slash != File.npos)
    File.remove_prefix(Slash + 1);
  std::string Result = escaped(File);
  if (What.Line)
    Result += fmt::format(":{}", What.Line);
  if (What.Column)
    Result += fmt::format(":{}", What.Column);
  return Result;
}

namespace {

constexpr size_t NameWidth = 48;
constexpr size_t SourceWidth = 40;

std::string shownName(const Trace &Source, const Site &What) {
  return shortened(escaped(Source.text(What.Name)), NameWidth);
}

std::string shownRow(const Trace &Eager, const EagerRow &Row) {
  return shortened(escaped(Row.title(Eager)), NameWidth);
}

std::string shownSource(const Trace &Source, const Site &What) {
  return shortened(sourceText(Source, What, true), SourceWidth);
}

std::string shownTime(const std::optional<int64_t> &Ns) { return Ns ? tools::shownTime(*Ns) : "-"; }

class TextReport {
public:
  TextReport(const ReportInput &Input, bool Colours)
      : Input(Input), Source(*Input.Source), Numbers(*Input.Numbers), Colours(Colours) {}

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
    if (Input.Devices)
      operators(Input.Devices->Operators);
    regions();
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
    line(fmt::format("{}: {} events{}{}, window {}", escaped(Info.Path),
                     Source.Events.size() + Source.Open.size(),
                     Info.Producer.empty() ? "" : ", written by " + escaped(Info.Producer),
                     Info.Rank ? fmt::format(", rank {}", *Info.Rank) : "",
                     tools::shownTime(Numbers.WindowNs)));
    if (const std::string Steps = stepsText(Source); !Steps.empty())
      line(Steps);
    if (Info.Recovered)
      line("recovered from a process that did not end by itself");
    if (Info.LostEvents)
      line(fmt::format("warning: {} events were dropped for want of space; sums are too low",
                       Info.LostEvents));
    if (Info.TwoOpenMP)
      line("warning: two OpenMP runtimes were live; times of parallel kernels are not to be "
           "trusted");
    for (const std::string &Note : Info.Notes)
      line("note: " + escaped(Note));
    line("");
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
    if (std::ranges::all_of(Operators, [&](const OperatorTimesRow &Row) {
          return std::ranges::any_of(Numbers.Kernels, [&](const KernelRow &Kernel) {
            return Source.Sites[Kernel.Site].Name == Row.Name;
          });
        }))
      return;
    const size_t Most = Input.Top == SIZE_MAX ? 20 : Input.Top;
    // On the host the operator's time is the work's; a device's rates stand with its kernels.
    const EfficiencyInput *Efficiency =
        Input.Devices->Rows.empty() ? Input.Devices->Efficiency : nullptr;
    const bool Rates =
        Efficiency && (Efficiency->Work->total().flop() || Efficiency->Work->total().bytes());
    std::vector<std::string> Head = {"Operator", "Calls", "Self", "Total", "Device"};
    if (Rates)
      Head = {"Operator", "Calls", "Self", "Total", "GFLOP/s", "GB/s", "FLOP/B"};
    Table Rows(std::move(Head));
    OperatorTimesRow Rest;
    size_t Shown = 0;
    for (const OperatorTimesRow &Row : Operators) {
      if (Shown++ < Most) {
        std::vector<std::string> Cells = {shortened(escaped(Source.text(Row.Name)), NameWidth),
                                          std::to_string(Row.Calls), tools::shownTime(Row.SelfNs),
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
    Text += '\n' + Rows.text(Colours);
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
    std::vector<ReportColumn> Columns = {Calls, Total, Mean, Min, Median, P99, Window};
    if (Rates)
      Columns.insert(Columns.end(), {Tflops, Bandwidth, Intensity, Roof});
    Columns.push_back(ReportColumn::Source);
    return Columns;
  }

  std::string cell(ReportColumn Column, const KernelRow &Row, const Efficiency &Achieved) const {
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
      return shownTime(Row.Times.MedianNs);
    case ReportColumn::P99:
      return shownTime(Row.Times.P99Ns);
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
      return shownSource(Source, Source.Sites[Row.Site]);
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
    Table Rows(std::move(Head), std::move(TextColumns));
    size_t Shown = 0;
    CallStatistics Rest;
    int64_t RestSelf = 0;
    for (const KernelRow &Row : Numbers.Kernels) {
      if (Shown++ >= Input.Top) {
        Rest.Calls += Row.Times.Calls;
        Rest.TotalNs += Row.Times.TotalNs;
        RestSelf += Row.SelfNs.value_or(0);
        continue;
      }
      const Site &What = Source.Sites[Row.Site];
      const Efficiency Achieved =
          Rates ? kernelEfficiency(*Efficient, What.Name, What.Device) : Efficiency{};
      std::vector<std::string> Cells = {shownName(Source, What)};
      for (const ReportColumn Column : Columns)
        Cells.push_back(cell(Column, Row, Achieved));
      Rows.add(std::move(Cells));
      if (Row.Open || Row.Abandoned)
        Rows.add({fmt::format("  {} still open, {} left without an exit", Row.Open, Row.Abandoned)},
                 Emphasis::Faint);
    }
    if (Shown > Input.Top)
      Rows.add(sumRow(Columns, fmt::format("[{} more]", Shown - Input.Top),
                      std::to_string(Rest.Calls), tools::shownTime(Rest.TotalNs),
                      shownShare(RestSelf, Numbers.WindowNs)),
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
    Text += Rows.text(Colours);
  }

  void regions() {
    bool Any = false;
    Table Rows({"Parallel region", "Thread", "Calls", "Busy", "Imbalance", "Source"}, {5});
    size_t Shown = 0;
    for (const KernelRow &Kernel : Numbers.Kernels) {
      if (Shown++ >= Input.Top)
        break;
      for (const RegionRow &Region : Kernel.Regions) {
        Any = true;
        const Site &What = Source.Sites[Region.Site];
        Rows.add({shownName(Source, What), "all", std::to_string(Region.Calls),
                  tools::shownTime(Region.TotalNs),
                  Region.Imbalance ? fmt::format("{:.2f}", *Region.Imbalance) : "-",
                  shownSource(Source, What)});
        for (const ThreadShare &Share : Region.Threads)
          Rows.add({"", Share.Thread ? std::to_string(*Share.Thread) : "?",
                    std::to_string(Share.Calls), tools::shownTime(Share.BusyNs)});
      }
    }
    if (Any)
      Text += '\n' + Rows.text(Colours);
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
  bool Colours;
  std::string Text;
};

} // namespace

std::string reportText(const ReportInput &Input, bool Colours) {
  return TextReport(Input, Colours).run();
}

} // namespace seamscope::tools
