//===- Report.h - a report's numbers as text, JSON or CSV ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_REPORT_H
#define SEAMSCOPE_TOOLS_REPORT_REPORT_H

#include "analysis/Baseline.h"
#include "analysis/Efficiency.h"
#include "analysis/OperatorTimes.h"
#include "analysis/Statistics.h"
#include "report/Filter.h"
#include "report/Findings.h"

#include <string>

namespace seamscope::tools {

/// The eager side of a comparison.
struct BaselineInput {
  const Trace *Eager;
  const BaselineComparison *Comparison;
};

/// What happened on devices, and on the host for them.
struct DeviceReport {
  std::vector<DeviceRow> Rows;
  std::vector<Origin> Links;
  LinkCounts Linking;
  std::vector<CategoryRow> Categories;
  std::vector<OperatorTimesRow> Operators;
  const EfficiencyInput *Efficiency = nullptr;
  CompiledView Compiled;
  std::vector<Advice> Findings;
};

struct ComparedRuns;
struct RankReport;
struct OwnCompiler;
struct TorchRun;

/// What to show.
struct ReportInput {
  const Trace *Source;
  const Statistics *Numbers;
  size_t Top = SIZE_MAX;                    ///< rows of the text's kernel table
  const BaselineInput *Baseline = nullptr;  ///< null: none was given
  const DeviceReport *Devices = nullptr;    ///< of the same trace
  FilteredOut Kernels = {}, Operators = {}; ///< rows that are not there by the reader's wish
  std::vector<ReportColumn> Columns = {};   ///< of the text's kernel table; empty: as it sees fit
  const TorchRun *Torch = nullptr;          ///< null: torch compiled nothing that is known of
  const OwnCompiler *Own = nullptr;         ///< null: there is no run with torch's own compiler
  const ComparedRuns *Compared = nullptr;   ///< null: there is no eager run to compare with
  const RankReport *Ranks = nullptr;        ///< null: the trace is one process's, as far as known
};

/// For people: tables. Escape sequences only if \p Colours; names from the trace are escaped.
std::string reportText(const ReportInput &Input, bool Colours);

/// `seamscope.report/1`, as docs/formats.md has it.
std::string reportJson(const ReportInput &Input);

/// One line a kernel (RFC 4180), or with a baseline one a fused kernel and operator.
std::string reportCsv(const ReportInput &Input);

/// "file.cpp:12:3" of a site, or "" when not known; \p Short leaves the folders out.
std::string sourceText(const Trace &Source, const Site &What, bool Short);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_REPORT_H
