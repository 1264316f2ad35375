//===- Welch.cpp - t tests for means of few measurements ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Welch.h"

#include "analysis/core/Distributions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace seamscope::tools {
namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

} // namespace

Sample sampleOf(std::span<const int64_t> Values) {
  Sample Result;
  Result.Count = Values.size();
  if (Values.empty())
    return Result;
  for (const int64_t Value : Values)
    Result.Mean += static_cast<double>(Value) / static_cast<double>(Values.size());
  if (std::ranges::adjacent_find(Values, std::not_equal_to()) == Values.end()) {
    Result.Mean = static_cast<double>(Values[0]); // no spread, whatever rounding would give
    return Result;
  }
  for (const int64_t Value : Values) {
    const double Off = static_cast<double>(Value) - Result.Mean;
    Result.Variance += Off * Off / static_cast<double>(Values.size() - 1);
  }
  return Result;
}

std::optional<WelchTest> welchTest(const Sample &First, const Sample &Second) {
  if (First.Count < 2 || Second.Count < 2)
    return std::nullopt;
  const auto Count = [](const Sample &Of) { return static_cast<double>(Of.Count); };
  const double A = First.Variance / Count(First), B = Second.Variance / Count(Second);
  const double Off = Second.Mean - First.Mean;
  WelchTest Test;
  Test.Error = std::sqrt(A + B);
  if (Test.Error == 0) {
    Test.Degrees = Count(First) + Count(Second) - 2;
    Test.T = Off == 0 ? 0 : std::copysign(Infinity, Off);
    Test.Probability = Off == 0 ? 1 : 0;
    return Test;
  }
  // From the shares of the error, which do not overflow.
  const double ShareA = A / (A + B), ShareB = B / (A + B);
  Test.Degrees = 1 / (ShareA * ShareA / (Count(First) - 1) + ShareB * ShareB / (Count(Second) - 1));
  Test.T = Off / Test.Error;
  Test.Probability = studentTails(Test.T, Test.Degrees);
  return Test;
}

std::optional<RatioInterval> ratioInterval(const Sample &First, const Sample &Second,
                                           double Confidence) {
  if (First.Count < 2 || Second.Count < 2 || First.Mean <= 0)
    return std::nullopt;
  const auto IsTold = [&](double Ratio) {
    return welchTest(First.times(Ratio), Second)->Probability < 1 - Confidence;
  };
  /// The limit between a ratio that the test does not reject and one that it rejects.
  const auto Limit = [&](double Untold, double Told) {
    for (int I = 0; I < 200 && std::abs(Told - Untold) > 1e-13 * std::abs(Told); ++I) {
      const double Middle = (Untold + Told) / 2;
      (IsTold(Middle) ? Told : Untold) = Middle;
    }
    return (Untold + Told) / 2;
  };
  const double Estimate = std::max(0., Second.Mean / First.Mean);
  RatioInterval Result;
  if (First.Variance == 0 && Second.Variance == 0)
    return RatioInterval{Estimate, Estimate};
  // Step by step, since the test need not reject all ratios beyond the first that it rejects.
  constexpr int Steps = 400;
  double Before = Estimate;
  for (int I = Steps - 1; I >= 0; --I) {
    const double Ratio = Estimate * I / Steps;
    if (IsTold(Ratio)) {
      Result.Low = Limit(Before, Ratio);
      break;
    }
    Before = Ratio;
  }
  Before = Estimate;
  const double Unit = Estimate > 0 ? Estimate : 1;
  // From a step to a million times the estimate, each a twentieth further.
  double Off = Unit / Steps;
  for (int I = 0; I < 408 && !Result.High; ++I) {
    if (IsTold(Estimate + Off))
      Result.High = Limit(Before, Estimate + Off);
    Before = Estimate + Off;
    Off *= 1.05;
  }
  return Result;
}

} // namespace seamscope::tools
