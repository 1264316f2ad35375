//===- ClockAlignment.cpp - clocks of ranks, by their collectives ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/ClockAlignment.h"

#include "analysis/devices/ClockLines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace seamscope::tools {
namespace {

/// What is found about an input, as far as the current reference leads.
struct State {
  enum class Stage : uint8_t { Unseen, Reached, Unfit, Done } Stage = Stage::Unseen;
  /// Roughly the offset of its clock. Lines are relative to it: a double holds them to far below
  /// a ns.
  int64_t GuessNs = 0;
  std::optional<ClockLines> Lines;
  /// From its first collective to its last.
  int64_t BeginNs = std::numeric_limits<int64_t>::max(),
          EndNs = std::numeric_limits<int64_t>::min();
  /// Collectives that narrowed the lines, and those that no line would fit.
  uint64_t Fitting = 0, Contrary = 0;
  /// How much later than written a call may have ended, since times are rounded down to a unit.
  double LateEndNs = 0;
};
using Stage = enum State::Stage;

/// One call with a wrong time, as profilers write some, must not cost all others of its rank.
constexpr uint64_t MostContrary = 20; // one of so many

bool isTooMany(uint64_t Contrary, uint64_t Of) { return Contrary * MostContrary > Of; }

class Aligning {
public:
  Aligning(const RankCalls &Calls, const std::vector<std::optional<int64_t>> &Ranks, bool AreGiven)
      : Ranks(Ranks), AreGiven(AreGiven), States(Ranks.size()), RowsOf(Ranks.size()),
        Clocks(Ranks.size()) {
    for (const GroupCalls &Row : Calls.Rows)
      if (Row.NeedsAll && Row.Members.size() > 1)
        Rows.push_back(&Row);
    for (size_t I = 0; I < Rows.size(); ++I)
      for (const size_t Input : Rows[I]->Members)
        RowsOf[Input].push_back(I);
    findTimes();
  }

  std::vector<RankClock> run() {
    std::vector<size_t> Order(Ranks.size());
    std::iota(Order.begin(), Order.end(), size_t{0});
    std::ranges::stable_sort(Order, {}, [&](size_t Input) {
      return Ranks[Input].value_or(std::numeric_limits<int64_t>::max());
    });
    for (const size_t Input : Order)
      if (States[Input].Stage != Stage::Done)
        alignTo(Input);
    return std::move(Clocks);
  }

private:
  /// Finds when each input has collectives, and in which unit: some writers know times to a µs.
  void findTimes() {
    constexpr int64_t Us = 1000;
    std::vector<bool> InNs(Ranks.size());
    for (const GroupCalls *const Row : Rows)
      for (size_t M = 0; M < Row->Members.size(); ++M) {
        State &Of = States[Row->Members[M]];
        for (const RankCall &Call : Row->Calls[M]) {
          Of.BeginNs = std::min(Of.BeginNs, Call.BeginNs);
          Of.EndNs = std::max(Of.EndNs, Call.EndNs);
          if (Call.BeginNs % Us || Call.EndNs % Us)
            InNs[Row->Members[M]] = true;
        }
      }
    // The begin and the duration are rounded.
    for (size_t Input = 0; Input < Ranks.size(); ++Input)
      States[Input].LateEndNs = InNs[Input] ? 2 : 2 * Us;
  }

