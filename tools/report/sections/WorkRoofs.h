//===- WorkRoofs.h - counted work below the roofs of the machine -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each resource of the machine needs some time at least for the work that a kernel counted. Over
// the time that the kernel took, this is the share of that roof. The largest share bounds the
// kernel.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKROOFS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKROOFS_H

#include "analysis/work/ExecutedWork.h"

namespace seamscope::tools {

struct Machine;

struct RoofShares {
  std::optional<double> Arithmetic; ///< FLOPs at the peak, each type by its own
  std::optional<double> Division;   ///< divisions and square roots at the rate of the divider
  std::optional<double> Functions;  ///< scalar calls of libm, at their cost in a loop of them
  std::optional<double> L1;         ///< executed loads and stores at the rate of L1
  std::optional<double> Memory;     ///< distinct bytes at the rate of `Level`
  std::string Level;                ///< that the distinct bytes of a call fit: "L2", "DRAM"

  bool isKnown() const { return nearest().second.has_value(); }
  /// Whether the nearest roof explains the time: the kernel reaches half of it.
  bool bounds() const { return nearest().second.value_or(0) >= 0.5; }
  /// The largest share, with its name: "arithmetic", "division", "functions", or a level of memory.
  std::pair<std::string, std::optional<double>> nearest() const;
};

/// The shares of \p Of, whose \p Calls took \p Seconds on \p Threads threads. Sums that are not
/// known to a tenth have none.
RoofShares roofShares(const KernelWork &Of, uint64_t Calls, const Machine &Roofs, unsigned Threads,
                      double Seconds);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKROOFS_H
