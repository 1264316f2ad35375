//===- PairedTimes.h - times of the same steps in two runs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One estimator for every ratio of a comparison: the quotient of the trimmed
// means of both runs' steps. Its interval is formed on a logarithmic scale,
// from
//
// - the scatter of the steps: that of winsorised times (K. K. Yuen, "The
// two-sample trimmed t for unequal population variances", Biometrika 61, 1974),
// with the covariance of both runs; it is larger if neighbouring steps are
// alike, as they are while a machine is busy;
// - the scatter of the runs, separately for each side, which steps of one run
// do not show: that of the side's runs, or BetweenRuns if it is larger.
// BetweenRuns counts as PriorRuns measurements. Other runs of the program count
// too (RunScatter).
//
// Student's t, degrees of freedom after Satterthwaite. Steps of one kind, such
// as those of a function with inputs of one shape, scatter about their own
// mean.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PAIREDTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PAIREDTIMES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Standard deviation of the logarithm of a run's mean step, if nothing else is known: for six
/// programs it was 0.01 to 0.06 on a machine with two processors.
inline constexpr double BetweenRuns = 0.05;
inline constexpr double PriorRuns = 4;

/// Eager over compiled time, or another run's over this one's, with its 95 % confidence interval.
struct RatioEstimate {
  double Value = 0;
  double Low = 0, High = 0;

  /// Whether the two runs differ as far as can be told.
  bool differs() const { return !holds(1); }
  bool holds(double Ratio) const { return Low <= Ratio && Ratio <= High; }
  RatioEstimate inverse() const { return {1 / Value, 1 / High, 1 / Low}; }
  /// Whether the ratio of both differs from 1, as far as can be told.
  bool differsFrom(const RatioEstimate &Other) const;
};

/// With three significant digits if two decimals are too few: "1.57", "0.00312".
std::string shownRatio(double Ratio);

/// What other runs than the compared ones show about how much runs differ.
struct RunScatter {
  double Squares = 0; ///< sum of squares of logarithms of times about their means
  double Freedom = 0; ///< degrees of freedom of these
  double Further = 0; ///< variance of the logarithm of the ratio that more runs do not reduce
};

/// One time in both runs, step by step, in ns.
class PairedTimes {
public:
  /// The next step.
  void add(int64_t EagerNs, int64_t CompiledNs, uint32_t Kind = 0);
  /// The step with that number, which is above all before.
  void addStep(uint32_t Number, int64_t EagerNs, int64_t CompiledNs, uint32_t Kind = 0);
  /// Steps of other runs, whose numbers are at least \p Before.
  void addSteps(const PairedTimes &Other, uint32_t Before = 0);
  /// Adds another time of the same runs, step by step.
  void addBeside(const PairedTimes &Other);

  uint64_t steps() const { return Steps.size(); }
  /// Both times of a step are from one run, so runs do not differ.
  void ofOneRun() { OneRun = true; }
  bool isOfOneRun() const { return OneRun; }
  void setRunScatter(const RunScatter &Of) { Others = Of; }
  /// By how much a run is assumed to be off: standard deviation, relative to 1.
  double runsDifferBy() const;
  /// Pairs of them.
  uint64_t runs() const { return Runs; }
  /// Trimmed, each kind with its weight: their quotient is ratio().
  double meanEagerNs() const;
  double meanCompiledNs() const;
  /// Compiled times of all these steps together, as if a few very long ones had been normal.
  int64_t usualCompiledNs() const;

  /// Nothing for fewer than 3 steps, or if either side took no time.
  std::optional<RatioEstimate> ratio() const;

private:
  struct Step {
    uint32_t Run, Number, Kind;
    double Eager, Compiled;
  };
  using Stratum = std::vector<const Step *>; ///< of one kind
  using Strata = std::vector<Stratum>;

  Strata strata() const;
  double mean(const Strata &Kinds, double Step::*Of) const;
  double runScatter(const Strata &Kinds, double Step::*Of) const;
  struct Spread {
    double Variance, Freedom;
  };
  Spread betweenRuns(const Strata &Kinds, double Step::*Of) const;
  Spread betweenRuns(const Strata &Kinds) const;

  std::vector<Step> Steps; ///< by run and number
  uint32_t Runs = 0;
  bool OneRun = false;
  RunScatter Others;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PAIREDTIMES_H
