//===- SplitWindow.h - the window by row, as reports and diff show it -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SPLITWINDOW_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SPLITWINDOW_H

#include "analysis/core/KernelRows.h"
#include "analysis/core/MoveUntimed.h"
#include "analysis/core/SelfTime.h"
#include "analysis/samples/CodeNames.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The parts of rows in a window; moments in which threads did not run are not work. All of it and
/// the times outside of rows add up to the window.
struct SplitWindow {
  SelfTimes Self; ///< with the untimed calls of kernels
  /// By row, of those whose untimed calls samples decided.
  std::vector<std::optional<UntimedCalls>> BySamples;
  /// By row, and at the end outside of rows, how far the time that it kept then may be off.
  std::vector<double> SampleErrorsNs;
  MovedTimes Moved; ///< of the other rows
  /// Time in which threads in kernels spun, by samples: a wait, which their rows do not have.
  /// Nothing if none did.
  std::optional<int64_t> SpinningNs;
  /// Time in which hooks ran, by samples, in kernels and outside, which neither have. Nothing if it
  /// is too little to matter.
  std::optional<int64_t> RecordingNs;
  /// Rows, or their number for the time outside, and the errors of these two, in ns.
  std::vector<std::pair<uint32_t, double>> PartErrors;
};

/// Gives untimed calls their time in \p Self. Row numbers below those of \p Rows are kernels,
/// others have no untimed calls. \p Names: null: samples decide nothing.
SplitWindow placeUntimed(const Trace &Input, const KernelRows &Rows, const CodeNames *Names,
                         SelfTimes Self);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_SPLITWINDOW_H
