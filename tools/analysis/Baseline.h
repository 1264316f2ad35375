//===- Baseline.h - fused kernels beside the eager ones they replaced -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_BASELINE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_BASELINE_H

#include "analysis/Statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A row of the eager trace. Of torch.profiler's operators only the outermost are counted: an
/// operator that another one calls is part of that one's time.
struct EagerRow {
  SiteId Site = 0; ///< of the eager trace
  uint64_t Calls = 0;
  int64_t TotalNs = 0;
};

/// One operator of a fused kernel and the eager rows that carry it.
struct ReplacedOperator {
  std::string Name;
  uint64_t Count = 0; ///< times in one fused call
  int64_t MeanNs = 0; ///< of one eager call, over all calls of Rows
  std::vector<EagerRow> Rows;
};

/// A fused kernel beside what it replaced.
struct BaselinePair {
  size_t Kernel = 0; ///< row of the fused statistics
  int64_t FusedMeanNs = 0;
  int64_t EagerMeanNs = 0; ///< of all eager calls that one fused call replaced
  double Speedup = 0;      ///< eager / fused
  /// How often each operator occurs was not known, and the calls of the two traces do not divide
  /// evenly: the figure is an average.
  bool Approximate = false;
  std::vector<ReplacedOperator> Operators;
};

struct BaselineComparison {
  std::vector<BaselinePair> Pairs;      ///< in the order of the fused rows
  std::vector<size_t> UnmatchedFused;   ///< rows that carry no operators, or none of the eager ones
  std::vector<EagerRow> UnmatchedEager; ///< rows that no fused kernel replaced, longest first
};

/// Sets \p Fused beside \p Eager.
///
/// A kernel with a list of operators (`ops=add,add,mul,add`) replaced, a call, for each entry one
/// eager call of that operator: EagerMeanNs = sum over entries of the operator's mean eager time.
/// A kernel whose name only says which operators it holds (Inductor's) replaced all eager calls of
/// them: EagerMeanNs = their total / fused calls, which supposes that both traces cover the same
/// number of steps.
BaselineComparison compareToBaseline(const Trace &Fused, const Statistics &Numbers,
                                     const Trace &Eager);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_BASELINE_H
