//===- PairedTimes.h - times of the same steps in two runs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One estimator for every ratio of a comparison: eager over compiled time of
// all steps, with the confidence interval of a ratio estimator (Cochran,
// Sampling Techniques, 3rd ed., section 6.4): by the scatter of the residuals
// e - R c about 0, and Student's t. It takes steps for independent; what drifts
// slowly or disturbs a whole run is not in it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_PAIREDTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_PAIREDTIMES_H

#include <cstdint>
#include <optional>

namespace seamscope::tools {

/// Eager over compiled time, or another run's over this one's, and its 95 % confidence interval.
struct RatioEstimate {
  double Value = 0;
  double Low = 0, High = 0;

  /// Whether the two runs differ as far as can be told.
  bool differs() const { return Low > 1 || High < 1; }
};

/// Sums of one time, ns, in both runs, step by step.
class PairedTimes {
public:
  /// One step.
  void add(int64_t EagerNs, int64_t CompiledNs);
  /// Other steps.
  void addSteps(const PairedTimes &Other);
  /// Another time of the same steps, taken for independent of this one.
  void addBeside(const PairedTimes &Other);

  uint64_t steps() const { return Steps; }
  double meanEagerNs() const { return Eager; }
  double meanCompiledNs() const { return Compiled; }

  /// Nothing for less than 3 steps, and where the compiled run took no time.
  std::optional<RatioEstimate> ratio() const;

private:
  uint64_t Steps = 0;
  double Eager = 0, Compiled = 0;                                 ///< means
  double EagerEager = 0, CompiledCompiled = 0, EagerCompiled = 0; ///< sums about the means
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_PAIREDTIMES_H