  void alignTo(size_t Reference) {
    States[Reference].Stage = Stage::Reached;
    States[Reference].GuessNs = 0;
    if (!RowsOf[Reference].empty())
      States[Reference].Lines.emplace(States[Reference].BeginNs, States[Reference].EndNs);
    std::vector<size_t> Reached = {Reference};
    for (size_t Next = 0; Next < Reached.size();) {
      std::set<size_t> Wanted;
      for (; Next < Reached.size(); ++Next)
        Wanted.insert(RowsOf[Reached[Next]].begin(), RowsOf[Reached[Next]].end());
      // All of a round see the lines before it: the order of rows does not matter.
      std::map<size_t, ClockLines> New;
      for (const size_t Row : Wanted)
        narrow(*Rows[Row], Reference, New);
      for (auto &[Input, Lines] : New) {
        State &Of = States[Input];
        if (isTooMany(Of.Contrary, Of.Fitting + Of.Contrary)) {
          Of.Stage = Stage::Unfit;
          Clocks[Input].Why = NoClock::NoLine;
          continue;
        }
        if (Of.Stage == Stage::Unseen)
          Reached.push_back(Input);
        Of.Stage = Stage::Reached;
        Of.Lines = std::move(Lines);
      }
    }
    std::erase_if(Reached, [&](size_t Input) { return States[Input].Stage != Stage::Reached; });
    finish(Reached, Reference);
    // They may fit one another.
    for (State &Of : States)
      if (Of.Stage == Stage::Unfit) {
        Of.Stage = Stage::Unseen;
        Of.Lines.reset();
        Of.Fitting = Of.Contrary = 0;
      }
  }

  static double since(int64_t Ns, const State &Of, __int128 BaseNs) {
    return static_cast<double>(__int128{Ns} + Of.GuessNs - BaseNs);
  }

  /// Narrows the lines of the members of \p Row by those of the members that are reached.
  void narrow(const GroupCalls &Row, size_t Reference, std::map<size_t, ClockLines> &New) {
    std::vector<size_t> Open; // by member
    for (size_t M = 0; M < Row.Members.size(); ++M)
      if (const Stage Of = States[Row.Members[M]].Stage;
          Of == Stage::Unseen || Of == Stage::Reached)
        Open.push_back(M);
    for (size_t K = 0; K < Row.count(); ++K) {
      // When all had begun, between two times; relative to that of one rank.
      std::optional<__int128> BaseNs;
      int64_t AnEndNs = 0;
      double Begun = -INFINITY, Ended = INFINITY;
      for (const size_t M : Open) {
        const RankCall &Call = Row.Calls[M][K];
        const State &Of = States[Row.Members[M]];
        if (Of.Stage != Stage::Reached || isCut(Call))
          continue;
        if (!BaseNs) {
          BaseNs = __int128{Call.BeginNs} + Of.GuessNs;
          AnEndNs = Call.EndNs - Call.BeginNs;
        }
        Begun = std::max(Begun, since(Call.BeginNs, Of, *BaseNs) + Of.Lines->least(Call.BeginNs));
        Ended = std::min(Ended, since(Call.EndNs, Of, *BaseNs) + Of.Lines->most(Call.EndNs) +
                                    Of.LateEndNs);
      }
      if (!BaseNs)
        continue;
      for (const size_t M : Open) {
        const size_t Input = Row.Members[M];
        const RankCall &Call = Row.Calls[M][K];
        State &Of = States[Input];
        if (Input == Reference || Of.Stage == Stage::Unfit || isCut(Call))
          continue;
        auto Lines = New.find(Input);
        if (Lines == New.end() && Of.Stage == Stage::Unseen) {
          // Ranks end a collective at about the same time.
          const __int128 Guess = *BaseNs + AnEndNs - Call.EndNs;
          if (!isPlausible(Guess)) {
            Of.Stage = Stage::Unfit;
            Clocks[Input].Why = NoClock::TooFar;
            continue;
          }
          Of.GuessNs = static_cast<int64_t>(Guess);
        }
        const double Most = Ended - since(Call.BeginNs, Of, *BaseNs);
        const double Least = Begun - since(Call.EndNs, Of, *BaseNs) - Of.LateEndNs;
        if (Lines == New.end())
          Lines = New.emplace(Input,
                              Of.Lines ? *Of.Lines : ClockLines(Of.BeginNs, Of.EndNs, Least, Most))
                      .first;
        const bool Fits = Lines->second.keepBelow(Call.BeginNs, Most) &&
                          Lines->second.keepAbove(Call.EndNs, Least);
        ++(Fits ? Of.Fitting : Of.Contrary);
      }
    }
  }

  /// A call without a length was cut: no collective of several ranks takes no time.
  static bool isCut(const RankCall &Call) { return Call.EndNs <= Call.BeginNs; }

