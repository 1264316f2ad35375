//===- PairedTimes.h - times of the same steps in two runs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One estimator for every ratio of a comparison: the quotient of the trimmed means of both runs'
// steps. Its interval is formed on the scale of logarithms, from
//   - the scatter of the steps: that of winsorised times (K. K. Yuen, "The two-sample trimmed t for
//     unequal population variances", Biometrika 61, 1974), with the covariance of both runs, and
//     more where neighbouring steps are alike, as they are where a machine is busy for a while;
//   - the scatter of the runs, which steps of one run do not show, of either side by itself: that
//     which several runs have, or, where it is more, that of BetweenRuns, which counts as PriorRuns
//     measurements, of these runs, and of other runs of the program (RunScatter).
// Student's t, degrees of freedom after Satterthwaite. Steps of one kind, such as those of a
// function with inputs of one shape, scatter about their own mean.
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

/// Standard deviation of the logarithm of a run's mean step, where nothing is known of it: that of
/// six programs was 0.01 to 0.06 on a machine of two processors.
inline constexpr double BetweenRuns = 0.05;
inline constexpr double PriorRuns = 4;

/// Eager over compiled time, or another run's over this one's, and its 95 % confidence interval.
struct RatioEstimate {
  double Value = 0;
  double Low = 0, High = 0;

  /// Whether the two runs differ as far as can be told.
  bool differs() const { return !holds(1); }
  bool holds(double Ratio) const { return Low <= Ratio && Ratio <= High; }
  RatioEstimate inverse() const { return {1 / Value, 1 / High, 1 / Low}; }
  /// Whether the quotient of both is another than 1 as far as can be told.
  bool differsFrom(const RatioEstimate &Other) const;
};

/// With three digits where two behind the point would not do: "1.57", "0.00312".
std::string shownRatio(double Ratio);

/// What is known of how much runs differ from other runs than those that are compared.
struct RunScatter {
  double Squares = 0; ///< of logarithms of times about their means, summed
  double Freedom = 0; ///< degrees of freedom of these
  double Further = 0; ///< variance of the logarithm of the ratio, by what more runs do not tell
};

/// One time, ns, in both runs, step by step.
class PairedTimes {
public:
  /// The next step.
  void add(int64_t EagerNs, int64_t CompiledNs, uint32_t Kind = 0);
  /// The step of that number, which is above those before.
  void addStep(uint32_t Number, int64_t EagerNs, int64_t CompiledNs, uint32_t Kind = 0);
  /// Steps of other runs, which follow at least \p Before.
  void addSteps(const PairedTimes &Other, uint32_t Before = 0);
  /// Another time of the same runs; what is of one step adds up.
  void addBeside(const PairedTimes &Other);

  uint64_t steps() const { return Steps.size(); }
  /// Both times of a step are of one run: runs do not differ.
  void ofOneRun() { OneRun = true; }
  bool isOfOneRun() const { return OneRun; }
  void setRunScatter(const RunScatter &Of) { Others = Of; }
  /// What a run is taken to be off by: standard deviation, of 1.
  double runsDifferBy() const;
  /// Pairs of them.
  uint64_t runs() const { return Runs; }
  /// Trimmed, each kind with its weight: the quotient is that of ratio().
  double meanEagerNs() const;
  double meanCompiledNs() const;
  /// Compiled times of all these steps together as they would be without a few that took very long.
  int64_t usualCompiledNs() const;

  /// Nothing for less than 3 steps, and where either took no time.
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
