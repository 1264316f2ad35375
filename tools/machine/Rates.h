//===- Rates.h - one figure from many runs --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_RATES_H
#define SEAMSCOPE_TOOLS_MACHINE_RATES_H

#include <algorithm>
#include <cmath>
#include <vector>

namespace seamscope::tools {

/// A rate and how much its runs differ.
struct RateFigure {
  double Rate = 0;          ///< the upper decile of the runs; 0: no runs
  double SpreadPercent = 0; ///< upper less lower decile, in percent of the upper
};

/// The figure of runs with these rates. Other work on the machine only lowers a rate, and the
/// largest of many may be an error of the clock: hence the upper decile. Deciles are those of
/// the nearest rank.
inline RateFigure figureOf(std::vector<double> Rates) {
  if (Rates.empty())
    return {};
  std::ranges::sort(Rates);
  const auto At = [&](double Share) {
    const auto Rank = static_cast<size_t>(std::ceil(Share * static_cast<double>(Rates.size())));
    return Rates[std::clamp<size_t>(Rank, 1, Rates.size()) - 1];
  };
  const double Low = At(0.1), High = At(0.9);
  return {High, High > 0 ? 100 * (High - Low) / High : 0};
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_RATES_H