  /// Whether a group has calls that, by the times as they are, ended before all had begun: more
  /// than a few.
  bool contradict(const std::vector<size_t> &Reached) const {
    std::set<size_t> Shared;
    for (const size_t Input : Reached)
      Shared.insert(RowsOf[Input].begin(), RowsOf[Input].end());
    for (const size_t I : Shared) {
      const GroupCalls &Row = *Rows[I];
      uint64_t Contrary = 0;
      for (size_t K = 0; K < Row.count(); ++K) {
        int64_t LastBegin = std::numeric_limits<int64_t>::min();
        double FirstEnd = INFINITY;
        for (size_t M = 0; M < Row.Members.size(); ++M) {
          const State &Of = States[Row.Members[M]];
          const RankCall &Call = Row.Calls[M][K];
          if (Of.Stage != Stage::Reached || isCut(Call))
            continue;
          LastBegin = std::max(LastBegin, Call.BeginNs);
          FirstEnd = std::min(FirstEnd, static_cast<double>(Call.EndNs) + Of.LateEndNs);
        }
        Contrary += static_cast<double>(LastBegin) > FirstEnd;
      }
      if (isTooMany(Contrary, Row.count()))
        return true;
    }
    return false;
  }

  void finish(const std::vector<size_t> &Reached, size_t Reference) {
    const bool IsAlone = Reached.size() == 1;
    const bool Keep = AreGiven && (IsAlone || !contradict(Reached));
    // If none of those that it shares collectives with fits, nor does it.
    if (IsAlone)
      for (const size_t Row : RowsOf[Reference])
        for (const size_t Input : Rows[Row]->Members)
          if (States[Input].Stage == Stage::Unfit)
            Clocks[Reference].Why = Clocks[Input].Why;
    for (const size_t Input : Reached) {
      State &Of = States[Input];
      RankClock &Clock = Clocks[Input];
      Of.Stage = Stage::Done;
      if (IsAlone) {
        Clock.Basis =
            AreGiven && Clock.Why == NoClock::NoCollectives ? ClockBasis::Trace : ClockBasis::None;
        continue;
      }
      Clock.Why = NoClock::Known;
      Clock.Reference = Reference;
      Clock.Basis = Keep ? ClockBasis::Trace : ClockBasis::Collectives;
      const auto Guess = static_cast<double>(Of.GuessNs);
      const ClockLine Line = Keep ? ClockLine{-Guess, -Guess} : Of.Lines->middle();
      // The other ns are those that a TimeMap rounds off.
      Clock.ErrorNs =
          Input == Reference ? 0 : static_cast<int64_t>(std::ceil(Of.Lines->error(Line))) + 2;
      if (!Keep && Input != Reference)
        move(Clock, Of, Line);
    }
  }

  static void move(RankClock &Clock, const State &Of, const ClockLine &Line) {
    const __int128 Shift = __int128{Of.GuessNs} + std::llround(Line.First);
    const double Length = std::max(1.0, static_cast<double>(Of.EndNs - Of.BeginNs));
    TimeMap Time = {.OriginNs = Of.BeginNs,
                    .Rate = std::llround((Line.Last - Line.First) / Length * TimeMap::RateUnit)};
    if (isPlausible(Shift)) {
      Time.ShiftNs = static_cast<int64_t>(Shift);
      if (isPlausible(Time.exact(Of.BeginNs)) && isPlausible(Time.exact(Of.EndNs))) {
        Clock.Time = Time;
        return;
      }
    }
    Clock = RankClock();
    Clock.Basis = ClockBasis::None;
    Clock.Why = NoClock::TooFar;
  }

  const std::vector<std::optional<int64_t>> &Ranks;
  const bool AreGiven;
  std::vector<const GroupCalls *> Rows; ///< those that bound differences of clocks
  std::vector<State> States;            ///< by input
  std::vector<std::vector<size_t>> RowsOf;
  std::vector<RankClock> Clocks;
};

} // namespace

std::vector<RankClock> alignClocks(const RankCalls &Calls,
                                   const std::vector<std::optional<int64_t>> &Ranks,
                                   bool AreGiven) {
  return Aligning(Calls, Ranks, AreGiven).run();
}

} // namespace seamscope::tools
