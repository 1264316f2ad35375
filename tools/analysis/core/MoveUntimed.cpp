//===- MoveUntimed.cpp - where untimed calls lie --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/MoveUntimed.h"

#include "analysis/core/CallerTimes.h"
#include "analysis/core/Order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

/// Where the samples of an entry lie, and what they took without the calls inside.
struct Placed {
  DurationSample Whole;
  struct InCaller {
    DurationSample Own;  ///< what they took by themselves
    uint64_t Direct = 0; ///< those that are not inside others of their row
  };
  /// By row of the calling function, another one: short calls in one function say nothing about
  /// long ones in another.
  std::map<uint32_t, InCaller> In;
};

/// Untimed calls, and what they took by themselves.
struct Estimate {
  double Calls = 0, Ns = 0;
  double Direct = 0; ///< of Calls, those that are not inside others of their row
};

/// The untimed calls inside a row.
struct Gift {
  double Calls = 0, Ns = 0;
  struct Part {
    double Calls = 0, Ns = 0;
  };
  std::map<uint32_t, Part> To; ///< by their own row

  void add(uint32_t Row, const Estimate &Its) {
    Calls += Its.Direct;
    Ns += Its.Ns;
    To[Row].Calls += Its.Calls;
    To[Row].Ns += Its.Ns;
  }
};

class Moving {
public:
  Moving(const Trace &Input, std::span<const uint32_t> RowOfSite, std::vector<int64_t> &RowNs,
         int64_t &UnattributedNs, const std::vector<bool> *OnTracks,
         const std::vector<std::optional<double>> *Kept)
      : Input(Input), RowOfSite(RowOfSite), RowNs(RowNs), UnattributedNs(UnattributedNs),
        OnTracks(OnTracks), Kept(Kept), None(static_cast<uint32_t>(RowNs.size())), All(Input),
        Callers(Input, [&](SiteId Id) { return RowOfSite[Id] < RowNs.size(); }),
        Entry(Input.Throttled.size()), OwnWindowNs(RowNs), Moved(RowNs.size() + 1),
        OwnNs(RowNs.size() + 1) {}

