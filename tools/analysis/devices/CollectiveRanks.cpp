//===- CollectiveRanks.cpp - the same collective on all ranks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/CollectiveRanks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// Whether no rank can have the whole result before all ranks have begun.
bool needsAll(CollectiveKind Kind) {
  return Kind == CollectiveKind::AllReduce || Kind == CollectiveKind::AllGather ||
         Kind == CollectiveKind::ReduceScatter || Kind == CollectiveKind::AllToAll ||
         Kind == CollectiveKind::Barrier;
}

class Matching {
public:
  Matching(const Trace &Whole, const std::vector<RankInput> &Inputs,
           const std::vector<Collective> &Found)
      : Events(Whole.Events), Whole(Whole), Inputs(Inputs), Found(Found) {}

  CollectiveMatch run() {
    Result.Shares.resize(Inputs.size());
    // By process: it also contains device work.
    InputOf = inputsOfTracks(Whole, Inputs);
    OfUnknown.resize(Inputs.size());
    collect();
    if (!Inputs.empty())
      collectUnknown();
    for (const auto &[Key, ByInput] : Groups)
      match(Key, ByInput);
    std::ranges::stable_sort(Result.Rows, std::greater(), [](const MatchedCollectives &Row) {
      int64_t Ns = 0;
      for (const CollectiveShare &Share : Row.Shares)
        Ns += Share.WaitNs;
      return Ns;
    });
    return std::move(Result);
  }

private:
  /// Kind, whether on the host, group, its ranks.
  using Key = std::tuple<CollectiveKind, bool, StringId, StringId>;
  struct Calls {
    std::vector<std::vector<const Collective *>> Of; ///< by input, in the order of time
    std::optional<int64_t> GroupSize;
  };

  void collect() {
    for (const Collective &Each : Found) {
      const size_t Input = InputOf[Events.Track[Each.Event]];
      if (Input == NoInput)
        continue;
      if (Each.Kind == CollectiveKind::SendReceive) {
        ++Result.BetweenTwo;
        continue;
      }
      // A group's name alone may mean a different set of ranks on another rank.
      const bool Only = !Each.Group && !Each.Ranks && Whole.Info.Groups.size() == 1;
      if (Each.Kind == CollectiveKind::Other) {
        ++Result.UnknownGroup;
        continue;
      }
      if (!Only && !Each.Group && !Each.Ranks) {
        OfUnknown[Input].push_back(&Each);
        continue;
      }
      Calls &Of = Groups[{Each.Kind, Each.OfHost, Each.Group, Each.Ranks}];
      Of.Of.resize(Inputs.size());
      Of.Of[Input].push_back(&Each);
      if (Each.GroupSize)
        Of.GroupSize = Each.GroupSize;
    }
  }

  /// Collectives without a group, as Gloo's are: if all ranks of the run called the same ones in
  /// the same order, and none ended on a rank before it had begun on all, they are of one group.
  void collectUnknown() {
    const size_t Count = OfUnknown[0].size();
    for (std::vector<const Collective *> &Calls : OfUnknown) {
      std::ranges::stable_sort(Calls, {},
                               [&](const Collective *Call) { return Events.BeginNs[Call->Event]; });
      Result.UnknownGroup += Calls.size();
    }
    if (!Count || !hasAllRanks() || !isOneGroup())
      return;
    Result.UnknownGroup -= Count * Inputs.size();
    for (size_t Input = 0; Input < Inputs.size(); ++Input)
      for (const Collective *const Each : OfUnknown[Input]) {
        Calls &Of = Groups[{Each->Kind, Each->OfHost, 0, 0}];
        Of.Of.resize(Inputs.size());
        Of.Of[Input].push_back(Each);
        Of.GroupSize = static_cast<int64_t>(Inputs.size());
        ++Result.ByOrder;
      }
  }

  bool hasAllRanks() const {
    std::vector<bool> Has(Inputs.size());
    for (const RankInput &Each : Inputs)
      if (Each.Rank && *Each.Rank >= 0 && static_cast<size_t>(*Each.Rank) < Has.size())
        Has[static_cast<size_t>(*Each.Rank)] = true;
    return Inputs.size() > 1 && std::ranges::find(Has, false) == Has.end() &&
           Whole.Info.WorldSize.value_or(static_cast<int64_t>(Inputs.size())) ==
               static_cast<int64_t>(Inputs.size());
  }

  bool isOneGroup() const {
    const auto Count = static_cast<int64_t>(Inputs.size());
    for (size_t K = 0; K < OfUnknown[0].size(); ++K) {
      const Collective &First = *OfUnknown[0][K];
      int64_t LastBegin = Events.BeginNs[First.Event], FirstEnd = Events.endNs(First.Event);
      for (const std::vector<const Collective *> &Calls : OfUnknown) {
        if (Calls.size() != OfUnknown[0].size() || Calls[K]->Kind != First.Kind ||
            Calls[K]->OfHost != First.OfHost || Calls[K]->InBytes != First.InBytes ||
            Calls[K]->GroupSize.value_or(Count) != Count)
          return false;
        LastBegin = std::max(LastBegin, Events.BeginNs[Calls[K]->Event]);
        FirstEnd = std::min(FirstEnd, Events.endNs(Calls[K]->Event));
      }
      if (needsAll(First.Kind) && FirstEnd < LastBegin)
        return false;
    }
    return true;
  }

