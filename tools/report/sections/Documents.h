//===- Documents.h - documents of verbs other than report -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/formats.md describes them. What their inputs refer to must outlive them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_DOCUMENTS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_DOCUMENTS_H

#include "analysis/compare/Diff.h"
#include "analysis/compare/Repeats.h"
#include "analysis/compare/StepDiff.h"
#include "analysis/groups/GroupBy.h"
#include "analysis/groups/KernelLaunches.h"
#include "report/model/Document.h"
#include "report/sections/Filter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Rows that filters removed.
struct DiffFiltered {
  uint64_t Rows = 0, FirstCalls = 0, SecondCalls = 0;
  int64_t FirstNs = 0, SecondNs = 0;
};

struct DiffInput {
  const Trace *First;
  const Trace *Second;
  const Difference *Result;
  size_t Top = SIZE_MAX; ///< rows shown
  DiffFiltered Filtered = {};
  const RepeatedDifference *Repeats = nullptr; ///< null: one run for each side, and no threshold
  double ThresholdPercent = 0;                 ///< of these
  const StepDiff *Steps = nullptr;             ///< null: they are not two runs of torch.compile
};

/// `seamscope.diff/1`.
Document diffDocument(const DiffInput &Input);
/// Its `repeats`: changes of means with their intervals, and whether they exceed \p
/// ThresholdPercent.
void addRepeats(Section &To, const RepeatedDifference &Of, double ThresholdPercent, size_t Top);

/// Its `steps`.
void addStepDiff(Section &To, const StepDiff &Of);

struct GroupsInput {
  const Trace *Source;
  const Grouping *Groups;
  std::string By; ///< name of the key
  int64_t WindowNs;
  int64_t ApartNs = 0;       ///< time of compilation, which is not part of the window
  size_t Top = SIZE_MAX;     ///< rows shown
  FilteredOut Filtered = {}; ///< rows that filters removed
};

/// `seamscope.groups/1`.
Document groupsDocument(const GroupsInput &Input);

struct LaunchesInput {
  const Trace *Source;
  const KernelLaunches *Launches;
  std::vector<uint32_t> Rows;       ///< the rows shown, by index of KernelLaunches::Rows
  std::vector<std::string> Columns; ///< in this order
};

/// `seamscope.kernels/1`.
Document launchesDocument(const LaunchesInput &Input);
/// Names of the columns in options and JSON, in the order of PyProf.
const std::vector<std::string> &launchColumnNames();
/// The default columns of the text; PyProf's choice.
std::vector<std::string> usualLaunchColumns();

/// A row for each event of \p Source.
Document eventsDocument(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_DOCUMENTS_H
