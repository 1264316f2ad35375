//===- EagerRows.cpp - operators of a trace, without those inside others --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/EagerRows.h"

#include "analysis/core/Operators.h"
#include "analysis/samples/ThreadTimes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace seamscope::tools {
namespace {

/// How an ATen call is nested among the others of its thread.
struct Nesting {
  bool Inner = false;
  uint32_t Children = 0;
  size_t LastChild = 0; ///< event; meaningful with children
};

/// In eager mode, host kernels are operators.
bool isKernel(const Trace &Eager, SiteId Id) {
  const SiteKind Kind = Eager.Sites[Id].Kind;
  return Kind == SiteKind::Kernel || Kind == SiteKind::Operator;
}

/// By event; events that are not ATen calls keep the default.
std::vector<Nesting> nestingOf(const Trace &Eager) {
  const EventColumns &Events = Eager.Events;
  std::vector<bool> IsAten(Eager.Sites.size());
  for (SiteId Id = 0; Id < Eager.Sites.size(); ++Id)
    IsAten[Id] = isKernel(Eager, Id) && Eager.text(Eager.Sites[Id].Name).starts_with("aten::");
  std::vector<size_t> Order;
  for (size_t I = 0; I < Events.size(); ++I)
    if (IsAten[Events.Site[I]])
      Order.push_back(I);
  std::ranges::sort(Order, {}, [&](size_t I) {
    return std::tuple(Events.Track[I], Events.BeginNs[I], -Events.endNs(I), I);
  });

  std::vector<Nesting> Result(Events.size());
  std::vector<size_t> Open;
  for (const size_t I : Order) {
    while (!Open.empty() && (Events.Track[Open.back()] != Events.Track[I] ||
                             Events.endNs(Open.back()) <= Events.BeginNs[I]))
      Open.pop_back();
    if (!Open.empty()) {
      Result[I].Inner = true;
      ++Result[Open.back()].Children;
      Result[Open.back()].LastChild = I;
    }
    Open.push_back(I);
  }
  return Result;
}

/// Nothing for a part by time of an operator's work.
std::optional<WholeWork> workOnDevice(const TraceWork &Work, size_t Event) {
  const CallWork Of = Work.of(Event);
  return Of.Flop && Of.Bytes && !Of.BytesAtLeast && !Work.isSplit(Event)
             ? std::optional<WholeWork>({*Of.Flop, *Of.Bytes})
             : std::nullopt;
}

} // namespace

std::string EagerRow::title(const Trace &Eager) const {
  std::string Title;
  for (const StringId Name : Names) {
    if (!Title.empty())
      Title += " > ";
    Title += Eager.text(Name);
  }
  return Title;
}

std::vector<EagerRow> eagerRows(const Trace &Eager) {
  const EventColumns &Events = Eager.Events;
  const std::vector<Nesting> Nested = nestingOf(Eager);
  const ThreadTimes Threads(Eager);
  const std::vector<Origin> Links = linkWork(Eager);
  const TraceWork Work(Eager, Links, DType::Unknown);
  const std::vector<std::optional<WholeWork>> OfHost =
      Links.empty() ? wholeWork(Eager, Work) : std::vector<std::optional<WholeWork>>();
  // Calls that differ only in their inputs share a row.
  std::map<std::tuple<StringId, StringId, StringId, uint32_t, std::vector<StringId>>, EagerRow>
      Rows;
  const auto Add = [&](SiteId Id, std::vector<StringId> Names, uint64_t Calls, int64_t TotalNs,
                       int64_t OffNs, const std::optional<WholeWork> &Done) {
    const Site &What = Eager.Sites[Id];
    EagerRow &Row = Rows[{What.Operators, What.Group, What.File, What.Line, Names}];
    Row.Names = std::move(Names);
    Row.Site = Id;
    Row.Inputs.insert(What.inputs());
    Row.Calls += Calls;
    Row.TotalNs += TotalNs;
    Row.OffNs = saturatingSum(Row.OffNs, OffNs);
    if (Done)
      Row.Work.add(*Done);
  };
  for (size_t I = 0; I < Events.size(); ++I) {
    if (Nested[I].Inner || !isKernel(Eager, Events.Site[I]))
      continue;
    std::vector<StringId> Names = {Eager.Sites[Events.Site[I]].Name};
    for (size_t At = I; Nested[At].Children == 1;) {
      At = Nested[At].LastChild;
      Names.push_back(Eager.Sites[Events.Site[At]].Name);
    }
    const bool IsOfHost = Eager.Sites[Events.Site[I]].Device < 0;
    const bool IsKnown = IsOfHost && Threads.knows(Events.Track[I]);
    Add(Events.Site[I], std::move(Names), 1, Events.DurationNs[I],
        IsKnown ? Threads.between(Events.Track[I], Events.BeginNs[I], Events.endNs(I)).offNs() : 0,
        !IsOfHost        ? workOnDevice(Work, I)
        : OfHost.empty() ? std::nullopt
                         : OfHost[I]);
  }
  for (const ProfileRow &Entry : Eager.Profile)
    if (Entry.Calls && isKernel(Eager, Entry.Site))
      Add(Entry.Site, {Eager.Sites[Entry.Site].Name}, Entry.Calls, Entry.TotalNs, 0, std::nullopt);

  std::vector<EagerRow> Result;
  for (auto &[Key, Row] : Rows)
    Result.push_back(std::move(Row));
  std::ranges::stable_sort(Result, std::greater<>(), &EagerRow::TotalNs);
  return Result;
}

std::vector<std::string> operatorsCarried(const Trace &Eager, const EagerRow &Row) {
  if (const Site &What = Eager.Sites[Row.Site]; What.Operators || What.Group) {
    const OperatorList List = operatorsOf(Eager, What);
    if (List.Entries.size() == 1 && List.Entries[0].Count == 1)
      return {List.Entries[0].Name};
    return {};
  }
  std::vector<std::string> Names;
  for (const StringId Name : Row.Names)
    Names.push_back(bareOperator(Eager.text(Name)));
  std::ranges::sort(Names);
  Names.erase(std::ranges::unique(Names).begin(), Names.end());
  return Names;
}

} // namespace seamscope::tools