  void match(const Key &Of, const Calls &All) {
    std::vector<size_t> Members;
    uint64_t Count = 0;
    bool SameCounts = true;
    for (size_t I = 0; I < Inputs.size(); ++I)
      if (!All.Of[I].empty()) {
        SameCounts &= Members.empty() || All.Of[I].size() == All.Of[Members[0]].size();
        Members.push_back(I);
        Count += All.Of[I].size();
      }
    // An absent rank may be the last.
    if (!All.GroupSize) {
      Result.UnknownGroup += Count;
      return;
    }
    if (static_cast<int64_t>(Members.size()) != *All.GroupSize) {
      Result.MissingRanks += Count;
      return;
    }
    if (!SameCounts) {
      Result.OtherCounts += Count;
      return;
    }
    std::vector<std::vector<const Collective *>> ByInput = All.Of;
    for (auto &Calls : ByInput)
      std::ranges::stable_sort(Calls, {},
                               [&](const Collective *Call) { return Events.BeginNs[Call->Event]; });
    MatchedCollectives Row;
    std::tie(Row.Kind, Row.OfHost, Row.Group, Row.Ranks) = Of;
    Row.Shares.resize(Inputs.size());
    std::vector<int64_t> Skews;
    for (size_t K = 0; K < ByInput[Members[0]].size(); ++K)
      if (const auto Skew = add(Row, ByInput, Members, K))
        Skews.push_back(*Skew);
    if (Skews.empty())
      return;
    std::ranges::sort(Skews);
    Row.Count = Skews.size();
    for (const int64_t Skew : Skews)
      if (__builtin_add_overflow(Row.SkewNs, Skew, &Row.SkewNs))
        Row.SkewNs = std::numeric_limits<int64_t>::max(); // of a root that went ahead by years
    Row.MedianSkewNs = Skews[(Skews.size() - 1) / 2];
    Row.MaxSkewNs = Skews.back();
    for (size_t I = 0; I < Inputs.size(); ++I) {
      CollectiveShare &To = Result.Shares[I];
      To.Calls += Row.Shares[I].Calls;
      To.WaitNs += Row.Shares[I].WaitNs;
      To.TransferNs += Row.Shares[I].TransferNs;
      To.TimesLast += Row.Shares[I].TimesLast;
      To.CausedNs += Row.Shares[I].CausedNs;
    }
    Result.Rows.push_back(std::move(Row));
  }

  /// One collective; the time between its first and last begin, or nothing if the times are
  /// impossible.
  std::optional<int64_t> add(MatchedCollectives &Row,
                             const std::vector<std::vector<const Collective *>> &ByInput,
                             const std::vector<size_t> &Members, size_t K) {
    const auto EventOf = [&](size_t Input) { return ByInput[Input][K]->Event; };
    size_t Last = Members[0];
    int64_t First = Events.BeginNs[EventOf(Last)], FirstEnd = Events.endNs(EventOf(Last));
    for (const size_t Input : Members) {
      const uint32_t Event = EventOf(Input);
      if (Events.BeginNs[Event] > Events.BeginNs[EventOf(Last)])
        Last = Input;
      First = std::min(First, Events.BeginNs[Event]);
      FirstEnd = std::min(FirstEnd, Events.endNs(Event));
    }
    const int64_t LastBegin = Events.BeginNs[EventOf(Last)];
    if (needsAll(Row.Kind) && FirstEnd < LastBegin) {
      Result.Contradicted += Members.size();
      return std::nullopt;
    }
    int64_t Caused = 0;
    for (const size_t Input : Members) {
      const uint32_t Event = EventOf(Input);
      CollectiveShare &Share = Row.Shares[Input];
      const int64_t Wait = std::min(LastBegin - Events.BeginNs[Event], Events.DurationNs[Event]);
      ++Share.Calls;
      Share.WaitNs += Wait;
      Result.Waits.emplace_back(Event, Wait);
      Share.TransferNs += Events.DurationNs[Event] - Wait;
      Caused += Wait;
    }
    // If all began at once, no rank waited for another.
    if (LastBegin > First) {
      ++Row.Shares[Last].TimesLast;
      Row.Shares[Last].CausedNs += Caused;
    }
    return LastBegin - First;
  }

  const EventColumns &Events;
  const Trace &Whole;
  const std::vector<RankInput> &Inputs;
  const std::vector<Collective> &Found;
  std::vector<size_t> InputOf; ///< by track
  std::map<Key, Calls> Groups;
  std::vector<std::vector<const Collective *>> OfUnknown; ///< by input
  CollectiveMatch Result;
};

} // namespace

CollectiveMatch matchCollectives(const Trace &Whole, const std::vector<RankInput> &Inputs,
                                 const std::string &NotAligned,
                                 const std::vector<Collective> &Found) {
  if (NotAligned.empty())
    return Matching(Whole, Inputs, Found).run();
  CollectiveMatch Result;
  Result.NotAligned = NotAligned;
  return Result;
}

} // namespace seamscope::tools
