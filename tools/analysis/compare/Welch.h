//===- Welch.h - t tests for means of few measurements --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_WELCH_H
#define SEAMSCOPE_TOOLS_ANALYSIS_WELCH_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace seamscope::tools {

/// What a t test needs of a list of measurements.
struct Sample {
  size_t Count = 0;
  double Mean = 0;     ///< 0 without measurements
  double Variance = 0; ///< with Count - 1 as divisor; 0 for fewer than 2

  Sample times(double Factor) const { return {Count, Mean * Factor, Variance * Factor * Factor}; }
};

Sample sampleOf(std::span<const int64_t> Values);

/// Welch's t test (B. L. Welch, "The generalization of 'Student's' problem when several different
/// population variances are involved", Biometrika 34, 1947), with degrees of freedom after
/// Satterthwaite (1946). It does not assume equal variances.
struct WelchTest {
  double T = 0;           ///< second mean less the first, over Error; infinite where that is 0
  double Error = 0;       ///< standard error of the difference
  double Degrees = 0;     ///< of freedom
  double Probability = 1; ///< two-sided
};

/// Nothing if a sample has fewer than 2 measurements: then its spread is not known.
std::optional<WelchTest> welchTest(const Sample &First, const Sample &Second);

/// A confidence interval of a ratio of means.
struct RatioInterval {
  double Low = 0;             ///< not below 0
  std::optional<double> High; ///< nothing: the measurements set no limit
};

/// The ratios r >= 0 of the second mean to the first for which the test does not distinguish the
/// second sample from r times the first. E. C. Fieller did this for variances in a known ratio
/// ("Some problems in interval estimation", J. R. Statist. Soc. B 16, 1954); here Welch's error and
/// degrees of freedom are used for each r. T. Kalibera and R. Jones ("Rigorous benchmarking in
/// reasonable time", ISMM 2013) use such an interval for speed-ups. \p Confidence: 0.95. Nothing if
/// the test has no result, or if the first mean is not above 0.
std::optional<RatioInterval> ratioInterval(const Sample &First, const Sample &Second,
                                           double Confidence);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_WELCH_H
