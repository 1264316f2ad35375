//===- Baseline.cpp - fused kernels and the eager ones they replaced ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Baseline.h"

#include "analysis/compare/MembersByKey.h"
#include "analysis/core/Operators.h"
#include "trace/model/GroupText.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

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
    for (size_t Row = 0; Row < Result.Rows.size(); ++Row) {
      for (const std::string &Name : operatorsCarried(Eager, Result.Rows[Row]))
        Carriers.add(Name, Row);
      auto Group = parseGroupText(Eager.text(Eager.Sites[Result.Rows[Row].Site].Group));
      Single.push_back(Group && Group->Ops.size() == 1 ? std::optional(std::move(Group->Ops[0]))
                                                       : std::nullopt);
    }
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

  /// All rows of a pair, each once: a row can have the names of two operators.
  static std::vector<size_t> rowsOf(const BaselinePair &Pair) {
    std::vector<size_t> Rows;
    for (const ReplacedOperator &Op : Pair.Operators)
      Rows.insert(Rows.end(), Op.Rows.begin(), Op.Rows.end());
    std::ranges::sort(Rows);
    Rows.erase(std::ranges::unique(Rows).begin(), Rows.end());
    return Rows;
  }

  /// False if none of the kernel's calls was timed, or if it has no operator that is in the
  /// baseline.
  bool addPair(size_t K) {
    const KernelRow &Kernel = Numbers.Kernels[K];
    const Site &What = Fused.Sites[Kernel.Site];
    const OperatorList Operators = operatorsOf(Fused, What);
    const auto Group = parseGroupText(Fused.text(What.Group));
    BaselinePair Pair;
    Pair.Kernel = K;
    bool Any = false;
    for (const OperatorList::Entry &Entry : Operators.Entries) {
      ReplacedOperator Op;
      Op.Name = Entry.Name;
      if (Operators.CountsKnown)
        Op.Count = Entry.Count;
      if (const std::vector<size_t> &Found = Carriers.of(Entry.Name); !Found.empty()) {
        if (Group)
          findInstances(Op, *Group, Found);
        else
          findByName(Op, Found);
      }
      Pair.Approximate |= Op.Rows.empty();
      Any |= !Op.Rows.empty();
      Pair.Operators.push_back(std::move(Op));
    }
    if (!Any || !Kernel.Times.MeanNs)
      return false;

    Pair.FusedMeanNs = *Kernel.Times.MeanNs;
    const std::vector<size_t> Rows = rowsOf(Pair);
    if (Operators.CountsKnown)
      addUp(Pair);
    else
      dealOut(Pair, Rows, Kernel.Times.Calls);
    if (Pair.FusedMeanNs && Pair.EagerMeanNs)
      Pair.Speedup = static_cast<double>(*Pair.EagerMeanNs) / static_cast<double>(Pair.FusedMeanNs);
    for (const size_t Row : Rows) {
      Matched[Row] = true;
      Claims[Row] += !Operators.CountsKnown;
    }
    if (!Operators.CountsKnown)
      ByName.push_back(Result.Pairs.size());
    Result.Pairs.push_back(std::move(Pair));
    return true;
  }

  /// The time of \p Times calls of one of \p Rows, if it does not matter which.
  std::optional<Wide> timeOf(const std::vector<size_t> &Rows, uint64_t Times) const {
    if (Rows.size() != 1 || Result.Rows[Rows[0]].Inputs.size() > 1)
      return std::nullopt;
    const EagerRow &Row = Result.Rows[Rows[0]];
    // The rounded mean is not multiplied: that would multiply the rounding.
    return (Wide{Row.TotalNs} * Times + Row.Calls / 2) / Row.Calls;
  }

  static int64_t bounded(Wide Ns) {
    return static_cast<int64_t>(std::min(Ns, Wide{std::numeric_limits<int64_t>::max()}));
  }

  /// A list of names says how often, but not which.
  void findByName(ReplacedOperator &Op, const std::vector<size_t> &Rows) const {
    Op.Rows = Rows;
    if (!Op.Count) { // all calls of all of them: see dealOut()
      const Sum Total = sumOf(Rows);
      Op.MeanNs = roundedMean(Total.TotalNs, Total.Calls);
      return;
    }
    if (const auto Ns = timeOf(Rows, *Op.Count))
      setTime(Op, *Ns);
  }

  static void setTime(ReplacedOperator &Op, Wide Ns) {
    Op.Ns = bounded(Ns);
    Op.MeanNs = bounded((Ns + *Op.Count / 2) / *Op.Count);
  }

  /// For each operator of \p Group that is called \p Op, its row among \p Rows.
  void findInstances(ReplacedOperator &Op, const GroupText &Group,
                     const std::vector<size_t> &Rows) const {
    Wide Sum = 0;
    bool Known = true;
    for (const GroupOp &Wanted : Group.Ops) {
      if (bareOperator(Wanted.Name) != Op.Name)
        continue;
      const std::vector<size_t> Found = instancesOf(Wanted, Rows);
      const auto Ns = timeOf(Found, 1);
      Known &= Ns.has_value();
      Sum += Ns.value_or(0);
      Op.Rows.insert(Op.Rows.end(), Found.begin(), Found.end());
    }
    std::ranges::sort(Op.Rows);
    Op.Rows.erase(std::ranges::unique(Op.Rows).begin(), Op.Rows.end());
    if (Known && Op.Count)
      setTime(Op, Sum);
  }

  /// The rows among \p Rows that can be \p Wanted: by place, else by type.
  std::vector<size_t> instancesOf(const GroupOp &Wanted, const std::vector<size_t> &Rows) const {
    std::vector<size_t> There, Alike, All;
    bool Placed = !Wanted.File.empty();
    for (const size_t Row : Rows) {
      const auto &Of = Single[Row];
      Placed &= Of && !Of->File.empty();
      if (Of && Of->Type != Wanted.Type)
        continue;
      Alike.push_back(Row);
      if (Of && std::tie(Of->File, Of->Line, Of->Column) ==
                    std::tie(Wanted.File, Wanted.Line, Wanted.Column))
        There.push_back(Row);
    }
    return !There.empty() || Placed ? There : Alike;
  }

  /// The sum over the operators, as far as known.
  static void addUp(BaselinePair &Pair) {
    Wide Eager = 0;
    for (const ReplacedOperator &Op : Pair.Operators) {
      if (!Op.Rows.empty() && !Op.Ns)
        return;
      Eager += Op.Ns.value_or(0);
    }
    Pair.EagerMeanNs = bounded(Eager);
  }

  /// Attributes all calls of all operators to the fused calls.
  void dealOut(BaselinePair &Pair, const std::vector<size_t> &Rows, uint64_t FusedCalls) const {
    for (ReplacedOperator &Op : Pair.Operators) {
      const Sum Total = sumOf(Op.Rows);
      if (Total.Calls && Total.Calls % FusedCalls == 0) {
        Op.Count = Total.Calls / FusedCalls;
        Op.Ns = roundedMean(Total.TotalNs, FusedCalls);
      } else {
        Pair.Approximate = true;
      }
    }
    Pair.EagerMeanNs = roundedMean(sumOf(Rows).TotalNs, FusedCalls);
  }

  const Trace &Fused;
  const Statistics &Numbers;
  BaselineComparison Result;
  MembersByKey Carriers;                      ///< rows by the operators that they are named after
  std::vector<std::optional<GroupOp>> Single; ///< by row: the operator of MLIR that it is
  std::vector<bool> Matched;
  std::vector<uint32_t> Claims; ///< by row: fused kernels that claim it by their names alone
  std::vector<size_t> ByName;   ///< pairs of such kernels
};

} // namespace

BaselineComparison compareToBaseline(const Trace &Fused, const Statistics &Numbers,
                                     const Trace &Eager) {
  return Comparing(Fused, Numbers, Eager).run();
}

} // namespace seamscope::tools
