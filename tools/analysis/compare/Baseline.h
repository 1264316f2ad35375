//===- Baseline.h - fused kernels and the eager ones they replaced --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_BASELINE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_BASELINE_H

#include "analysis/compare/EagerRows.h"
#include "analysis/core/Statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// One operator of a fused kernel and its eager rows.
struct ReplacedOperator {
  std::string Name;
  /// Times in one fused call; nothing: unknown, and the calls do not divide evenly.
  std::optional<uint64_t> Count;
  /// Of one eager call; nothing: not in the baseline, or it is not known which of Rows it is.
  std::optional<int64_t> MeanNs;
  std::optional<int64_t> Ns; ///< in one fused call; nothing: as above, or Count is not known
  std::vector<size_t> Rows;  ///< into BaselineComparison::Rows; empty: not in the baseline
};

/// A fused kernel and what it replaced.
struct BaselinePair {
  size_t Kernel = 0; ///< row of the fused statistics
  int64_t FusedMeanNs = 0;
  /// All eager calls that one fused call replaced; nothing: it is not known which.
  std::optional<int64_t> EagerMeanNs;
  std::optional<double> Speedup; ///< eager / fused; nothing: one of them is unknown or 0
  bool Approximate = false;      ///< see compareToBaseline()
  std::vector<ReplacedOperator> Operators;
};

struct BaselineComparison {
  std::vector<EagerRow> Rows;         ///< all rows of the baseline, longest total first
  std::vector<BaselinePair> Pairs;    ///< in the order of the fused rows
  std::vector<size_t> UnmatchedFused; ///< kernels without operators, or with none of the eager ones
  std::vector<size_t> UnmatchedEager; ///< into Rows: those that no fused kernel replaced
};

/// Compares \p Fused with \p Eager. operatorsOf() says which operators a fused kernel stands for,
/// operatorsCarried() which one an eager row is named after. One call of a kernel with MLIR
/// operators replaced one eager call of each operator: the row with the same name, place and type,
/// or, if places are not known, with the same name and type. One call of a kernel with a list of
/// operators (`ops=add,add,mul,add`) replaced one eager call for each entry. EagerMeanNs is the sum
/// of the rows' mean times. The mean of an operator is not known if several rows have its name, or
/// if the calls of its row have different inputs. A kernel whose name only says which operators it
/// holds (Inductor's) replaced all their eager calls: EagerMeanNs = their total / fused calls, if
/// both traces cover the same number of steps. A pair is approximate if the baseline lacks one of
/// its operators; and, if only the name gives the operators, when their calls do not divide evenly
/// or another such kernel claims them too.
BaselineComparison compareToBaseline(const Trace &Fused, const Statistics &Numbers,
                                     const Trace &Eager);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_BASELINE_H
