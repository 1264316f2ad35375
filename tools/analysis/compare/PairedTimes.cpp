//===- PairedTimes.cpp - times of the same steps in two runs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedTimes.h"
#include "analysis/core/Distributions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// A tenth at each end, if there are enough.
size_t trimmedOf(size_t Count) { return Count / 10; }

/// The terms of a trimmed mean and its error.
struct Trimmed {
  double Low, High; ///< values beyond these count as these: winsorised
  double Mean;

  explicit Trimmed(std::vector<double> Values) {
    std::ranges::sort(Values);
    const size_t Cut = trimmedOf(Values.size());
    Low = Values[Cut], High = Values[Values.size() - 1 - Cut];
    double Sum = 0;
    for (size_t I = Cut; I < Values.size() - Cut; ++I)
      Sum += Values[I];
    Mean = Sum / static_cast<double>(Values.size() - 2 * Cut);
  }

  double winsorised(double Value) const { return std::clamp(Value, Low, High); }
};

template <typename Stratum, typename Member>
std::vector<double> valuesOf(const Stratum &Of, Member What) {
  std::vector<double> Values;
  for (const auto *Step : Of)
    Values.push_back(Step->*What);
  return Values;
}

double meanOf(std::span<const double> Values) {
  double Sum = 0;
  for (const double Value : Values)
    Sum += Value;
  return Sum / static_cast<double>(Values.size());
}

double varianceOf(std::span<const double> Values) {
  if (Values.size() < 2)
    return 0;
  const double Mean = meanOf(Values);
  double Sum = 0;
  for (const double Value : Values)
    Sum += (Value - Mean) * (Value - Mean);
  return Sum / static_cast<double>(Values.size() - 1);
}

/// How many times as large as that of independent values the variance of a mean is, by the likeness
/// of neighbours; 1 if that may be chance.
class Likeness {
public:
  void add(std::span<const double> Series) {
    const double Mean = meanOf(Series);
    for (size_t I = 0; I < Series.size(); ++I) {
      All += (Series[I] - Mean) * (Series[I] - Mean);
      if (I)
        Neighbours += (Series[I] - Mean) * (Series[I - 1] - Mean);
    }
    Count += Series.size();
  }

  double inflation() const {
    constexpr double Chance = 1.64, Most = 0.9;
    const double Correlation = All > 0 ? Neighbours / All : 0;
    if (Correlation * std::sqrt(static_cast<double>(Count)) < Chance)
      return 1;
    const double Bounded = std::min(Correlation, Most);
    return (1 + Bounded) / (1 - Bounded);
  }

private:
  double All = 0, Neighbours = 0;
  size_t Count = 0;
};

} // namespace

bool RatioEstimate::differsFrom(const RatioEstimate &Other) const {
  const auto Half = [](const RatioEstimate &Of) { return std::log(Of.High / Of.Low) / 2; };
  return std::abs(std::log(Value / Other.Value)) > std::hypot(Half(*this), Half(Other));
}

std::string shownRatio(double Ratio) {
  constexpr double Small = 0.1;
  return Ratio > 0 && Ratio < Small ? fmt::format("{:.3g}", Ratio) : fmt::format("{:.2f}", Ratio);
}

void PairedTimes::add(int64_t EagerNs, int64_t CompiledNs, uint32_t Kind) {
  addStep(Steps.empty() ? 0 : Steps.back().Number + 1, EagerNs, CompiledNs, Kind);
}

void PairedTimes::addStep(uint32_t Number, int64_t EagerNs, int64_t CompiledNs, uint32_t Kind) {
  Runs = std::max(Runs, 1u);
  Steps.push_back(
      {Runs - 1, Number, Kind, static_cast<double>(EagerNs), static_cast<double>(CompiledNs)});
}

void PairedTimes::addSteps(const PairedTimes &Other, uint32_t Before) {
  Runs = std::max(Runs, Before);
  OneRun |= Other.OneRun;
  for (Step Each : Other.Steps) {
    Each.Run += Runs;
    Steps.push_back(Each);
  }
  Runs += Other.Runs;
}

void PairedTimes::addBeside(const PairedTimes &Other) {
  OneRun |= Other.OneRun;
  const auto Place = [](const Step &S) { return std::tuple(S.Run, S.Number); };
  std::vector<Step> Both;
  auto Mine = Steps.begin();
  for (const Step &Theirs : Other.Steps) {
    for (; Mine != Steps.end() && Place(*Mine) < Place(Theirs); ++Mine)
      Both.push_back(*Mine);
    Both.push_back(Theirs);
    if (Mine != Steps.end() && Place(*Mine) == Place(Theirs)) {
      Both.back().Eager += Mine->Eager;
      Both.back().Compiled += Mine->Compiled;
      ++Mine;
    }
  }
  Both.insert(Both.end(), Mine, Steps.end());
  Steps = std::move(Both);
  Runs = std::max(Runs, Other.Runs);
}

/// Kinds of which there are too few steps for a scatter are one kind.
PairedTimes::Strata PairedTimes::strata() const {
  constexpr size_t Few = 3;
  std::map<uint32_t, Stratum> ByKind;
  for (const Step &Each : Steps)
    ByKind[Each.Kind].push_back(&Each);
  Strata All;
  Stratum Rest;
  for (auto &[Kind, Of] : ByKind)
    if (Of.size() < Few)
      Rest.insert(Rest.end(), Of.begin(), Of.end());
    else
      All.push_back(std::move(Of));
  if (!Rest.empty() && Rest.size() < Few && !All.empty()) {
    Stratum &Smallest = *std::ranges::min_element(All, {}, &Stratum::size);
    Smallest.insert(Smallest.end(), Rest.begin(), Rest.end());
    std::ranges::sort(Smallest);
  } else if (!Rest.empty()) {
    std::ranges::sort(Rest);
    All.push_back(std::move(Rest));
  }
  return All;
}

