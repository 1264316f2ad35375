//===- RankCalls.cpp - collectives of ranks, matched by order -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/RankCalls.h"

#include <algorithm>
#include <utility>

namespace seamscope::tools {
namespace {

/// Of the larger array of a gather or scatter all ranks have the whole, also if its parts differ.
std::optional<int64_t> commonBytes(const Collective &Of) {
  switch (Of.Kind) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::ReduceScatter:
    return Of.InBytes;
  case CollectiveKind::AllGather:
    return Of.OutBytes;
  default:
    return std::nullopt;
  }
}

bool sizesDiffer(const GroupCalls &Row) {
  for (size_t K = 0; K < Row.count(); ++K) {
    std::optional<int64_t> Known;
    for (const std::vector<RankCall> &Calls : Row.Calls)
      if (const int64_t Bytes = Calls[K].CommonBytes; Bytes >= 0) {
        if (Known.value_or(Bytes) != Bytes)
          return true;
        Known = Bytes;
      }
  }
  return false;
}

} // namespace

bool needsAll(CollectiveKind Kind) {
  return Kind == CollectiveKind::AllReduce || Kind == CollectiveKind::AllGather ||
         Kind == CollectiveKind::ReduceScatter || Kind == CollectiveKind::AllToAll ||
         Kind == CollectiveKind::Barrier;
}

void RankCalls::add(size_t Input, const Collective &Of, StringId Group, StringId Ranks,
                    int64_t BeginNs, int64_t EndNs) {
  if (Of.Kind == CollectiveKind::SendReceive) {
    ++BetweenTwo;
    return;
  }
  if (Of.Kind == CollectiveKind::Other) {
    ++UnknownGroup;
    return;
  }
  const RankCall Call = {BeginNs, EndNs, Of.InBytes.value_or(-1), commonBytes(Of).value_or(-1),
                         Of.Event};
  const KeyedCall Each = {Call, {Of.Kind, Of.OfHost, Group, Ranks}, Of.GroupSize, Of.EvenSplit};
  if (Group || Ranks)
    add(Input, Each);
  else
    OfUnknown[Input].push_back(Each);
}

void RankCalls::add(size_t Input, const KeyedCall &Each) {
  Grouped &To = Groups[Each.Of];
  To.Of[Input].push_back(Each.Call);
  To.EvenSplit &= Each.EvenSplit;
  if (Each.GroupSize)
    To.GroupSize = Each.GroupSize;
}

void RankCalls::match(bool HasOneGroup) {
  for (size_t Input = 0; HasOneGroup && Input < OfUnknown.size(); ++Input) {
    for (const KeyedCall &Each : OfUnknown[Input])
      add(Input, Each);
    OfUnknown[Input].clear();
  }
  for (auto &[Key, All] : Groups)
    match(Key, All);
  Groups.clear();
  for (std::vector<KeyedCall> &Calls : OfUnknown) {
    std::ranges::stable_sort(Calls, {}, [](const KeyedCall &Each) { return Each.Call.BeginNs; });
    UnknownGroup += Calls.size();
  }
}

void RankCalls::match(const CollectiveKey &Of, Grouped &All) {
  uint64_t Count = 0;
  bool SameCounts = true;
  for (const auto &[Input, Calls] : All.Of) {
    SameCounts &= Calls.size() == All.Of.begin()->second.size();
    Count += Calls.size();
  }
  // An absent rank may be the last.
  if (!All.GroupSize) {
    UnknownGroup += Count;
    return;
  }
  if (static_cast<int64_t>(All.Of.size()) != *All.GroupSize) {
    MissingRanks += Count;
    return;
  }
  if (!SameCounts) {
    OtherCounts += Count;
    return;
  }
  GroupCalls Row;
  Row.Of = Of;
  Row.NeedsAll = needsAll(Of.Kind) && All.EvenSplit;
  for (auto &[Input, Calls] : All.Of) {
    std::ranges::stable_sort(Calls, {}, &RankCall::BeginNs);
    Row.Members.push_back(Input);
    Row.Calls.push_back(std::move(Calls));
  }
  if (sizesDiffer(Row))
    OtherSizes += Count;
  else
    Rows.push_back(std::move(Row));
}

void RankCalls::matchUnknown() {
  if (OfUnknown.empty() || OfUnknown[0].empty() || !isOneGroup())
    return;
  std::map<CollectiveKey, GroupCalls> Found;
  for (size_t Input = 0; Input < OfUnknown.size(); ++Input)
    for (const KeyedCall &Each : OfUnknown[Input]) {
      GroupCalls &To = Found[Each.Of];
      To.Of = Each.Of;
      if (To.Members.empty() || To.Members.back() != Input) {
        To.Members.push_back(Input);
        To.Calls.emplace_back();
      }
      To.Calls.back().push_back(Each.Call);
      ++ByOrder;
    }
  UnknownGroup -= ByOrder;
  for (auto &[Key, Row] : Found)
    Rows.push_back(std::move(Row));
}

bool RankCalls::isOneGroup() const {
  const auto Count = static_cast<int64_t>(OfUnknown.size());
  for (size_t K = 0; K < OfUnknown[0].size(); ++K) {
    const KeyedCall &First = OfUnknown[0][K];
    int64_t LastBegin = First.Call.BeginNs, FirstEnd = First.Call.EndNs;
    for (const std::vector<KeyedCall> &Calls : OfUnknown) {
      if (Calls.size() != OfUnknown[0].size() || Calls[K].Of != First.Of ||
          Calls[K].Call.InBytes != First.Call.InBytes ||
          Calls[K].GroupSize.value_or(Count) != Count)
        return false;
      LastBegin = std::max(LastBegin, Calls[K].Call.BeginNs);
      FirstEnd = std::min(FirstEnd, Calls[K].Call.EndNs);
    }
    if (needsAll(First.Of.Kind) && FirstEnd < LastBegin)
      return false;
  }
  return true;
}

} // namespace seamscope::tools
