//===- Diff.cpp - two traces, row by row ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"

#include "analysis/compare/PlaceDiff.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace seamscope::tools {

std::string_view diffMatchName(DiffMatch Match) {
  static constexpr std::string_view Names[] = {
      "kernel", "renamed",      "order",   "ambiguous", "op+shape", "op",       "path",
      "none",   "unattributed", "blocked", "preempted", "spinning", "recording"};
  return Names[static_cast<size_t>(Match)];
}

std::optional<double> ratioOf(int64_t First, int64_t Second) {
  if (First <= 0 || Second <= 0)
    return std::nullopt;
  return static_cast<double>(Second) / static_cast<double>(First);
}

std::optional<double> callRatioOf(int64_t First, uint64_t FirstCalls, int64_t Second,
                                  uint64_t SecondCalls) {
  const std::optional<double> Whole = ratioOf(First, Second);
  if (!Whole || !FirstCalls || !SecondCalls)
    return std::nullopt;
  return *Whole * static_cast<double>(FirstCalls) / static_cast<double>(SecondCalls);
}

Difference difference(const Trace &First, const Trace &Second, const SourceTexts &Texts,
                      Comparable How, const CodeNames *FirstNames, const CodeNames *SecondNames) {
  How.restrictTo(First);
  How.restrictTo(Second);
  Difference Result;
  Result.HasSwitches = How.HasSwitches;
  const std::map<std::string, PlaceMatch> Found =
      addPlaces(Result, First, Second, Texts, How.HasSwitches);
  std::vector<RunTotals> Sides[2];
  Sides[0].push_back(runTotals(First, How, FirstNames));
  Sides[1].push_back(runTotals(Second, How, SecondNames));
  nameGroups(Sides[0][0], Result.Names.First);
  nameGroups(Sides[1][0], Result.Names.Second);
  Result.FirstWindowNs = Sides[0][0].WindowNs;
  Result.SecondWindowNs = Sides[1][0].WindowNs;
  for (MatchedRow &Row : matchRuns(std::move(Sides[0]), std::move(Sides[1]))) {
    if (const auto How = Found.find(Row.Key); Row.Match == DiffMatch::Kernel && How != Found.end())
      Row.Match = How->second == PlaceMatch::Renamed     ? DiffMatch::Renamed
                  : How->second == PlaceMatch::Ambiguous ? DiffMatch::Ambiguous
                                                         : DiffMatch::Numbered;
    Result.Rows.push_back({std::move(Row.Key), Row.Match, Row.FirstNs[0], Row.SecondNs[0],
                           Row.FirstCalls[0], Row.SecondCalls[0]});
  }
  std::ranges::stable_sort(Result.Rows, [](const DiffRow &A, const DiffRow &B) {
    return std::abs(A.deltaNs()) > std::abs(B.deltaNs());
  });
  return Result;
}

} // namespace seamscope::tools
