//===- WaitShares.cpp - waits that nobody looked at -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/WaitShares.h"

#include "analysis/samples/Proportion.h"
#include "analysis/samples/ThreadTimes.h"
#include "format/SampleEntry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

constexpr auto LongNs = static_cast<int64_t>(format::LongWaitNs);

bool isShortWait(const Trace &Input, size_t Off) {
  const OffColumns &All = Input.OffCpu;
  const int64_t Wait = All.Wait[Off];
  return static_cast<OffKind>(All.Kind[Off]) == OffKind::Blocked &&
         All.EndNs[Off] - All.BeginNs[Off] <= LongNs &&
         (Wait < 0 || Input.Waits[static_cast<size_t>(Wait)].Message == ThreadWait::NoMessage);
}

/// Looks a ns at a thread, from its stretches [First, Last): with it, as many waits as were seen
/// are expected. Infinity: all were.
double looksPerNs(const Trace &Input, size_t First, size_t Last) {
  const OffColumns &Off = Input.OffCpu;
  double Seen = 0, UnseenNs = 0;
  std::vector<double> Lengths;
  for (size_t I = First; I < Last; ++I)
    if (isShortWait(Input, I)) {
      const auto Ns = static_cast<double>(Off.OffNs[I]);
      Seen += Off.Wait[I] >= 0;
      UnseenNs += Off.Wait[I] < 0 ? Ns : 0;
      Lengths.push_back(Ns);
    }
  if (!(UnseenNs > 0))
    return INFINITY;
  // A wait is seen with the chance 1 - exp(-rate * length).
  const auto Expected = [&](double Rate) {
    double Sum = 0;
    for (const double Ns : Lengths)
      Sum -= std::expm1(-Rate * Ns);
    return Sum;
  };
  double Low = 0, High = 1;
  for (unsigned I = 0; I < 60; ++I)
    (Expected((Low + High) / 2) < Seen ? Low : High) = (Low + High) / 2;
  return High;
}

/// Below 2^62 a double is a time; beyond, no trace has any.
int64_t partOf(int64_t Ns, double Share) {
  return static_cast<int64_t>(std::min(0x1p62, std::ceil(static_cast<double>(Ns) * Share)));
}

/// How many looks of equal weight would give a share of \p Ns the same error. \p Own, \p Others:
/// variances of its part and of the rest.
double equalLooks(double Share, double Own, double Others, double Ns) {
  if (!(Others > 0))
    return Ns * Ns / Own;
  const double Rest = 1 - Share;
  return Ns * Ns * Share * Rest / (Rest * Rest * Own + Share * Share * Others);
}

} // namespace

std::vector<double> waitWeights(const Trace &Input) {
  const OffColumns &Off = Input.OffCpu;
  std::vector<double> Weights(Off.size());
  for (size_t First = 0, Last = 0; First < Off.size(); First = Last) {
    while (Last < Off.size() && Off.Track[Last] == Off.Track[First])
      ++Last;
    const double Rate = looksPerNs(Input, First, Last);
    for (size_t I = First; I < Last; ++I)
      if (Off.Wait[I] >= 0 && isShortWait(Input, I)) {
        // Of waits of this length, exp(rate * length) - 1 of one that was seen was not.
        const auto Ns = static_cast<double>(Off.OffNs[I]);
        Weights[I] = Ns / std::max(std::expm1(std::min(Rate * Ns, 500.0)), 1e-9);
      }
  }
  return Weights;
}

void WaitSum::add(size_t Off, int64_t Ns) {
  if (!Parts.empty() && Parts.back().Off == Off)
    Parts.back().Ns = saturatingSum(Parts.back().Ns, Ns);
  else
    Parts.push_back({Off, Ns});
}

double WaitSum::weightOf(const Part &Of) const {
  const auto Whole = static_cast<double>(Input.OffCpu.OffNs[Of.Off]);
  return Whole > 0 ? Weights[Of.Off] * static_cast<double>(Of.Ns) / Whole : 0;
}

std::vector<WaitSum::Row> WaitSum::rows(const CodeNames &Names, By Key) const {
  const OffColumns &Off = Input.OffCpu;
  std::map<int64_t, Unseen> Rest; // by track
  for (const Part &Each : Parts) {
    Unseen &Of = Rest[Off.Track[Each.Off]];
    Of.Weight += weightOf(Each);
    if (Off.Wait[Each.Off] < 0 && isShortWait(Input, Each.Off))
      Of.Ns = saturatingSum(Of.Ns, Each.Ns);
  }
  struct Sum {
    Row Its;
    double Share = 0, Variance = 0, Lengths = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string, uint32_t>, Sum> Found;
  Row NotSeen;
  int64_t Whole = 0;
  double SharedNs = 0, Variance = 0;
  for (const Part &Each : Parts) {
    const Unseen &Others = Rest[Off.Track[Each.Off]];
    if (Off.Wait[Each.Off] < 0) {
      const bool IsShared = Others.Weight > 0 && isShortWait(Input, Each.Off);
      int64_t &Ns = IsShared ? Whole : NotSeen.Ns;
      Ns = saturatingSum(Ns, Each.Ns);
      NotSeen.Waits += !IsShared;
      continue;
    }
    const WaitName &Wait = Names.Waits[static_cast<size_t>(Off.Wait[Each.Off])];
    Sum &Of = Key == By::Line ? Found[{Wait.Symbol, Wait.Library, Wait.File, Wait.Line}]
                              : Found[{Wait.Symbol, Wait.Library, "", 0}];
    Of.Its.Wait = Wait;
    ++Of.Its.Waits;
    Of.Its.Ns = saturatingSum(Of.Its.Ns, Each.Ns);
    if (!(Others.Weight > 0))
      continue;
    const double Ns = static_cast<double>(Others.Ns) * weightOf(Each) / Others.Weight;
    // Both whether it was seen and how many others were not is chance.
    const double Square = Ns * (Ns + static_cast<double>(Each.Ns));
    Of.Share += Ns;
    Of.Variance += Square;
    Of.Lengths += Ns * static_cast<double>(Each.Ns);
    SharedNs += Ns;
    Variance += Square;
  }
  std::vector<Row> Rows;
  double Given = 0;
  int64_t Left = Whole;
  for (auto &[Which, Of] : Found) {
    Row &Its = Rows.emplace_back(std::move(Of.Its));
    if (!(Of.Share > 0))
      continue;
    const double Share = Of.Share / SharedNs;
    const double Looks = equalLooks(Share, Of.Variance, Variance - Of.Variance, SharedNs);
    const Proportion Part = proportionOf(Looks * Share, Looks);
    // The number of waits is whole: half of one more or less.
    const double Half = Of.Lengths / Of.Share / 2 / static_cast<double>(Whole);
    Its.LowNs = saturatingSum(Its.Ns, partOf(Whole, std::max(0.0, Part.Low - Half)));
    Its.HighNs = saturatingSum(Its.Ns, partOf(Whole, std::min(1.0, Part.High + Half)));
    Given += Of.Share;
    const int64_t After = Given < SharedNs ? Whole - partOf(Whole, Given / SharedNs) : 0;
    Its.Ns = saturatingSum(Its.Ns, Left - std::min(Left, After));
    Left = std::min(Left, After);
  }
  for (auto Last = Rows.rbegin(); Left > 0 && Last != Rows.rend(); ++Last)
    if (Last->LowNs)
      Last->Ns = saturatingSum(Last->Ns, std::exchange(Left, 0));
  if (NotSeen.Waits)
    Rows.push_back(std::move(NotSeen));
  return Rows;
}

} // namespace seamscope::tools