  MovedTimes run() {
    walk();
    for (size_t I = 0; I < Entry.size(); ++I)
      spread(I);
    // Entries that contain others come first.
    std::vector<size_t> Order(Entry.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    std::ranges::stable_sort(Order, std::greater(),
                             [&](size_t I) { return Entry[I].Whole.mean(); });
    // By thread and row of the call around: the entries that have samples there, in this order.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> Within;
    for (size_t I = 0; I < Order.size(); ++I)
      for (const auto &[Around, Its] : Entry[Order[I]].In)
        Within[{Input.Throttled[Order[I]].Track, Around}].push_back(I);
    for (size_t I = 0; I < Order.size(); ++I)
      if (const auto Found = Within.find({Input.Throttled[Order[I]].Track, rowOf(Order[I])});
          Found != Within.end())
        for (auto J = std::ranges::upper_bound(Found->second, I); J != Found->second.end(); ++J)
          nest(Order[I], Order[*J]);
    for (size_t I = 0; I < Entry.size(); ++I)
      for (const auto &[Around, Its] : Untimed[I])
        if (const uint32_t Row = rowOf(I); Row != Around && Row < None && !keptPart(Row))
          Moved[Around].add(Row, Its);
    return apply();
  }

private:
  uint32_t rowOf(size_t I) const { return RowOfSite[Input.Throttled[I].Site]; }
  std::optional<double> keptPart(uint32_t Row) const {
    return Kept && Row < None ? (*Kept)[Row] : std::nullopt;
  }

  /// Nests the calls that have rows.
  void walk() {
    const EventColumns &Events = Input.Events;
    struct Frame {
      uint32_t Event;
      int64_t InsideNs;
      uint32_t Inside; ///< calls
    };
    std::vector<Frame> Stack;
    const double BesideNs =
        std::max(0.0, Input.Info.CallCostNs - static_cast<double>(Input.Info.StampBiasNs));
    const auto Pop = [&] {
      const auto [Event, InsideNs, Inside] = Stack.back();
      Stack.pop_back();
      const uint32_t Row = RowOfSite[Events.Site[Event]];
      const int64_t Own = std::max<int64_t>(0, Events.DurationNs[Event] - InsideNs);
      OwnNs[Row] += static_cast<double>(Own);
      if (!Stack.empty()) {
        Stack.back().InsideNs += Events.DurationNs[Event];
        ++Stack.back().Inside;
      }
      const auto Of = All.of(Event);
      if (!Of)
        return;
      // The caller, or that of the outermost call of the row.
      uint32_t Around = None;
      for (size_t Depth = Stack.size(); Around == None && Depth--;)
        if (const uint32_t Outer = RowOfSite[Events.Site[Stack[Depth].Event]]; Outer != Row)
          Around = Outer;
      Placed &Its = Entry[*Of];
      Its.Whole.add(static_cast<double>(Events.DurationNs[Event]));
      Placed::InCaller &Here = Its.In[Around];
      All.addOwnTo(Here.Own, *Of, static_cast<double>(Own) - BesideNs * Inside);
      Here.Direct += Stack.empty() || RowOfSite[Events.Site[Stack.back().Event]] == Around;
    };
    for (const uint32_t I : orderedByTrack(Input, eventsWhere(Input, [&](uint32_t Event) {
                                             return RowOfSite[Events.Site[Event]] < None &&
                                                    (!OnTracks || (*OnTracks)[Events.Track[Event]]);
                                           }))) {
      while (!Stack.empty() && (Events.Track[Stack.back().Event] != Events.Track[I] ||
                                Events.endNs(Stack.back().Event) <= Events.BeginNs[I]))
        Pop();
      Callers.enter(I, Stack.size(),
                    Stack.empty() ? None : RowOfSite[Events.Site[Stack.back().Event]]);
      Stack.push_back({I, 0, 0});
    }
    while (!Stack.empty())
      Pop();
  }

  /// Untimed calls lie where timed ones lie.
  void spread(size_t I) {
    Untimed.resize(Entry.size());
    for (const auto &[Around, Its] : Entry[I].In) {
      const double Each = static_cast<double>(Input.Throttled[I].Untimed) /
                          static_cast<double>(Entry[I].Whole.Count);
      const double Calls = Each * static_cast<double>(Its.Own.Count);
      Untimed[I][Around] = {Calls, Calls * Its.Own.mean(), Each * static_cast<double>(Its.Direct)};
    }
  }

  /// Some of \p Inner seem to lie next to \p Outer, but lie in its untimed calls: as many in each
  /// as in a timed one.
  void nest(size_t Outer, size_t Inner) {
    const uint32_t Row = rowOf(Outer);
    const auto Joint = Entry[Inner].In.find(Row);
    if (Row >= None || Joint == Entry[Inner].In.end() || !Input.Throttled[Inner].Timed ||
        Input.Throttled[Outer].Track != Input.Throttled[Inner].Track)
      return;
    const ThrottledCalls &Calls = Input.Throttled[Inner];
    const double Each = static_cast<double>(Calls.Untimed + Calls.Timed) /
                        static_cast<double>(Calls.Timed) *
                        static_cast<double>(Joint->second.Own.Count) /
                        static_cast<double>(Entry[Outer].Whole.Count);
    for (const auto &[Around, OfOuter] : Untimed[Outer]) {
      const auto Beside = Untimed[Inner].find(Around);
      if (Around == Row || Beside == Untimed[Inner].end())
        continue;
      Estimate &From = Beside->second;
      if (!(From.Calls > 0))
        continue;
      const double Within = std::min(From.Calls, OfOuter.Calls * Each);
      const double Ns = From.Ns * (Within / From.Calls);
      const double Direct = From.Direct * (Within / From.Calls);
      From.Calls -= Within;
      From.Ns -= Ns;
      From.Direct -= Direct;
      // It was moved from the calls around both.
      if (const auto Part = keptPart(rowOf(Inner)); Part && !keptPart(Row)) {
        double &Has = Untimed[Outer][Around].Ns;
        Has = std::max(0.0, Has - Ns * *Part);
      }
      Estimate &To = Untimed[Inner][Row];
      To.Calls += Within;
      To.Ns += Ns;
      To.Direct += Direct;
    }
  }

  /// If several threads worked at once, a row's part of the window is less than its threads' own
  /// time, and what it gives to other rows is reduced in proportion. Outer rows come first, so that
  /// a row can pass on what it got.
  MovedTimes apply() {
    MovedTimes Result;
    std::vector<double> Wanted(RowNs.size());
    std::vector<bool> HasRoom(RowNs.size());
    Result.OfRow.resize(RowNs.size());
    for (const uint32_t From : outerFirst()) {
      int64_t &Has = From == None ? UnattributedNs : RowNs[From];
      const double Scale =
          From == None || !(OwnNs[From] > 0)
              ? 1
              : std::min(1.0, static_cast<double>(OwnWindowNs[From]) / OwnNs[From]);
      const Room Its = Callers.room(From, Scale > 0 ? static_cast<double>(Has) / Scale : 0,
                                    Moved[From].Ns, Moved[From].Calls);
      for (const auto &[To, Part] : Moved[From].To) {
        const auto [Calls, Ns] = Part;
        const int64_t Amount = std::min(Has, roundedNs(Ns * Scale * Its.Part));
        Has -= Amount;
        RowNs[To] += Amount;
        Result.Moves.push_back({From, To, Amount, Calls, Ns * Scale});
        Room &OfRow = Result.OfRow[To];
        if (!HasRoom[To])
          OfRow = {0, 0, 0};
        HasRoom[To] = true;
        Wanted[To] += Ns;
        OfRow.Part += Ns * Its.Part;
        OfRow.Least += Ns * Its.Least;
        OfRow.MostNs += Its.MostNs;
      }
    }
    for (size_t Row = 0; Row < Wanted.size(); ++Row)
      if (Room &Its = Result.OfRow[Row]; HasRoom[Row]) {
        Its.Part = Wanted[Row] > 0 ? Its.Part / Wanted[Row] : 1;
        Its.Least = Wanted[Row] > 0 ? Its.Least / Wanted[Row] : 1;
      }
    return Result;
  }

  /// Those without calls around first; then each giver before those that it gives to.
  std::vector<uint32_t> outerFirst() const {
    std::vector<uint32_t> Order{None};
    std::vector<bool> Seen(RowNs.size() + 1);
    Seen[None] = true;
    const auto Visit = [&](auto &&Self,
                           uint32_t Row) -> void { // after it, the rows that it gives to
      if (Seen[Row])
        return;
      Seen[Row] = true;
      for (const auto &[To, Part] : Moved[Row].To)
        Self(Self, To);
      Order.push_back(Row);
    };
    for (uint32_t Row = 0; Row < None; ++Row)
      Visit(Visit, Row);
    std::reverse(Order.begin() + 1, Order.end());
    return Order;
  }

  const Trace &Input;
  std::span<const uint32_t> RowOfSite;
  std::vector<int64_t> &RowNs;
  int64_t &UnattributedNs;
  const std::vector<bool> *const OnTracks;
  const std::vector<std::optional<double>> *const Kept;
  const uint32_t None;
  const ThrottledEntries All;
  CallerTimes Callers;
  std::vector<Placed> Entry;
  const std::vector<int64_t> OwnWindowNs;            ///< RowNs as given
  std::vector<std::map<uint32_t, Estimate>> Untimed; ///< by entry, then by row around
  std::vector<Gift> Moved;                           ///< by row
  std::vector<double> OwnNs;                         ///< by row, over its threads
};

} // namespace

MovedTimes moveUntimed(const Trace &Input, std::span<const uint32_t> RowOfSite,
                       std::vector<int64_t> &RowNs, int64_t &UnattributedNs,
                       const std::vector<bool> *OnTracks,
                       const std::vector<std::optional<double>> *Kept) {
  if (Input.Throttled.empty())
    return {std::vector<Room>(RowNs.size()), {}};
  return Moving(Input, RowOfSite, RowNs, UnattributedNs, OnTracks, Kept).run();
}

} // namespace seamscope::tools
