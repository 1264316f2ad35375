//===- Fallbacks.h - operators that Inductor generates no code for --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_FALLBACKS_H
#define SEAMSCOPE_TOOLS_RUN_FALLBACKS_H

#include "analysis/compare/Attribution.h"
#include "analysis/groups/Advice.h"
#include "run/join/TorchRun.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// Calls of one aten operator in compiled graphs, in the compared steps.
struct Fallback {
  std::string Operator; ///< "aten::sort"
  size_t Places = 0;    ///< in the graphs
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

/// Longest first. Without views, and without matrix products, convolutions and attention, for which
/// Inductor calls libraries by choice.
std::vector<Fallback> fallbacksIn(const TorchRun &Torch, const Attribution &All);

/// One finding ("fallback") for each that takes a relevant part of the compared steps.
std::vector<Advice> adviseOnFallbacks(const TorchRun &Torch, const Attribution &All);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_FALLBACKS_H
