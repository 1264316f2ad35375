//===- MakeReport.h - makes the report of a trace -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_MAKEREPORT_H
#define SEAMSCOPE_TOOLS_CLI_MAKEREPORT_H

#include "analysis/compare/StepsAlone.h"
#include "analysis/core/LoopTree.h"
#include "analysis/core/RecordingCost.h"
#include "analysis/devices/Work.h"
#include "analysis/torch/CriticalPath.h"
#include "cli/ReportInputs.h"
#include "machine/Machine.h"
#include "report/Report.h"
#include "report/sections/Samples.h"
#include "run/folder/HostLoad.h"
#include "run/folder/SourceRoots.h"
#include "run/join/ComparedRuns.h"
#include "run/join/SampledCode.h"
#include "run/join/TorchRun.h"
#include "run/join/Unrecorded.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The roofs of this machine, if \p Source is from here and counted work. \p CanMeasure: set if
/// they are wanted, and nobody measured them.
std::optional<Machine> ownRoofs(const Trace &Source, bool &CanMeasure);

/// What to make.
struct ReportWanted {
  const char *Verb = "report"; ///< in messages
  std::string Path, Baseline, Type, Peaks, Machine, Filter;
  std::vector<std::string> Columns, Roots;
  std::optional<int64_t> Rank;
  WantedPart Part;
  bool Self = false, CompileTime = false, Loops = false, Estimate = false;
  bool Page = false; ///< with what only the page shows
  RowsWanted Top;
  std::optional<SortKey> Sort;
  /// What is read of a trace besides calls; nothing: what a report needs.
  std::optional<ReadOptions> Details;
  /// How a trace is read.
  std::function<ReadOptions(const std::string &Path, ReadOptions Keep)> Reading;
};

/// Makes a report. Its document refers to the members, which must stay in place. Functions that
/// return an exit status have said what is wrong.
class ReportMaker {
public:
  explicit ReportMaker(ReportWanted Given) : Options(std::move(Given)) {}
  ReportMaker(const ReportMaker &) = delete;
  ReportMaker &operator=(const ReportMaker &) = delete;

  /// Reads the traces, and computes times.
  int read();
  /// Finds everything else; after read().
  int make();
  /// After make().
  Document document() const { return reportDocument(Input); }
  /// The roofline alone, see addRooflineOf(); after make().
  std::string addRoofline(Section &To) const { return addRooflineOf(To, Input); }
  /// Says what is missing of the traces.
  int warn(bool Strict) const;

  Trace &source() { return Read->Source; }
  bool hasA(SiteKind Kind);

  // After read().
  std::optional<ReportedTrace> Read;
  std::optional<TorchRun> Torch;
  std::optional<CodeNames> Names; ///< nothing: threads were not sampled
  Statistics Numbers;
  NameFilter Filter;
  // After make().
  DeviceReport Devices;
  FusedWorkBySite Fused; ///< of kernels that torch generated
  std::optional<TraceWork> Work;

private:
  void note(std::string Sentence) { source().Info.Notes.push_back(std::move(Sentence)); }
  unsigned processors() { return Host ? Host->Processors : source().Info.Processors; }
  int chooseTraces();
  int readSettings();
  int readTraces();
  /// Reads what torch compiled in the trace's run, and names kernels by it.
  int nameByRun();
  /// Finds what happened on devices, and by operators.
  void findDevices();
  /// Finds what other work on the machine, and failed runs in the folder, did to this run.
  void findLoad();
  void findAdvice();
  /// Sets what the document shows of this trace alone.
  void setInput();
  /// Compares this run with those in the folder, or with the trace that --baseline names.
  void findRoofs();
  int compareSides();
  int compareRunsInFolder();
  int compareToTrace();

  const ReportWanted Options;
  std::string Wanted;             ///< trace or folder
  std::vector<std::string> Paths; ///< of traces
  PeakTable Peaks = PeakTable::published();
  std::optional<Machine> Roofs;
  std::string Folder;                      ///< of the run; empty: none
  std::optional<CriticalPaths> CriticalOf; ///< nothing: no device worked
  std::optional<SampledReport> Sampled;
  std::vector<UntimedShare> Untimed;
  EfficiencyInput Efficiency = {};
  LoopTree Loops;
  FolderLogs Logs;
  std::vector<Error> StepsNotRead;
  std::optional<HostLoad> Host;
  std::optional<SourceRoots> Roots;
  std::optional<RecordingCost> Recording;
  std::optional<RankReport> Ranks;
  std::optional<ComparedRuns> Compared;
  std::optional<StepsAlone> Alone;
  std::optional<Unrecorded> Beside;
  std::optional<Trace> Eager; ///< that --baseline names
  BaselineComparison Comparison;
  BaselineInput Baseline = {};
  ReportInput Input = {};
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_MAKEREPORT_H
