//===- CollectiveRanks.cpp - the same collective on all ranks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/CollectiveRanks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace seamscope::tools {
namespace {

/// Sums of errors of years are not known either.
void addError(std::optional<int64_t> &To, std::optional<int64_t> More) {
  int64_t Sum = 0;
  const bool Fits = !__builtin_add_overflow(To.value_or(0), More.value_or(0), &Sum);
  To = To && More && Fits ? std::optional(Sum) : std::nullopt;
}

class Comparing {
public:
  Comparing(const Trace &Whole, const RankReport &Ranks)
      : Whole(Whole), Ranks(Ranks), Clocks(Ranks.Clocks) {
    RankClock Unknown;
    if (!Ranks.NotAligned.empty())
      Unknown.Basis = ClockBasis::None;
    Clocks.resize(Ranks.Inputs.size(), Unknown);
  }

  CollectiveMatch run(const std::vector<Collective> &Found) {
    Result.Shares.resize(Ranks.Inputs.size());
    // By process: it also contains device work.
    const std::vector<size_t> InputOf = inputsOfTracks(Whole, Ranks.Inputs);
    RankCalls Calls(Ranks.Inputs.size());
    const EventColumns &Events = Whole.Events;
    for (const Collective &Each : Found)
      if (const size_t Input = InputOf[Events.Track[Each.Event]]; Input != NoInput)
        Calls.add(Input, Each, Each.Group, Each.Ranks, Events.BeginNs[Each.Event],
                  Events.endNs(Each.Event));
    Calls.match(Whole.Info.Groups.size() == 1);
    // If two clocks are made one by collectives, that these overlap is no evidence.
    if (hasAllRanks() && std::ranges::all_of(Clocks, [](const RankClock &Each) {
          return Each.Basis == ClockBasis::Trace;
        }))
      Calls.matchUnknown();
    for (const GroupCalls &Row : Calls.Rows)
      compare(Row);
    std::ranges::stable_sort(Result.Rows, std::greater(), [](const MatchedCollectives &Row) {
      int64_t Ns = 0;
      for (const CollectiveShare &Share : Row.Shares)
        Ns += Share.WaitNs;
      return Ns;
    });
    Result.ByOrder = Calls.ByOrder;
    Result.UnknownGroup = Calls.UnknownGroup;
    Result.MissingRanks = Calls.MissingRanks;
    Result.OtherCounts = Calls.OtherCounts;
    Result.OtherSizes = Calls.OtherSizes;
    Result.BetweenTwo = Calls.BetweenTwo;
    if (!Ranks.NotAligned.empty() && Result.Rows.empty()) {
      Result.NotAligned = Ranks.NotAligned;
      Result.Shares.clear();
    }
    return std::move(Result);
  }

private:
  bool hasAllRanks() const {
    std::vector<bool> Has(Ranks.Inputs.size());
    for (const RankInput &Each : Ranks.Inputs)
      if (Each.Rank && *Each.Rank >= 0 && static_cast<size_t>(*Each.Rank) < Has.size())
        Has[static_cast<size_t>(*Each.Rank)] = true;
    return Has.size() > 1 && std::ranges::find(Has, false) == Has.end() &&
           Whole.Info.WorldSize.value_or(static_cast<int64_t>(Has.size())) ==
               static_cast<int64_t>(Has.size());
  }

  void compare(const GroupCalls &All) {
    const RankClock &First = Clocks[All.Members[0]];
    if (!std::ranges::all_of(All.Members,
                             [&](size_t Input) { return Clocks[Input].comparesWith(First); })) {
      Result.OtherClocks += All.count() * All.Members.size();
      return;
    }
    MatchedCollectives Row;
    Row.Of = All.Of;
    Row.Shares.resize(Ranks.Inputs.size());
    findErrors(Row, All);
    std::vector<int64_t> Skews;
    for (size_t K = 0; K < All.count(); ++K)
      if (const auto Skew = add(Row, All, K))
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
    for (const size_t Input : All.Members)
      Result.Shares[Input].add(Row.Shares[Input]);
    Result.Rows.push_back(std::move(Row));
  }

  /// How far a wait of each member may be off: by its own clock, and by that of the last.
  void findErrors(MatchedCollectives &Row, const GroupCalls &All) {
    Errors.clear();
    for (const size_t Input : All.Members)
      Errors.push_back(Clocks[Input].ErrorNs);
    std::vector<std::optional<int64_t>> Sorted = Errors;
    std::ranges::sort(Sorted, std::greater()); // nothing is last
    Largest = Sorted.back() ? Sorted[0] : std::nullopt;
    Row.SkewErrorNs = Largest;
    if (Sorted.size() > 1)
      addError(Row.SkewErrorNs, Sorted[1]);
    for (std::optional<int64_t> &Error : Errors)
      addError(Error, Largest);
  }