double PairedTimes::mean(const Strata &Kinds, double Step::*Of) const {
  double Sum = 0;
  for (const Stratum &Each : Kinds)
    Sum += static_cast<double>(Each.size()) * Trimmed(valuesOf(Each, Of)).Mean;
  return Steps.empty() ? 0 : Sum / static_cast<double>(Steps.size());
}

double PairedTimes::meanEagerNs() const { return mean(strata(), &Step::Eager); }
double PairedTimes::meanCompiledNs() const { return mean(strata(), &Step::Compiled); }
int64_t PairedTimes::usualCompiledNs() const {
  return std::llround(meanCompiledNs() * static_cast<double>(Steps.size()));
}

/// Variance of the logarithm of a run's mean, without the part that the scatter of its steps
/// explains.
double PairedTimes::runScatter(const Strata &Kinds, double Step::*Of) const {
  std::vector<std::vector<double>> ByRun(Runs);
  for (const Stratum &Each : Kinds) {
    const Trimmed Bounds(valuesOf(Each, Of));
    for (const Step *Here : Each)
      ByRun[Here->Run].push_back(Bounds.winsorised(Here->*Of));
  }
  std::vector<double> Means;
  double Within = 0;
  for (const std::vector<double> &Run : ByRun) {
    const double Mean = Run.empty() ? 0 : meanOf(Run);
    if (Mean <= 0)
      return 0;
    Means.push_back(std::log(Mean));
    Within += varianceOf(Run) / (Mean * Mean) / static_cast<double>(Run.size());
  }
  return std::max(0.0, varianceOf(Means) - Within / static_cast<double>(Means.size()));
}

/// The logarithm of one side's time in one run.
PairedTimes::Spread PairedTimes::betweenRuns(const Strata &Kinds, double Step::*Of) const {
  constexpr double Prior = BetweenRuns * BetweenRuns, OfPrior = PriorRuns / 2; // for each side
  const double Own = Runs > 1 ? runScatter(Kinds, Of) : 0, Freedom = Runs - 1;
  const double Measured = Freedom + Others.Freedom / 2,
               Squares = Freedom * Own + Others.Squares / 2;
  const Spread All = {(OfPrior * Prior + Squares) / (OfPrior + Measured), OfPrior + Measured};
  // The assumption and the other runs guard against chance. They must not narrow a measurement that
  // shows more: one side may scatter and the other not.
  return Own > All.Variance ? Spread{Own, Freedom} : All;
}

/// For the logarithm of the ratio.
PairedTimes::Spread PairedTimes::betweenRuns(const Strata &Kinds) const {
  const Spread OfEager = betweenRuns(Kinds, &Step::Eager),
               OfCompiled = betweenRuns(Kinds, &Step::Compiled);
  const double Both = OfEager.Variance + OfCompiled.Variance;
  const double Freedom = Both > 0
                             ? Both * Both /
                                   (OfEager.Variance * OfEager.Variance / OfEager.Freedom +
                                    OfCompiled.Variance * OfCompiled.Variance / OfCompiled.Freedom)
                             : OfEager.Freedom;
  return {Both / Runs + Others.Further, Freedom};
}

double PairedTimes::runsDifferBy() const {
  return Runs && !OneRun ? std::expm1(std::sqrt(betweenRuns(strata()).Variance / 2)) : 0;
}

std::optional<RatioEstimate> PairedTimes::ratio() const {
  if (Steps.size() < 3)
    return std::nullopt;
  const auto Count = static_cast<double>(Steps.size());
  const Strata Kinds = strata();
  const double Eager = mean(Kinds, &Step::Eager), Compiled = mean(Kinds, &Step::Compiled);
  if (Eager <= 0 || Compiled <= 0)
    return std::nullopt;
  // For the logarithm of the ratio.
  double Variance = 0, Freedom = 0;
  Likeness Neighbours;
  for (const Stratum &Each : Kinds) {
    const Trimmed OfEager(valuesOf(Each, &Step::Eager)),
        OfCompiled(valuesOf(Each, &Step::Compiled));
    std::vector<double> Residuals, Series;
    uint32_t Run = Each.front()->Run;
    for (const Step *Here : Each) {
      if (Here->Run != Run) {
        Neighbours.add(Series);
        Series.clear();
        Run = Here->Run;
      }
      Series.push_back(OfEager.winsorised(Here->Eager) / Eager -
                       OfCompiled.winsorised(Here->Compiled) / Compiled);
      Residuals.push_back(Series.back());
    }
    Neighbours.add(Series);
    const auto All = static_cast<double>(Each.size());
    const double Left = All - 2 * static_cast<double>(trimmedOf(Each.size()));
    if (Left < 2)
      continue;
    const double Share = All / Count;
    Variance += Share * Share * varianceOf(Residuals) * (All - 1) / (Left * (Left - 1));
    Freedom += Left - 1;
  }
  const double Inflation = Neighbours.inflation();
  Variance *= Inflation;
  Freedom = std::max(1.0, Freedom / Inflation);
  if (!OneRun) {
    const Spread Between = betweenRuns(Kinds);
    const double Both = Variance + Between.Variance;
    Freedom =
        Both * Both /
        (Variance * Variance / Freedom + Between.Variance * Between.Variance / Between.Freedom);
    Variance = Both;
  }
  const double Half = Variance > 0 ? studentCritical(0.05, Freedom) * std::sqrt(Variance) : 0;
  const double Ratio = Eager / Compiled;
  return RatioEstimate{Ratio, Ratio * std::exp(-Half), Ratio * std::exp(Half)};
}

} // namespace seamscope::tools
