//===- ClockAlignmentTest.cpp - clocks of ranks, by their collectives -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/ClockAlignment.h"

#include <gtest/gtest.h>

#include <random>

namespace seamscope::tools {
namespace {

constexpr int64_t Far = int64_t{1} << 61;

/// The collectives of a run, and its inputs.
struct Fleet {
  explicit Fleet(size_t Count) : Calls(Count), Begins(Count, INT64_MAX), Ends(Count, INT64_MIN) {
    for (size_t I = 0; I < Count; ++I)
      Ranks.push_back(static_cast<int64_t>(I));
  }

  void add(size_t Rank, int64_t Begin, int64_t End, StringId Group = 1, int64_t Size = 2,
           CollectiveKind Kind = CollectiveKind::AllReduce) {
    Collective Of;
    Of.Kind = Kind;
    Of.GroupSize = Size;
    Calls.add(Rank, Of, Group, 0, Begin, End);
    Begins[Rank] = std::min(Begins[Rank], Begin);
    Ends[Rank] = std::max(Ends[Rank], End);
  }

  std::vector<RankClock> align(bool AreGiven = false) {
    Calls.match(false);
    return alignClocks(Calls, Ranks, AreGiven);
  }

  RankCalls Calls;
  std::vector<std::optional<int64_t>> Ranks;
  std::vector<int64_t> Begins, Ends; ///< of collectives, by rank
};

TEST(ClockAlignment, OneCollectiveGivesAnInterval) {
  Fleet Of(2);
  Of.add(0, 1001, 1501);
  Of.add(1, 901'201, 901'401); // -900'400 to -899'700
  const std::vector<RankClock> Clocks = Of.align();
  EXPECT_EQ(Clocks[0].Basis, ClockBasis::Collectives);
  EXPECT_EQ(Clocks[0].Time, TimeMap());
  EXPECT_EQ(Clocks[0].ErrorNs, 0);
  EXPECT_EQ(Clocks[1].Reference, 0u);
  EXPECT_EQ(Clocks[1].Time.Rate, 0);
  EXPECT_NEAR(static_cast<double>(Clocks[1].Time.ShiftNs), -900'050, 2);
  EXPECT_NEAR(static_cast<double>(*Clocks[1].ErrorNs), 350, 8);
}

TEST(ClockAlignment, TimesToTheMicrosecondAreLessCertain) {
  Fleet Of(2);
  Of.add(0, 1000, 2000);
  Of.add(1, 1000, 2000);
  EXPECT_NEAR(static_cast<double>(*Of.align()[1].ErrorNs), 3000, 8);
}

TEST(ClockAlignment, ClocksThatAreGivenStayUnlessContradicted) {
  const auto With = [](int64_t Begin) {
    Fleet Of(2);
    Of.add(0, 1001, 1501);
    Of.add(1, Begin, Begin + 200);
    return Of.align(true)[1];
  };
  const RankClock Kept = With(1301);
  EXPECT_EQ(Kept.Basis, ClockBasis::Trace);
  EXPECT_EQ(Kept.Time, TimeMap());
  EXPECT_NEAR(static_cast<double>(*Kept.ErrorNs), 500, 8); // 1501 - 1001 + ... of -500 to 200
  const RankClock Moved = With(1601);
  EXPECT_EQ(Moved.Basis, ClockBasis::Collectives);
  EXPECT_LT(Moved.Time.ShiftNs, 0);
}

TEST(ClockAlignment, AClockThatRunsAtAnotherRateIsFitted) {
  Fleet Of(2);
  for (int64_t Ms = 0; Ms < 1000; ++Ms) {
    const int64_t Begin = Ms * 1'000'000 + 1;
    Of.add(0, Begin, Begin + 10'000);
    Of.add(1, Begin + 777'000 + Begin / 20'000, Begin + 787'000 + (Begin + 10'000) / 20'000);
  }
  const RankClock Clock = Of.align()[1];
  EXPECT_NEAR(Clock.Time.ratePpm(), -50, 10); // 20 us over 1 s
  EXPECT_NEAR(static_cast<double>(Clock.Time.ShiftNs), -777'000, 1000);
  EXPECT_LT(*Clock.ErrorNs, 20'000);
}

TEST(ClockAlignment, ACollectiveThatFitsNoLineIsNotForced) {
  Fleet Of(3);
  for (int64_t I = 0; I < 4; ++I)
    for (size_t Rank = 0; Rank < 3; ++Rank) {
      const int64_t Jump = Rank == 1 && I == 2 ? 500'000 : 0; // a clock that was set meanwhile
      Of.add(Rank, I * 1'000'000 + Jump + 1, I * 1'000'000 + Jump + 1001, 1, 3);
    }
  for (const bool AreGiven : {false, true}) {
    const std::vector<RankClock> Clocks = Fleet(Of).align(AreGiven);
    EXPECT_EQ(Clocks[1].Basis, ClockBasis::None);
    EXPECT_EQ(Clocks[1].Why, NoClock::NoLine);
    EXPECT_TRUE(Clocks[0].comparesWith(Clocks[2]));
    EXPECT_FALSE(Clocks[0].comparesWith(Clocks[1]));
  }
}

TEST(ClockAlignment, OneWrongCallDoesNotCostTheOthers) {
  for (const bool AreGiven : {false, true}) {
    Fleet Of(3);
    const int64_t Offset = AreGiven ? 0 : 5'000'000;
    for (int64_t I = 0; I < 40; ++I)
      for (size_t Rank = 0; Rank < 3; ++Rank) {
        const int64_t Jump = Rank == 1 && I == 20 ? 500'000 : 0;
        const int64_t Begin = I * 1'000'000 + 1 + Jump + (Rank == 1 ? Offset : 0);
        Of.add(Rank, Begin, Begin + 1000, 1, 3);
      }
    const std::vector<RankClock> Clocks = Of.align(AreGiven);
    EXPECT_EQ(Clocks[1].Basis, AreGiven ? ClockBasis::Trace : ClockBasis::Collectives);
    EXPECT_NEAR(static_cast<double>(Clocks[1].Time.ShiftNs), static_cast<double>(-Offset), 10);
    EXPECT_NEAR(static_cast<double>(*Clocks[1].ErrorNs), 1000, 10);
    EXPECT_TRUE(Clocks[0].comparesWith(Clocks[1]));
  }
}

TEST(ClockAlignment, SetsOfRanksThatShareNoneStayApart) {
  Fleet Of(5);
  for (size_t Rank = 0; Rank < 4; ++Rank)
    Of.add(Rank, 1001, 2001, Rank < 2 ? 1 : 2);
  const std::vector<RankClock> Clocks = Of.align();
  EXPECT_EQ(Clocks[1].Reference, 0u);
  EXPECT_EQ(Clocks[3].Reference, 2u);
  EXPECT_TRUE(Clocks[2].comparesWith(Clocks[3]));
  EXPECT_FALSE(Clocks[1].comparesWith(Clocks[2]));
  EXPECT_EQ(Clocks[4].Basis, ClockBasis::None);
  EXPECT_EQ(Clocks[4].Why, NoClock::NoCollectives);
}

TEST(ClockAlignment, OthersLeadToRanksThatShareNoGroupWithTheReference) {
  Fleet Of(3);
  Of.Ranks[0] = 7; // the lowest is 1
  Of.add(0, 101, 301, 1);
  Of.add(1, 5'000'101, 5'000'301, 1);
  Of.add(1, 6'000'101, 6'000'301, 2);
  Of.add(2, 101, 301, 2);
  const std::vector<RankClock> Clocks = Of.align();
  EXPECT_EQ(Clocks[0].Reference, 1u);
  EXPECT_NEAR(static_cast<double>(Clocks[0].Time.ShiftNs), 5'000'000, 8);
  EXPECT_NEAR(static_cast<double>(Clocks[2].Time.ShiftNs), 6'000'000, 8);
}

TEST(ClockAlignment, WhatSaysNothingOfClocksIsNotUsed) {
  Fleet Of(2);
  Of.add(0, 101, 301, 1, 2, CollectiveKind::Broadcast); // the root may go ahead
  Of.add(1, 101, 301, 1, 2, CollectiveKind::Broadcast);
  Of.add(0, 1001, 1301);
  Of.add(1, 901, 901); // cut
  const std::vector<RankClock> Clocks = Of.align(true);
  EXPECT_EQ(Clocks[1].Basis, ClockBasis::Trace);
  EXPECT_EQ(Clocks[1].ErrorNs, std::nullopt);
}

TEST(ClockAlignment, LargeTimesDoNotOverflow) {
  Fleet Of(3);
  Of.add(0, Far - 2000, Far - 1001, 1, 3);
  Of.add(1, 1001, 2000, 1, 3);
  Of.add(2, -Far - Far / 2, 1000 - Far - Far / 2, 1, 3); // 2^61 + 3 * 2^60: over 2^62
  const std::vector<RankClock> Clocks = Of.align();
  EXPECT_EQ(Clocks[1].Basis, ClockBasis::Collectives);
  EXPECT_NEAR(static_cast<double>(Clocks[1].Time.ShiftNs - Far), -3001, 8);
  EXPECT_EQ(Clocks[2].Basis, ClockBasis::None);
  EXPECT_EQ(Clocks[2].Why, NoClock::TooFar);
}

TEST(ClockAlignment, TheReferenceOfRanksThatDoNotFitDoesNotEither) {
  Fleet Of(2);
  for (const int64_t Step : {1, 2}) {
    Of.add(0, Step * 1'000'000 + 1, Step * 1'000'000 + 1001);
    Of.add(1, Step * 2'000'000 + 1, Step * 2'000'000 + 1001);
  }
  for (const RankClock &Clock : Of.align(true)) {
    EXPECT_EQ(Clock.Basis, ClockBasis::None);
    EXPECT_EQ(Clock.Why, NoClock::NoLine);
  }
}

TEST(ClockAlignment, TrueClocksAreWithinTheirErrors) {
  std::mt19937 Random(7);
  const auto Upto = [&](int64_t Most) {
    return std::uniform_int_distribution<int64_t>(0, Most)(Random);
  };
  for (int Round = 0; Round < 200; ++Round) {
    const auto Count = static_cast<size_t>(2 + Upto(6));
    Fleet Of(Count);
    std::vector<int64_t> Offset, PerMillion, Now(Count);
    for (size_t I = 0; I < Count; ++I) {
      Offset.push_back(Upto(2'000'000'000) - 1'000'000'000);
      PerMillion.push_back(Upto(100) - 50);
    }
    const auto Local = [&](size_t Rank, int64_t Ns) {
      return Ns + Offset[Rank] + Ns / 1'000'000 * PerMillion[Rank];
    };
    for (int64_t Step = Upto(50); Step >= 0; --Step) {
      // All of them, or neighbours.
      const auto First = static_cast<size_t>(Upto(static_cast<int64_t>(Count) - 1));
      const bool All = First + 1 == Count || Upto(1) == 0;
      std::vector<size_t> Members = {First, First + 1};
      if (All) {
        Members.resize(Count);
        for (size_t I = 0; I < Count; ++I)
          Members[I] = I;
      }
      int64_t Last = 0;
      for (const size_t Rank : Members)
        Last = std::max(Last, Now[Rank] += 1 + Upto(2'000'000));
      for (const size_t Rank : Members) {
        const int64_t End = Last + 5001 + Upto(3000);
        Of.add(Rank, Local(Rank, Now[Rank]), Local(Rank, End),
               All ? 1 : static_cast<StringId>(First + 2), static_cast<int64_t>(Members.size()));
        Now[Rank] = End;
      }
    }
    const std::vector<RankClock> Clocks = Of.align();
    for (size_t Rank = 0; Rank < Count; ++Rank) {
      const RankClock &Clock = Clocks[Rank];
      ASSERT_TRUE(Clock.Basis == ClockBasis::Collectives || Clock.Why == NoClock::NoCollectives);
      if (Clock.Basis != ClockBasis::Collectives)
        continue;
      for (int64_t Ns = 0; Ns <= Now[Rank]; Ns += 1 + Now[Rank] / 3) {
        if (Local(Rank, Ns) < Of.Begins[Rank] || Local(Rank, Ns) > Of.Ends[Rank])
          continue;
        EXPECT_LE(std::abs(Clock.Time(Local(Rank, Ns)) - Local(Clock.Reference, Ns)),
                  *Clock.ErrorNs);
      }
    }
  }
}

TEST(ClockAlignment, ManyGroupsInALine) {
  constexpr size_t Ranks = 3000;
  Fleet Of(Ranks);
  for (size_t I = 0; I + 1 < Ranks; ++I)
    for (const size_t Rank : {I, I + 1})
      Of.add(Rank, static_cast<int64_t>(I) * 10'000 + 1, static_cast<int64_t>(I) * 10'000 + 1001,
             static_cast<StringId>(I + 1));
  const std::vector<RankClock> Clocks = Of.align();
  EXPECT_EQ(Clocks[Ranks - 1].Reference, 0u);
  EXPECT_LT(std::abs(Clocks[Ranks - 1].Time.ShiftNs), *Clocks[Ranks - 1].ErrorNs);
}

} // namespace
} // namespace seamscope::tools