  /// One collective; the time between its first and last begin, or nothing if the times are
  /// impossible.
  std::optional<int64_t> add(MatchedCollectives &Row, const GroupCalls &All, size_t K) {
    size_t Last = 0;
    int64_t First = All.Calls[0][K].BeginNs, FirstEnd = All.Calls[0][K].EndNs;
    for (size_t M = 0; M < All.Members.size(); ++M) {
      const RankCall &Call = All.Calls[M][K];
      if (Call.BeginNs > All.Calls[Last][K].BeginNs)
        Last = M;
      First = std::min(First, Call.BeginNs);
      FirstEnd = std::min(FirstEnd, Call.EndNs);
    }
    const int64_t LastBegin = All.Calls[Last][K].BeginNs;
    // Times that were aligned may be impossible by their error.
    const int64_t Allowed =
        Clocks[All.Members[0]].Basis == ClockBasis::Collectives ? 2 * Largest.value_or(0) : 0;
    if (needsAll(Row.Of.Kind) && LastBegin - FirstEnd > Allowed) {
      Result.Contradicted += All.Members.size();
      return std::nullopt;
    }
    int64_t Caused = 0;
    std::optional<int64_t> CausedError = 0;
    for (size_t M = 0; M < All.Members.size(); ++M) {
      const RankCall &Call = All.Calls[M][K];
      CollectiveShare &Share = Row.Shares[All.Members[M]];
      const int64_t Duration = Call.EndNs - Call.BeginNs;
      const int64_t Wait = std::min(LastBegin - Call.BeginNs, Duration);
      ++Share.Calls;
      Share.WaitNs += Wait;
      // A wait is within the call.
      std::optional<int64_t> Error = Errors[M];
      if (Error)
        Error = std::min(*Error, std::max(Wait, Duration - Wait));
      addError(Share.WaitErrorNs, Error);
      Result.Waits.emplace_back(Call.Event, Wait);
      Share.TransferNs += Duration - Wait;
      Caused += Wait;
      addError(CausedError, Error);
    }
    // If all began at once, no rank waited for another.
    if (LastBegin > First) {
      CollectiveShare &Share = Row.Shares[All.Members[Last]];
      ++Share.TimesLast;
      Share.CausedNs += Caused;
    }
    addCausedErrors(Row, All, K, Last, Caused, CausedError);
    return LastBegin - First;
  }

  /// \p Error: of the waits, in all. Where clocks do not tell which of several was the last, each
  /// of these may have caused all of them or nothing.
  void addCausedErrors(MatchedCollectives &Row, const GroupCalls &All, size_t K, size_t Last,
                       int64_t Caused, const std::optional<int64_t> &Error) {
    const auto IsMaybeLast = [&](size_t M) {
      return All.Calls[Last][K].BeginNs - All.Calls[M][K].BeginNs <=
             *Clocks[All.Members[M]].ErrorNs + *Clocks[All.Members[Last]].ErrorNs;
    };
    std::optional<int64_t> Whole = Error;
    addError(Whole, Caused);
    size_t Candidates = 0;
    for (size_t M = 0; M < All.Members.size(); ++M)
      Candidates += Largest && IsMaybeLast(M);
    for (size_t M = 0; M < All.Members.size(); ++M)
      if (!Largest || IsMaybeLast(M))
        addError(Row.Shares[All.Members[M]].CausedErrorNs, Candidates > 1 ? Whole : Error);
  }

  const Trace &Whole;
  const RankReport &Ranks;
  std::vector<RankClock> Clocks;              ///< by input
  std::vector<std::optional<int64_t>> Errors; ///< by member of the row that is compared
  std::optional<int64_t> Largest;
  CollectiveMatch Result;
};

} // namespace

void CollectiveShare::add(const CollectiveShare &Other) {
  Calls += Other.Calls;
  WaitNs += Other.WaitNs;
  TransferNs += Other.TransferNs;
  TimesLast += Other.TimesLast;
  CausedNs += Other.CausedNs;
  addError(WaitErrorNs, Other.WaitErrorNs);
  addError(CausedErrorNs, Other.CausedErrorNs);
}

CollectiveMatch matchCollectives(const Trace &Whole, const RankReport &Ranks,
                                 const std::vector<Collective> &Found) {
  return Comparing(Whole, Ranks).run(Found);
}

} // namespace seamscope::tools
