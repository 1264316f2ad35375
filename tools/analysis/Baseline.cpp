//===- Baseline.cpp - fused kernels beside the eager ones they replaced ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/Baseline.h"

#include "analysis/Operators.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace seamscope::tools {
namespace {

bool isKernelLike(const Trace &Eager, SiteId Site) {
  const SiteKind Kind = Eager.Sites[Site].Kind;
  return Kind == SiteKind::Kernel;
}

/// The eager trace's rows, without operators inside operators.
std::vector<EagerRow> eagerRows(const Trace &Eager) {
  std::vector<EagerRow> BySite(Eager.Sites.size());
  for (SiteId I = 0; I < BySite.size(); ++I)
    BySite[I].Site = I;
  const EventColumns &Events = Eager.Events;
  std::vector<size_t> Order(Events.size());
  std::iota(Order.begin(), Order.end(), size_t{0});
  std::ranges::sort(Order, [&](size_t A, size_t B) {
    if (Events.Track[A] != Events.Track[B])
      return Events.Track[A] < Events.Track[B];
    if (Events.BeginNs[A] != Events.BeginNs[B])
      return Events.BeginNs[A] < Events.BeginNs[B];
    return Events.DurationNs[A] > Events.DurationNs[B];
  });
  const auto IsAten = [&](SiteId Site) {
    return Eager.text(Eager.Sites[Site].Name).starts_with("aten::");
  };
  TrackId Track = 0;
  int64_t AtenUntil = 0;
  bool InAten = false;
  for (const size_t I : Order) {
    const SiteId Site = Events.Site[I];
    if (!isKernelLike(Eager, Site))
      continue;
    if (IsAten(Site)) {
      if (InAten && Events.Track[I] == Track && Events.endNs(I) <= AtenUntil)
        continue;
      InAten = true;
      Track = Events.Track[I];
      AtenUntil = Events.endNs(I);
    }
    ++BySite[Site].Calls;
    BySite[Site].TotalNs += Events.DurationNs[I];
  }
  for (const ProfileRow &Row : Eager.Profile)
    if (isKernelLike(Eager, Row.Site)) {
      BySite[Row.Site].Calls += Row.Calls;
      BySite[Row.Site].TotalNs += Row.TotalNs;
    }
  std::erase_if(BySite, [](const EagerRow &Row) { return !Row.Calls; });
  std::ranges::stable_sort(BySite, std::greater<>(), &EagerRow::TotalNs);
  return BySite;
}

} // namespace

BaselineComparison compareToBaseline(const Trace &Fused, const Statistics &Numbers,
                                     const Trace &Eager) {
  BaselineComparison Result;
  const std::vector<EagerRow> Rows = eagerRows(Eager);
  std::set<SiteId> Used;
  for (size_t K = 0; K < Numbers.Kernels.size(); ++K) {
    const KernelRow &Kernel = Numbers.Kernels[K];
    const OperatorList Operators = operatorsOf(Fused, Fused.Sites[Kernel.Site]);
    BaselinePair Pair;
    Pair.Kernel = K;
    int64_t EagerNs = 0; // of one fused call, or of all where counts are not known
    for (const OperatorList::Entry &Entry : Operators.Entries) {
      ReplacedOperator Replaced;
      Replaced.Name = Entry.Name;
      Replaced.Count = Entry.Count;
      uint64_t Calls = 0;
      int64_t TotalNs = 0;
      for (const EagerRow &Row : Rows)
        if (carriesOperator(Eager, Eager.Sites[Row.Site], Entry.Name)) {
          Replaced.Rows.push_back(Row);
          Calls += Row.Calls;
          TotalNs += Row.TotalNs;
        }
      if (Calls) {
        Replaced.MeanNs = roundedMean(TotalNs, Calls);
        if (Operators.CountsKnown) {
          // Not count times the rounded mean: that would multiply the rounding.
          EagerNs += roundedMean(TotalNs * static_cast<int64_t>(Entry.Count), Calls);
        } else {
          EagerNs += TotalNs;
          Pair.Approximate |= !Kernel.Times.Calls || Calls % Kernel.Times.Calls != 0;
          if (Kernel.Times.Calls)
            Replaced.Count = roundedMean(static_cast<int64_t>(Calls), Kernel.Times.Calls);
        }
      }
      Pair.Operators.push_back(std::move(Replaced));
    }
    const bool Matched = std::ranges::any_of(
        Pair.Operators, [](const ReplacedOperator &Op) { return !Op.Rows.empty(); });
    if (!Matched || !Kernel.Times.Calls) {
      Result.UnmatchedFused.push_back(K);
      continue;
    }
    for (const ReplacedOperator &Op : Pair.Operators)
      for (const EagerRow &Row : Op.Rows)
        Used.insert(Row.Site);
    Pair.FusedMeanNs = *Kernel.Times.MeanNs;
    Pair.EagerMeanNs = Operators.CountsKnown ? EagerNs : roundedMean(EagerNs, Kernel.Times.Calls);
    Pair.Speedup = Pair.FusedMeanNs ? static_cast<double>(Pair.EagerMeanNs) /
                                          static_cast<double>(Pair.FusedMeanNs)
                                    : 0;
    Result.Pairs.push_back(std::move(Pair));
  }
  for (const EagerRow &Row : Rows)
    if (!Used.contains(Row.Site))
      Result.UnmatchedEager.push_back(Row);
  return Result;
}

} // namespace seamscope::tools
