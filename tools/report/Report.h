//===- Report.h - the document of a report ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_REPORT_H
#define SEAMSCOPE_TOOLS_REPORT_REPORT_H

#include "analysis/compare/Baseline.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/Efficiency.h"
#include "analysis/devices/GpuKernels.h"
#include "analysis/devices/GpuLoops.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/groups/Advice.h"
#include "analysis/torch/Compiled.h"
#include "report/model/Document.h"
#include "report/sections/Filter.h"

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
  std::vector<IdleGap> Gaps;
  LinkCounts Linking;
  std::vector<CategoryRow> Categories;
  std::vector<OperatorTimesRow> Operators;
  GpuKernels Gpu;
  GpuLoops Loops;
  const EfficiencyInput *Efficiency = nullptr;
  CompiledView Compiled;
  std::vector<Advice> Findings;
};

struct ComparedRuns;
struct LoopTree;
struct RecordingCost;
struct RankReport;
struct StepsAlone;
class SourceRoots;
struct TorchRun;
struct Unrecorded;

/// What to show.
struct ReportInput {
  const Trace *Source;
  const Statistics *Numbers;
  size_t Top = SIZE_MAX;                    ///< rows of the kernel table; SIZE_MAX: not asked for
  const BaselineInput *Baseline = nullptr;  ///< null: none was given
  const DeviceReport *Devices = nullptr;    ///< of the same trace
  FilteredOut Kernels = {}, Operators = {}; ///< rows that are not there by the reader's wish
  std::vector<std::string> Columns = {};    ///< of the text's kernels, see reportColumnNames();
                                            ///< empty: as it sees fit
  const TorchRun *Torch = nullptr;          ///< null: torch compiled nothing that is known of
  const Unrecorded *Beside = nullptr;       ///< null: there is no run that records nothing
  const ComparedRuns *Compared = nullptr;   ///< null: there is no eager run to compare with
  const StepsAlone *Steps = nullptr;        ///< null: there is one, or no steps are known
  const RankReport *Ranks = nullptr;        ///< null: the trace is one process's, as far as known
  const LoopTree *Loops = nullptr;          ///< null: it is not known
  const RecordingCost *Recording = nullptr; ///< null: it is not known what recording took
  bool AllLoops = false;                    ///< in the text also of kernels with a single one
  bool Everything = false;                  ///< also tables without rows, for the schema
  bool Page = false;                        ///< with what only the page shows
  const SourceRoots *Roots = nullptr;       ///< null: no source is read
  bool AllRows = false;                     ///< of the text's tables, whatever Top is

  /// Rows of a table that shows \p Usual where nothing is asked for.
  size_t rowsOf(size_t Usual) const { return AllRows ? SIZE_MAX : Top == SIZE_MAX ? Usual : Top; }
};

/// `seamscope.report/1`, as docs/formats.md has it. What \p Input refers to must outlive it.
Document reportDocument(const ReportInput &Input);

/// The columns of the text's kernels that can be chosen.
const std::vector<std::string> &reportColumnNames();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_REPORT_H
