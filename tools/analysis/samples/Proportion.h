//===- Proportion.h - a share that samples estimate ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_PROPORTION_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_PROPORTION_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace seamscope::tools {

/// A share with its 95 % interval.
struct Proportion {
  double Share = 0, Low = 0, High = 1;
};

/// Fewer samples of something say too little.
inline constexpr uint64_t LeastSamples = 5;

/// Of \p All samples, \p Some. The interval is Wilson's score interval for a binomial proportion:
/// (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), z = 1.96.
inline Proportion proportionOf(double Some, double All) {
  if (!(All > 0))
    return {};
  constexpr double Z = 1.959963984540054;
  const double P = Some / All, Z2 = Z * Z / All;
  const double Middle = (P + Z2 / 2) / (1 + Z2);
  const double Half = Z * std::sqrt(P * (1 - P) / All + Z2 / (4 * All)) / (1 + Z2);
  return {P, Some > 0 ? std::max(0.0, Middle - Half) : 0,
          Some < All ? std::min(1.0, Middle + Half) : 1};
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_PROPORTION_H
