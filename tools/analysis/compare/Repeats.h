//===- Repeats.h - two sides of several runs each -------------------------===//
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

/// Whether the second side takes longer by more than the threshold.
enum class RepeatVerdict : uint8_t {
  Exceeds,    ///< it does: all of the interval lies above
  Within,     ///< it does not: none of it does
  NotCertain, ///< the runs differ too much to tell, or are too few
};

/// "exceeds", "within", "not certain".
std::string_view repeatVerdictName(RepeatVerdict Verdict);

struct RepeatOptions {
  double ThresholdPercent = 0; ///< above -100: of the first side's mean
  double Confidence = 0.95;    ///< of each interval: above 0 and below 1
  /// Whether Confidence is that of all rows together: each row then gets the interval of 1 - (1 -
  /// Confidence) / rows (O. J. Dunn, "Multiple comparisons among means", JASA 56, 1961). Without it
  /// some of many rows exceed by chance.
  bool AllRowsTogether = false;
};

/// Change of a mean, and between what it lies.
struct RepeatChange {
  int64_t Ns = 0;                ///< of the means, rounded
  std::optional<double> Percent; ///< of the first mean; nothing: that is 0
  // Nothing where a side has one run: its spread is not known.
  std::optional<int64_t> LowNs, HighNs; ///< by welchTest(), rounded outwards
  std::optional<double> LowPercent;     ///< by ratioInterval(); at least -100; nothing also where
                                        ///< the first mean is 0
  std::optional<double> HighPercent;    ///< likewise; nothing also where there is no upper limit
  /// Whether all runs of the second side lie above the threshold over all of the first. Where one
  /// run is far off, the interval is wide and nothing is certain, while this may be plain.
  bool AllAbove = false;
  /// How often chance alone lets all runs of one side lie above all of the other, or below: 2 in
  /// (n + m over n) times, the least that the rank-sum test of F. Wilcoxon (Biometrics Bulletin 1,
  /// 1945) can give for so many runs. 2 and 2: a third, 4 and 4: 3 %.
  double ApartByChance = 1;
  std::optional<double> Probability; ///< of means that far apart if nothing changed, by welchTest()
  RepeatVerdict Verdict = RepeatVerdict::NotCertain;
};

/// A row of matchRuns(), or the windows. Times as in DiffRow.
struct RepeatRow {
  MatchedRow Runs;
  int64_t FirstMeanNs = 0, SecondMeanNs = 0; ///< rounded half up; a run without the row counts
  RepeatChange Change;
};

struct RepeatedDifference {
  size_t FirstRuns = 0, SecondRuns = 0;
  RepeatRow Window;            ///< of the whole traces; always with Confidence itself
  std::vector<RepeatRow> Rows; ///< largest change first; in each run they add up to its window
  double RowConfidence = 0;    ///< of the rows' intervals

  /// Whether each side has runs enough for intervals: 2.
  bool knowsSpread() const { return FirstRuns > 1 && SecondRuns > 1; }
};

/// Compares \p First with \p Second, each of at least one run: totals of equal work, as one command
/// run several times gives them. Runs are taken to be independent; what warms up or throttles from
/// one to the next is not told from a change.
RepeatedDifference compareRepeats(std::vector<RunTotals> First, std::vector<RunTotals> Second,
                                  const RepeatOptions &Options);

/// The change of a mean alone.
RepeatChange changeOf(const std::vector<int64_t> &FirstNs, const std::vector<int64_t> &SecondNs,
                      double ThresholdPercent, double Confidence);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_REPEATS_H
