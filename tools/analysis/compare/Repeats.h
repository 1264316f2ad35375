//===- Repeats.h - compares several runs of each side ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_REPEATS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_REPEATS_H

#include "analysis/compare/RunTotals.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Whether the second side exceeds the threshold.
enum class RepeatVerdict : uint8_t {
  Exceeds,    ///< yes: the whole interval is above it
  Within,     ///< no: none of the interval is above it
  NotCertain, ///< the runs differ too much, or are too few
};

/// "exceeds", "within", "not certain".
std::string_view repeatVerdictName(RepeatVerdict Verdict);

struct RepeatOptions {
  double ThresholdPercent = 0; ///< above -100: of the first side's mean
  double Confidence = 0.95;    ///< of each interval: above 0 and below 1
  /// Whether Confidence holds for all rows together: each row then gets the interval of 1 - (1 -
  /// Confidence) / rows (O. J. Dunn, "Multiple comparisons among means", JASA 56, 1961). Otherwise
  /// some of many rows exceed by chance.
  bool AllRowsTogether = false;
};

/// Change of a mean, and its interval.
struct RepeatChange {
  int64_t Ns = 0;                ///< of the means, rounded
  std::optional<double> Percent; ///< of the first mean; nothing if that is 0
  // Nothing if a side has one run: its spread is not known.
  std::optional<int64_t> LowNs, HighNs; ///< by welchTest(), rounded outwards
  /// By ratioInterval(); at least -100; nothing also if the first mean is 0.
  std::optional<double> LowPercent;
  std::optional<double> HighPercent; ///< the same; nothing also if there is no upper limit
  /// Whether all runs of the second side exceed all of the first by more than the threshold. If one
  /// run is far off, the interval is wide and nothing is certain, but this may still be clear.
  bool AllAbove = false;
  /// The probability that by chance all runs of one side are above all of the other, or below: 2 in
  /// (n + m over n), the least that the rank-sum test of F. Wilcoxon (Biometrics Bulletin 1, 1945)
  /// can give for so many runs. 2 and 2: a third, 4 and 4: 3 %.
  double ApartByChance = 1;
  std::optional<double> Probability; ///< of means that far apart if nothing changed, by welchTest()
  RepeatVerdict Verdict = RepeatVerdict::NotCertain;
};

/// A row of matchRuns(), or the windows. Times as in DiffRow.
struct RepeatRow {
  MatchedRow Runs;
  int64_t FirstMeanNs = 0, SecondMeanNs = 0; ///< rounded half up; a run without the row counts as 0
  RepeatChange Change;
};

struct RepeatedDifference {
  size_t FirstRuns = 0, SecondRuns = 0;
  RepeatRow Window;            ///< the whole traces; always with Confidence itself
  std::vector<RepeatRow> Rows; ///< largest change first; in each run they add up to its window
  double RowConfidence = 0;    ///< confidence of the rows' intervals

  /// Whether each side has enough runs for intervals: 2.
  bool knowsSpread() const { return FirstRuns > 1 && SecondRuns > 1; }
};

/// Compares \p First with \p Second, each of at least one run: totals of equal work, such as
/// several runs of one command. Runs are assumed to be independent: drift from one run to the next,
/// by warming up or throttling, looks like a change.
RepeatedDifference compareRepeats(std::vector<RunTotals> First, std::vector<RunTotals> Second,
                                  const RepeatOptions &Options);

/// Only the change of a mean.
RepeatChange changeOf(const std::vector<int64_t> &FirstNs, const std::vector<int64_t> &SecondNs,
                      double ThresholdPercent, double Confidence);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_REPEATS_H
