//===- Repeats.cpp - compares several runs of each side -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Repeats.h"

#include "analysis/compare/Welch.h"
#include "analysis/core/Distributions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace seamscope::tools {
namespace {

/// A computed number of ns; out of range, the nearest that there is.
int64_t wholeNs(double Ns) {
  constexpr double Most = 0x1p62;
  return static_cast<int64_t>(std::clamp(Ns, -Most, Most));
}

/// Rounded half up. Windows of several traces can add up to more than 64 bits.
int64_t meanOf(const std::vector<int64_t> &Ns) {
  const auto Count = static_cast<__int128>(Ns.size());
  __int128 Sum = 0;
  for (const int64_t Each : Ns)
    Sum += Each;
  return Count ? static_cast<int64_t>((2 * Sum + Count) / (2 * Count)) : 0;
}

/// 2 in (First + Second over First).
double apartByChance(size_t First, size_t Second) {
  double Ways = 1;
  for (size_t I = 1; I <= First; ++I)
    Ways *= static_cast<double>(Second + I) / static_cast<double>(I);
  return std::min(1., 2 / Ways);
}

RepeatRow rowOf(MatchedRow Runs, double ThresholdPercent, double Confidence) {
  RepeatRow Row;
  Row.FirstMeanNs = meanOf(Runs.FirstNs);
  Row.SecondMeanNs = meanOf(Runs.SecondNs);
  Row.Change = changeOf(Runs.FirstNs, Runs.SecondNs, ThresholdPercent, Confidence);
  Row.Runs = std::move(Runs);
  return Row;
}

} // namespace

std::string_view repeatVerdictName(RepeatVerdict Verdict) {
  static constexpr std::string_view Names[] = {"exceeds", "within", "not certain"};
  return Names[static_cast<size_t>(Verdict)];
}

RepeatChange changeOf(const std::vector<int64_t> &FirstNs, const std::vector<int64_t> &SecondNs,
                      double ThresholdPercent, double Confidence) {
  const Sample First = sampleOf(FirstNs), Second = sampleOf(SecondNs);
  RepeatChange Change;
  Change.Ns = wholeNs(std::round(Second.Mean - First.Mean));
  if (First.Mean > 0)
    Change.Percent = 100 * (Second.Mean / First.Mean - 1);
  if (!FirstNs.empty() && !SecondNs.empty()) {
    Change.AllAbove =
        static_cast<double>(*std::ranges::min_element(SecondNs)) >
        (1 + ThresholdPercent / 100) * static_cast<double>(*std::ranges::max_element(FirstNs));
    Change.ApartByChance = apartByChance(FirstNs.size(), SecondNs.size());
  }
  const std::optional<WelchTest> Test = welchTest(First, Second);
  if (!Test)
    return Change;
  Change.Probability = Test->Probability;
  const double Off = Second.Mean - First.Mean;
  const double Around =
      Test->Error > 0 ? Test->Error * studentCritical(1 - Confidence, Test->Degrees) : 0;
  Change.LowNs = wholeNs(std::floor(Off - Around));
  Change.HighNs = wholeNs(std::ceil(Off + Around));
  if (const auto Ratio = ratioInterval(First, Second, Confidence)) {
    Change.LowPercent = 100 * (Ratio->Low - 1);
    if (Ratio->High)
      Change.HighPercent = 100 * (*Ratio->High - 1);
  }
  const WelchTest Above = *welchTest(First.times(1 + ThresholdPercent / 100), Second);
  if (Above.Error == 0)
    Change.Verdict = Above.T > 0 ? RepeatVerdict::Exceeds : RepeatVerdict::Within;
  else if (Above.Probability < 1 - Confidence)
    Change.Verdict = Above.T > 0 ? RepeatVerdict::Exceeds : RepeatVerdict::Within;
  return Change;
}

RepeatedDifference compareRepeats(std::vector<RunTotals> First, std::vector<RunTotals> Second,
                                  const RepeatOptions &Options) {
  RepeatedDifference Result;
  Result.FirstRuns = First.size();
  Result.SecondRuns = Second.size();
  MatchedRow Windows = {"[window]", DiffMatch::None, {}, {}, {}, {}};
  for (const RunTotals &Run : First)
    Windows.FirstNs.push_back(Run.WindowNs);
  for (const RunTotals &Run : Second)
    Windows.SecondNs.push_back(Run.WindowNs);
  Result.Window = rowOf(std::move(Windows), Options.ThresholdPercent, Options.Confidence);
  std::vector<MatchedRow> Rows = matchRuns(std::move(First), std::move(Second));
  Result.RowConfidence = Options.Confidence;
  if (Options.AllRowsTogether)
    Result.RowConfidence = 1 - (1 - Options.Confidence) / static_cast<double>(Rows.size());
  for (MatchedRow &Row : Rows)
    Result.Rows.push_back(rowOf(std::move(Row), Options.ThresholdPercent, Result.RowConfidence));
  std::ranges::stable_sort(Result.Rows, [](const RepeatRow &A, const RepeatRow &B) {
    return std::abs(A.Change.Ns) > std::abs(B.Change.Ns);
  });
  return Result;
}

} // namespace seamscope::tools
