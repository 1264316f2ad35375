//===- WorkRoofs.h - counted work below the roofs of the machine -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each resource of the machine needs some time at least for the work that a kernel or a loop
// counted. Over the time that this took, it is the share of that roof. The largest share bounds the
// kernel.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKROOFS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKROOFS_H

#include "analysis/work/ExecutedWork.h"
#include "analysis/work/WorkTimes.h"

namespace seamscope::tools {

struct Machine;

struct RoofShares {
  std::optional<double> Arithmetic; ///< FLOPs at the peak, each type by its own
  std::optional<double> Division;   ///< divisions and square roots at the rate of the divider
  std::optional<double> Functions;  ///< scalar calls of libm, at their cost in a loop of them
  std::optional<double> L1;         ///< executed loads and stores at the rate of L1
  std::optional<double> Memory;     ///< distinct bytes at the rate of `Level`
  std::string Level;                ///< that the distinct bytes of a call fit: "L2", "DRAM"
  bool IsPartial = true;            ///< another resource, whose share is not known, may be nearer
  bool IsAtLeast = false;           ///< the time may be shorter, and the shares larger

  bool isKnown() const { return nearest().second.has_value(); }
  /// Whether the nearest roof explains the time: the kernel reaches half of it.
  bool bounds() const { return nearest().second.value_or(0) >= 0.5; }
  /// Whether no roof does.
  bool isBelowAll() const { return isKnown() && !bounds() && !IsPartial && !IsAtLeast; }
  /// The largest share, with its name: "arithmetic", "division", "functions", or a level of memory.
  std::pair<std::string, std::optional<double>> nearest() const;
};

/// The shares of a kernel's calls. Sums that are not known to a tenth have none.
RoofShares roofShares(const KernelWork &Of, uint64_t Calls, const Machine &Roofs,
                      const WorkTime &Time);
/// Those of any work; memory is not known beyond L1.
RoofShares roofShares(const ExecutedWork &Of, const Machine &Roofs, const WorkTime &Time);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_WORKROOFS_H
