//===- TeamOverheadTest.cpp - teams of threads that cost more than they bring ==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/TeamOverhead.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

constexpr int64_t Us = 1000;

/// A kernel with one region.
struct Fixture {
  Trace Source;
  Statistics Numbers;

  /// A kernel that is called \p Calls times and enters its region \p Entries times; each of
  /// \p Threads works \p WorkNs in an entry, and the first one waits \p WaitNs at its end.
  Fixture(uint64_t Calls, uint64_t Entries, size_t Threads, int64_t WorkNs, int64_t WaitNs) {
    Source.Sites.resize(2);
    Source.Sites[0].Name = Source.Strings.intern("fused");
    Source.Sites[1].Name = Source.Strings.intern("fused [parallel k.cpp:3]");
    const auto Count = static_cast<int64_t>(Entries);
    KernelRow &Kernel = Numbers.Kernels.emplace_back();
    Kernel.Times.Calls = Calls;
    Kernel.Times.TotalNs = Count * (WorkNs + WaitNs);
    Numbers.WindowNs = Kernel.Times.TotalNs;
    RegionRow &Region = Kernel.Regions.emplace_back();
    Region.Site = 1;
    for (size_t I = 0; I < Threads; ++I) {
      ThreadShare &Share = Region.Threads.emplace_back();
      Share.Thread = static_cast<int32_t>(I);
      Share.Calls = Entries;
      Share.BusyNs = Count * WorkNs;
    }
    Region.Join.Calls = Entries;
    Region.Join.Threads = {{0, Entries, 0, Count * WaitNs}};
  }

  std::vector<Advice> advise(unsigned Processors) const {
    return adviseOnTeams({&Source, &Numbers, Processors});
  }
};

TEST(TeamOverhead, TeamsThatFitAndWorkAreWell) {
  EXPECT_TRUE(Fixture(10, 10, 4, 100 * Us, 20 * Us).advise(4).empty());
}

TEST(TeamOverhead, MoreThreadsThanProcessors) {
  const Fixture Many(10, 10, 8, 100 * Us, 300 * Us);
  const std::vector<Advice> Found = Many.advise(2);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_STREQ(Found[0].Kind, "oversubscribed");
  EXPECT_EQ(Found[0].Evidence,
            "8 threads on 2 processors: in fused the calling thread waits 75.0 % "
            "of the time for its team");
  EXPECT_EQ(Found[0].Remedy, "set OMP_NUM_THREADS=2");
  EXPECT_EQ(Found[0].SavingNs, 3000 * Us);
  EXPECT_TRUE(Many.advise(8).empty());
  EXPECT_TRUE(Many.advise(0).empty()) << "the processors are not known";
}

TEST(TeamOverhead, TeamsOfARegionThatDoesNotMatter) {
  Fixture Many(10, 10, 8, 100 * Us, 300 * Us);
  Many.Numbers.WindowNs *= 1000;
  EXPECT_TRUE(Many.advise(2).empty());
}

TEST(TeamOverhead, ARegionInASerialLoop) {
  const std::vector<Advice> Found = Fixture(2, 8192, 2, 800, 3200).advise(2);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_STREQ(Found[0].Kind, "team-overhead");
  EXPECT_EQ(Found[0].Evidence,
            "fused [parallel k.cpp:3] is entered 4096 times in a call of the kernel and gives each "
            "of 2 threads 0.8 us of work; starting the team and waiting for it takes 80.0 % of the "
            "kernel's time");
  EXPECT_EQ(Found[0].SavingNs, 8192 * 3200);
  EXPECT_NE(Found[0].Remedy.find("out of the loop around it"), std::string::npos);
}

TEST(TeamOverhead, LongWorkThatWaitsIsNotTheTeams) {
  EXPECT_TRUE(Fixture(2, 8192, 2, 10 * Us, 90 * Us).advise(2).empty());
}

TEST(TeamOverhead, ShortKernelsUnlessOtherWorkDisturbedThem) {
  Fixture Short(100, 100, 2, 1 * Us, 3 * Us);
  const std::vector<Advice> Found = Short.advise(2);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Evidence,
            "1 parallel region gives less than 5 us of work to a thread, fused 1.0 us to each of "
            "2; starting the team and waiting for it takes 75.0 % of the time");
  Short.Source.Health.Found.push_back({HealthCheck::BusyMachine, 1, 0, {}, ""});
  EXPECT_TRUE(Short.advise(2).empty());
}

} // namespace
} // namespace seamscope::tools
