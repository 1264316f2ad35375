//===- Diff.cpp - two traces, row by row ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"

#include "analysis/compare/RunTotals.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace seamscope::tools {

std::string_view diffMatchName(DiffMatch Match) {
  static constexpr std::string_view Names[] = {"kernel", "op+shape", "op",
                                               "path",   "none",     "unattributed"};
  return Names[static_cast<size_t>(Match)];
}

Difference difference(const Trace &First, const Trace &Second) {
  const bool OfHost = !hasDeviceKernels(First) && !hasDeviceKernels(Second);
  std::vector<RunTotals> Sides[2];
  Sides[0].push_back(runTotals(First, OfHost));
  Sides[1].push_back(runTotals(Second, OfHost));
  Difference Result;
  Result.FirstWindowNs = Sides[0][0].WindowNs;
  Result.SecondWindowNs = Sides[1][0].WindowNs;
  for (MatchedRow &Row : matchRuns(std::move(Sides[0]), std::move(Sides[1])))
    Result.Rows.push_back({std::move(Row.Key), Row.Match, Row.FirstNs[0], Row.SecondNs[0],
                           Row.FirstCalls[0], Row.SecondCalls[0]});
  std::ranges::stable_sort(Result.Rows, [](const DiffRow &A, const DiffRow &B) {
    return std::abs(A.deltaNs()) > std::abs(B.deltaNs());
  });
  return Result;
}

} // namespace seamscope::tools
