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
  const CriticalPaths *Paths = nullptr; ///< null: no device worked
  std::vector<Advice> Findings;
};

struct ComparedRuns;
struct LoopTree;
struct Machine;
struct RecordingCost;
struct RankReport;
struct SampledReport;
struct StepsAlone;
class SourceRoots;
struct TorchRun;
struct Unrecorded;

/// What to show.
struct ReportInput {
  const Trace *Source;
  const Statistics *Numbers;
  size_t Top = SIZE_MAX;                    ///< rows of the kernel table; SIZE_MAX: not given
  const BaselineInput *Baseline = nullptr;  ///< null: none was given
  const DeviceReport *Devices = nullptr;    ///< of the same trace
  FilteredOut Kernels = {}, Operators = {}; ///< rows that filters removed
  /// Columns of the text's kernel table, see reportColumnNames(); empty: the default.
  std::vector<std::string> Columns = {};
  const TorchRun *Torch = nullptr;          ///< null: nothing is known of compilation by torch
  const FusedWorkBySite *Fused = nullptr;   ///< of kernels in Torch; null: not known
  const Unrecorded *Beside = nullptr;       ///< null: there is no unrecorded run
  const ComparedRuns *Compared = nullptr;   ///< null: there is no eager run to compare with
  const StepsAlone *Steps = nullptr;        ///< null: runs are compared, or no steps are known
  const RankReport *Ranks = nullptr;        ///< null: the trace is of one process, as far as known
  const SampledReport *Sampled = nullptr;   ///< null: threads were not sampled
  const LoopTree *Loops = nullptr;          ///< null: not known
  const RecordingCost *Recording = nullptr; ///< null: the cost of recording is not known
  bool Estimate = false;                    ///< what operators in fused kernels cost
  bool AllLoops = false;                    ///< in the text, also for kernels with a single loop
  bool Everything = false;                  ///< also tables without rows, for the schema
  bool Page = false;                        ///< with what only the page shows
  const Machine *Roofs = nullptr;           ///< of the machine that ran it; null: not known
  bool CanMeasureRoofs = false;             ///< it is this machine, and nobody measured them
  const SourceRoots *Roots = nullptr;       ///< null: sources are not read
  bool AllRows = false;                     ///< in the text's tables, whatever Top is

  /// Rows of a table that shows \p Usual by default.
  size_t rowsOf(size_t Usual) const { return AllRows ? SIZE_MAX : Top == SIZE_MAX ? Usual : Top; }
};

/// `seamscope.report/1`, described in docs/formats.md. What \p Input refers to must outlive it.
Document reportDocument(const ReportInput &Input);

/// Adds the page's roofline, for `seamscope roofline`. Returns why there is nothing to draw; empty:
/// there is.
std::string addRooflineOf(Section &To, const ReportInput &Input);

/// The columns of the text's kernel table that can be chosen.
const std::vector<std::string> &reportColumnNames();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_REPORT_H
