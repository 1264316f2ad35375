//===- TraceReport.cpp - writes the report of a trace ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/TraceReport.h"

#include "analysis/groups/SourceLines.h"
#include "report/sections/Documents.h"
#include "run/join/GraphCalls.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Writes the report, or the groups of --by.
class TraceReport {
public:
  explicit TraceReport(const ReportOptions &Given) : Options(Given), Made(wanted(Given)) {}

  int run() {
    if (const int Failed = Made.read())
      return Failed;
    if (!Options.By.empty())
      return reportGroups();
    if (const int Failed = Made.make())
      return Failed;
    Document Doc = Made.document();
    if (Options.Output.Csv && !Options.Columns.empty())
      chooseColumns(Doc, Options.Columns);
    const int Written = writeDocument(Doc, Options.Output, "report");
    return Written ? Written : Made.warn(Options.Strict);
  }

private:
  static ReportWanted wanted(const ReportOptions &Given) {
    ReportWanted Made = Given;
    Made.Page = Given.Output.Html;
    if (!Given.By.empty())
      Made.Details = groupKeyOf(Given.By) ? detailsFor(*groupKeyOf(Given.By)) : ReadOptions();
    Made.Reading = [Threads = Given.Threads](const std::string &Path, ReadOptions Keep) {
      return readOptions(Path, Threads, std::move(Keep));
    };
    return Made;
  }

  Trace &source() { return Made.source(); }

  /// --by symbol, library, and line where neither loops nor operators were recorded.
  int reportSamples(SamplesBy Key) {
    std::vector<SampleRow> Rows = samplesBy(source(), *Made.Names, Key);
    const FilteredOut Filtered = filterRows(Rows, Made.Filter);
    if (Options.Sort && *Options.Sort == SortKey::Name)
      std::ranges::stable_sort(Rows, {}, &SampleRow::Key);
    Document Doc = sampleGroupsDocument({
        .Source = &source(),
        .Rows = &Rows,
        .Complaints = &Made.Names->Complaints,
        .By = Options.By,
        .WindowNs = Made.Numbers.WindowNs,
        .Top = Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : 50),
        .Filtered = Filtered,
    });
    if (const std::string Why = chooseColumns(Doc, Options.Columns); !Why.empty()) {
      complain(fmt::format("report: --columns with --by {}: {}", Options.By, Why));
      return BadUsage;
    }
    const int Written = writeDocument(Doc, Options.Output, "report");
    return Written ? Written : warnOfDamage(*Made.Read, Options.Strict);
  }

  int reportGroups() {
    const TraceInfo &Info = source().Info;
    if (const auto Key = sampleKeyOf(Options.By);
        Key && (*Key != SamplesBy::Line ||
                !(Made.hasA(SiteKind::Loop) || Made.hasA(SiteKind::Operator)))) {
      if (Made.Names && source().Samples.size())
        return reportSamples(*Key);
      if (*Key != SamplesBy::Line)
        return fail({Info.Path, {}, fmt::format("has no samples; --by {} needs them", Options.By)});
    }
    if (Info.Part)
      return fail(
          {Info.Path,
           {},
           fmt::format("has only sums of {} calls; --by needs every call, and all are in {}",
                       Info.Part->LeftOut, Info.Part->AllIn)});
    if (!source().Profile.empty())
      return fail({Info.Path,
                   {},
                   "holds sums of mode profile, not calls; --by needs a trace of mode trace"});
    Grouping Groups = groupRows(*groupKeyOf(Options.By));
    if (Options.Sort && !sortGroups(Groups.Rows, *Options.Sort)) {
      complain(
          fmt::format("report: --sort with --by {}: its rows have no percentiles", Options.By));
      return BadUsage;
    }
    const FilteredOut Filtered = filterRows(Groups.Rows, Made.Filter);
    Document Doc = groupsDocument({
        .Source = &source(),
        .Groups = &Groups,
        .By = Options.By,
        .WindowNs = Made.Numbers.WindowNs,
        .ApartNs = Made.Numbers.ApartNs.value_or(0),
        // A table for people is short, data are complete.
        .Top = Options.Top.orUsual(Options.Output.isData() ? SIZE_MAX : 50),
        .Filtered = Filtered,
    });
    if (const std::string Why = chooseColumns(Doc, Options.Columns); !Why.empty()) {
      complain(fmt::format("report: --columns with --by {}: {}", Options.By, Why));
      return BadUsage;
    }
    const int Written = writeDocument(Doc, Options.Output, "report");
    return Written ? Written : warnOfDamage(*Made.Read, Options.Strict);
  }

  Grouping groupRows(GroupKey Key) {
    if (Key == GroupKey::Line && Made.hasA(SiteKind::Loop))
      return groupByLine(source(), loopTree(source(), /*AllKernels=*/true));
    return groupBy(source(), linkWork(source()), Key,
                   Key == GroupKey::Module && Made.Torch ? kernelModules(*Made.Torch, source())
                                                         : KernelModules());
  }

  const ReportOptions Options;
  ReportMaker Made;
};

} // namespace

int reportTrace(const ReportOptions &Options) { return TraceReport(Options).run(); }

} // namespace seamscope::tools
