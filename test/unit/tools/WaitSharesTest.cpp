//===- WaitSharesTest.cpp - waits that nobody looked at ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/WaitShares.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace seamscope::tools;

namespace {

constexpr int64_t Ms = 1000000;

/// Waits of threads, one after the other.
class Waits {
public:
  Waits() {
    Of.Waits.resize(3);
    Names.Waits = {{"cond", "libc.so.6", "a", "/src/a.cpp", 1},
                   {"read", "libc.so.6", "b", "/src/b.cpp", 2},
                   {"cond", "libc.so.6", "c", "/src/c.cpp", 3}};
  }

  void add(int64_t Track, int64_t Ns, int64_t Wait, int64_t OffNs = 0) {
    OffColumns &Off = Of.OffCpu;
    Off.BeginNs.push_back(Now);
    Off.EndNs.push_back(Now += Ns);
    Off.Track.push_back(Track);
    Off.Kind.push_back(static_cast<int64_t>(OffKind::Blocked));
    Off.OffNs.push_back(OffNs ? OffNs : Ns);
    Off.Wait.push_back(Wait);
  }

  std::vector<WaitSum::Row> rows(WaitSum::By Key = WaitSum::By::Line) const {
    const std::vector<double> Weights = waitWeights(Of);
    WaitSum Sum(Of, Weights);
    for (size_t I = 0; I < Of.OffCpu.size(); ++I)
      Sum.add(I, Of.OffCpu.OffNs[I]);
    return Sum.rows(Names, Key);
  }

  Trace Of;
  CodeNames Names;
  int64_t Now = 0;
};

TEST(WaitShares, WhatWasSeenIsExact) {
  Waits All;
  All.add(0, 3 * Ms, 0);
  All.add(0, 80 * Ms, 1);
  All.add(0, 5 * Ms, 2);
  const auto Rows = All.rows();
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[0].Ns, 3 * Ms);
  EXPECT_EQ(Rows[0].LowNs, std::nullopt);
  const auto BySymbol = All.rows(WaitSum::By::Symbol);
  ASSERT_EQ(BySymbol.size(), 2u);
  EXPECT_EQ(BySymbol[0].Ns, 8 * Ms);
  EXPECT_EQ(BySymbol[0].Waits, 2u);
}

TEST(WaitShares, UnseenWaitsOfAThreadAreSharedOutAmongItsSeenOnes) {
  Waits All;
  for (int I = 0; I < 30; ++I)
    All.add(0, Ms, I % 10 == 0 ? I / 10 % 2 : -1);
  All.add(1, 2 * Ms, -1); // of another thread, of which nothing is known
  const auto Rows = All.rows();
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[0].Waits, 2u);
  EXPECT_EQ(Rows[0].Ns, 20 * Ms);
  EXPECT_GE(*Rows[0].LowNs, 2 * Ms);
  EXPECT_LT(*Rows[0].LowNs, 10 * Ms);
  EXPECT_GT(*Rows[0].HighNs, 25 * Ms);
  EXPECT_LE(*Rows[0].HighNs, 29 * Ms + 1);
  EXPECT_EQ(Rows[1].Ns, 10 * Ms);
  EXPECT_EQ(Rows[2].Wait.Symbol, "");
  EXPECT_EQ(Rows[2].Ns, 2 * Ms);
  EXPECT_EQ(Rows[2].LowNs, std::nullopt);
}

TEST(WaitShares, LongWaitsSayNothingOfOthers) {
  Waits All;
  All.add(0, 200 * Ms, 0);
  All.add(0, 3 * Ms, -1);
  auto Rows = All.rows();
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Ns, 200 * Ms);
  EXPECT_EQ(Rows[0].LowNs, std::nullopt);
  EXPECT_EQ(Rows[1].Wait.Symbol, "");
  // A long one at which nobody could look is not shared out either.
  All.add(0, Ms, 1);
  All.add(0, 100 * Ms, -1);
  Rows = All.rows();
  ASSERT_EQ(Rows.size(), 3u);
  EXPECT_EQ(Rows[1].Ns, 4 * Ms);
  EXPECT_EQ(Rows[2].Ns, 100 * Ms);
}

TEST(WaitShares, CallsOfMpiAreNoLooks) {
  Waits All;
  All.Of.Waits[1].Message = 0;
  All.add(0, 3 * Ms, 1);
  All.add(0, 3 * Ms, -1);
  const auto Rows = All.rows();
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].LowNs, std::nullopt);
  EXPECT_EQ(Rows[1].Wait.Symbol, "");
}

/// Looks at random moments see long waits more often. The estimate allows for that, and its
/// interval contains the truth as often as it says.
TEST(WaitShares, IntervalsContainTheTruth) {
  for (const double LookMs : {10.0, 40.0, 200.0}) {
    std::mt19937_64 Random(7);
    std::exponential_distribution<double> Pause(1 / LookMs);
    constexpr int Runs = 400;
    int Contained = 0;
    double Share = 0;
    for (int Run = 0; Run < Runs; ++Run) {
      Waits All;
      double Next = Pause(Random);
      int64_t True = 0, Whole = 0;
      for (int I = 0; I < 1200; ++I) {
        // One of 30 ms in `b`, then 20 of about 1 ms in `a`: 60 and 40 % of the time.
        const bool IsLong = I % 21 == 0;
        const int64_t Length = IsLong ? 30 * Ms : Ms / 2 + static_cast<int64_t>(Random() % Ms);
        const double End = static_cast<double>(All.Now + Length) / Ms;
        const bool IsSeen = Next < End;
        while (Next < End)
          Next += Pause(Random);
        All.add(0, Length, IsSeen ? IsLong : -1);
        True += IsLong * Length;
        Whole += Length;
      }
      int64_t Sum = 0;
      for (const WaitSum::Row &Row : All.rows()) {
        Sum += Row.Ns;
        if (Row.Wait.Symbol != "read")
          continue;
        Contained += *Row.LowNs <= True && True <= *Row.HighNs;
        Share += static_cast<double>(Row.Ns) / static_cast<double>(True) / Runs;
      }
      EXPECT_EQ(Sum, Whole);
    }
    EXPECT_GE(Contained, Runs * 93 / 100) << LookMs;
    EXPECT_NEAR(Share, 1, 0.02) << LookMs;
  }
}

/// Short waits that were summed are short.
TEST(WaitShares, SumsCountAsShortWaits) {
  Waits All;
  for (int I = 0; I < 100; ++I) {
    All.add(0, Ms, -1, Ms / 2);
    All.add(0, 10 * Ms, I % 2 ? 1 : -1);
  }
  for (int I = 0; I < 3; ++I)
    All.add(0, Ms / 100, 0);
  const auto Rows = All.rows();
  ASSERT_EQ(Rows.size(), 2u);
  // Half of the long ones were seen: 14 looks a second, so that 3 are 43 ms of short ones.
  EXPECT_NEAR(static_cast<double>(Rows[0].Ns), 43.0 * Ms, 10.0 * Ms);
  EXPECT_EQ(Rows[0].Ns + Rows[1].Ns, 1050 * Ms + 3 * Ms / 100);
}

} // namespace
