//===- Welch.h - how far means of few measurements can be told apart ------===//
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

/// What a t test knows of a list of measurements.
struct Sample {
  size_t Count = 0;
  double Mean = 0;     ///< 0 without any
  double Variance = 0; ///< with Count - 1 below; 0 with fewer than 2

  Sample times(double Factor) const { return {Count, Mean * Factor, Variance * Factor * Factor}; }
};

Sample sampleOf(std::span<const int64_t> Values);

/// Welch's t test (B. L. Welch, "The generalization of 'Student's' problem when several different
/// population variances are involved", Biometrika 34, 1947), the degrees of freedom after
/// Satterthwaite (1946). It does not suppose that both have the same variance.
struct WelchTest {
  double T = 0;           ///< second mean less the first, over Error; infinite where that is 0
  double Error = 0;       ///< standard error of the difference
  double Degrees = 0;     ///< of freedom
  double Probability = 1; ///< two-sided
};

/// Nothing where a sample has fewer than 2 measurements: then its spread is not known.
std::optional<WelchTest> welchTest(const Sample &First, const Sample &Second);

/// A confidence interval of a ratio of means.
struct RatioInterval {
  double Low = 0;             ///< not below 0
  std::optional<double> High; ///< nothing: the measurements set no limit
};

/// The ratios r of the second mean to the first, from 0 on, for which the test does not tell the
/// second sample from r times the first: what E. C. Fieller did with variances that are known to be
/// alike ("Some problems in interval estimation", J. R. Statist. Soc. B 16, 1954), here with
/// Welch's error and degrees of freedom at each r. T. Kalibera and R. Jones ("Rigorous benchmarking
/// in reasonable time", ISMM 2013) use such an interval for speed-ups. \p Confidence: 0.95.
/// Nothing where the test knows nothing, or the first mean is not above 0.
std::optional<RatioInterval> ratioInterval(const Sample &First, const Sample &Second,
                                           double Confidence);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_WELCH_H
