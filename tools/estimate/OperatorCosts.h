//===- OperatorCosts.h - what operators in a fused kernel cost, estimated --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ESTIMATE_OPERATORCOSTS_H
#define SEAMSCOPE_TOOLS_ESTIMATE_OPERATORCOSTS_H

#include "estimate/Throughput.h"
#include "run/join/FusedOperators.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A loop whose time was recorded.
struct TimedLoop {
  uint32_t Line = 0;       ///< CodeLoop::First; 0: the kernel, of which no loop is timed
  int64_t Ns = 0;          ///< undisturbed, without timed loops inside it, of all threads added up
  bool HasUnknown = false; ///< it has work that is not counted
};

/// How much less time a loop would take without an operator.
struct OperatorCost {
  size_t Operator = 0;     ///< index in FusedKernel::Operators
  double SharePercent = 0; ///< of the loop's time
};

/// The model of a loop's time, and what it says about operators.
struct LoopEstimate {
  TimedLoop Loop;
  double ModelledNs = 0; ///< 0: not known
  Resource Bound = Resource::Arithmetic;
  std::string Level;   ///< that holds the kernel's tensors: "L2", ..., "DRAM"
  std::string Problem; ///< why there are no costs; empty: there are
  /// Operators that the loop computes, the most expensive first.
  std::vector<OperatorCost> Costs;
  /// The same operator costs most where resources do not overlap.
  bool IsSameApart = true;
  /// No cost is above the error of the estimate, but one is if memory is faster and the rest slower
  /// by that error.
  bool IsBalanced = false;

  double ratio() const { return ModelledNs / static_cast<double>(Loop.Ns); }
  /// Whether it waits for loads, stores or memory, and takes as long without any operator.
  bool isBoundByMemory() const;
  /// The cost from which on an operator is named: the error of the estimate. If IsBalanced, it may
  /// be above that, and a cost that is not taken for none is enough.
  double leastFirstPercent() const;
  /// How many of Costs tie for the largest: the first one, and those of leastFirstPercent() and
  /// more that are less by LeastCostPercent at most. 0 if no operator is named.
  size_t numberOfFirst() const;
};

/// Costs below this share of a loop's time are taken for none, and so are differences of two costs.
constexpr double LeastCostPercent = 5;
/// The error of estimated costs, of a loop's time (docs/work.md).
constexpr double CostErrorPercent = 15;
/// Within these bounds the model's time may be off the measured one.
constexpr double LeastModelRatio = 0.5, MostModelRatio = 1.5;

/// What is known of a kernel.
struct EstimateInput {
  const FusedKernel *Kernel = nullptr;
  std::string_view Source;          ///< of the generated file
  std::string_view File;            ///< its name in LineWork::File
  uint64_t Calls = 0;               ///< whose work and time are known
  uint64_t Footprint = 0;           ///< distinct bytes of a call; 0: not known to a tenth
  unsigned Threads = 1;             ///< of its teams
  std::span<const TimedLoop> Loops; ///< by line
};

/// For each of the loops. Tensors are taken to be in the smallest caches that hold those of one
/// call. Where these are L1, other code between two calls may have replaced them, and there are
/// only costs if the same operator costs most with tensors in L2. The first loop of a nest that
/// accesses a tensor fetches it from there.
///
/// The cost of an operator is the time of the model less that without the operator's arithmetic and
/// functions: all loads and stores stay. A loop that takes longer than the model, in which
/// resources overlap, may wait for one after the other. There are only costs if the same operator
/// costs most where as much as the recorded time says does not overlap.
std::vector<LoopEstimate> estimateCosts(const EstimateInput &Of, const Machine &On);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ESTIMATE_OPERATORCOSTS_H
