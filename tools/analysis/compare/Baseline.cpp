//===- Baseline.cpp - fused kernels beside the eager ones they replaced ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Baseline.h"

#include "analysis/core/Operators.h"
#include "trace/io/SeededHash.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace seamscope::tools {
namespace {

using Wide = __int128; // products of times and counts from outside need more than 64 bits

struct Sum {
  uint64_t Calls = 0;
  int64_t TotalNs = 0;
};

class Comparing {
public:
  Comparing(const Trace &Fused, const Statistics &Numbers, const Trace &Eager)
      : Fused(Fused), Numbers(Numbers) {
    Result.Rows = eagerRows(Eager);
    for (size_t Row = 0; Row < Result.Rows.size(); ++Row)
      for (const std::string &Name : operatorsCarried(Eager, Result.Rows[Row]))
        Carriers[Name].push_back(Row);
    Matched.resize(Result.Rows.size());
    Claims.resize(Result.Rows.size());
  }

  BaselineComparison run() {
    for (size_t K = 0; K < Numbers.Kernels.size(); ++K)
      if (!addPair(K) && Fused.Sites[Numbers.Kernels[K].Site].Kind == SiteKind::Kernel)
        Result.UnmatchedFused.push_back(K);
    for (const size_t I : ByName)
      for (const size_t Row : rowsOf(Result.Pairs[I]))
        Result.Pairs[I].Approximate |= Claims[Row] > 1;
    for (size_t Row = 0; Row < Result.Rows.size(); ++Row)
      if (!Matched[Row])
        Result.UnmatchedEager.push_back(Row);
    return std::move(Result);
  }

private:
  Sum sumOf(const std::vector<size_t> &Rows) const {
    Sum Total;
    for (const size_t Row : Rows) {
      Total.Calls += Result.Rows[Row].Calls;
      Total.TotalNs += Result.Rows[Row].TotalNs;
    }
    return Total;
  }

  /// All rows of a pair, each once: one can go by the names of two operators.
  static std::vector<size_t> rowsOf(const BaselinePair &Pair) {
    std::vector<size_t> Rows;
    for (const ReplacedOperator &Op : Pair.Operators)
      Rows.insert(Rows.end(), Op.Rows.begin(), Op.Rows.end());
    std::ranges::sort(Rows);
    Rows.erase(std::ranges::unique(Rows).begin(), Rows.end());
    return Rows;
  }

  /// False when the kernel has no calls or stands for nothing that the baseline has.
  bool addPair(size_t K) {
    const KernelRow &Kernel = Numbers.Kernels[K];
    const OperatorList Operators = operatorsOf(Fused, Fused.Sites[Kernel.Site]);
    BaselinePair Pair;
    Pair.Kernel = K;
    bool Any = false;
    for (const OperatorList::Entry &Entry : Operators.Entries) {
      ReplacedOperator Op;
      Op.Name = Entry.Name;
      if (Operators.CountsKnown)
        Op.Count = Entry.Count;
      if (const auto Found = Carriers.find(Entry.Name); Found != Carriers.end()) {
        Op.Rows = Found->second;
        const Sum Total = sumOf(Op.Rows);
        Op.MeanNs = roundedMean(Total.TotalNs, Total.Calls);
      }
      Pair.Approximate |= Op.Rows.empty();
      Any |= !Op.Rows.empty();
      Pair.Operators.push_back(std::move(Op));
    }
    if (!Any || !Kernel.Times.Calls)
      return false;

    Pair.FusedMeanNs = *Kernel.Times.MeanNs;
    const std::vector<size_t> Rows = rowsOf(Pair);
    if (Operators.CountsKnown)
      addUp(Pair);
    else
      dealOut(Pair, Rows, Kernel.Times.Calls);
    if (Pair.FusedMeanNs)
      Pair.Speedup = static_cast<double>(Pair.EagerMeanNs) / static_cast<double>(Pair.FusedMeanNs);
    for (const size_t Row : Rows) {
      Matched[Row] = true;
      Claims[Row] += !Operators.CountsKnown;
    }
    if (!Operators.CountsKnown)
      ByName.push_back(Result.Pairs.size());
    Result.Pairs.push_back(std::move(Pair));
    return true;
  }

  /// So many times the mean of each operator.
  void addUp(BaselinePair &Pair) const {
    Wide Eager = 0;
    for (const ReplacedOperator &Op : Pair.Operators)
      if (const Sum Total = sumOf(Op.Rows); Total.Calls)
        // Not count times the rounded mean: that would multiply the rounding.
        Eager += (Wide{Total.TotalNs} * *Op.Count + Total.Calls / 2) / Total.Calls;
    Pair.EagerMeanNs =
        static_cast<int64_t>(std::min(Eager, Wide{std::numeric_limits<int64_t>::max()}));
  }

  /// All calls of all operators, attributed to the fused calls.
  void dealOut(BaselinePair &Pair, const std::vector<size_t> &Rows, uint64_t FusedCalls) const {
    for (ReplacedOperator &Op : Pair.Operators) {
      const uint64_t Calls = sumOf(Op.Rows).Calls;
      if (Calls && Calls % FusedCalls == 0)
        Op.Count = Calls / FusedCalls;
      else
        Pair.Approximate = true;
    }
    Pair.EagerMeanNs = roundedMean(sumOf(Rows).TotalNs, FusedCalls);
  }

  const Trace &Fused;
  const Statistics &Numbers;
  BaselineComparison Result;
  std::unordered_map<std::string, std::vector<size_t>, SeededHash> Carriers;
  std::vector<bool> Matched;
  std::vector<uint32_t> Claims; ///< by row: fused kernels that hold it by their name alone
  std::vector<size_t> ByName;   ///< pairs of such kernels
};

} // namespace

BaselineComparison compareToBaseline(const Trace &Fused, const Statistics &Numbers,
                                     const Trace &Eager) {
  return Comparing(Fused, Numbers, Eager).run();
}

} // namespace seamscope::tools
