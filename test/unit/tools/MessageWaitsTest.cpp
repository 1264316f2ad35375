//===- MessageWaitsTest.cpp - calls of MPI as times without work ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/MessageWaits.h"
#include "TestFile.h"
#include "analysis/core/Statistics.h"
#include "analysis/samples/ThreadTimes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace seamscope::tools;

namespace {

constexpr int64_t Us = 1000;

/// Times in us.
std::string kernel(int Tid, int Begin, int Duration) {
  return eventText("cpu_op", "k", Tid, Begin, Duration, R"("kernel": "k")");
}
std::string message(const char *Call, int Tid, int Begin, int Duration) {
  return eventText("omp_wait", Call, Tid, Begin, Duration,
                   fmt::format(R"("kernel": "k", "construct": "{}")", Call));
}

class Messages {
public:
  explicit Messages(const std::vector<std::string> &Events)
      : Of(traceOf(
            fmt::format(R"({{"seamscope": {{"version": "1", "format": 1, "mode": "trace"}}, )"
                        R"("traceEvents": [{}]}})",
                        fmt::join(Events, ",")))) {}

  TrackId track(const char *Tid) const {
    for (TrackId Id = 0; Id < Of.Tracks.size(); ++Id)
      if (Of.text(Of.Tracks[Id].Thread) == Tid)
        return Id;
    ADD_FAILURE() << Tid;
    return 0;
  }
  void sampled(const char *Tid, int FromUs, int ToUs) {
    Of.SampledSpans.push_back({track(Tid), FromUs * Us, ToUs * Us});
  }
  void off(const char *Tid, int Begin, int End, OffKind Kind, int OffUs, int64_t Wait = -1) {
    Of.OffCpu.BeginNs.push_back(Begin * Us);
    Of.OffCpu.EndNs.push_back(End * Us);
    Of.OffCpu.OffNs.push_back(OffUs * Us);
    Of.OffCpu.Track.push_back(track(Tid));
    Of.OffCpu.Kind.push_back(static_cast<int64_t>(Kind));
    Of.OffCpu.Wait.push_back(Wait);
  }
  void sample(const char *Tid, int At) {
    Of.Samples.Ns.push_back(At * Us);
    Of.Samples.Track.push_back(track(Tid));
    Of.Samples.Address.push_back(At);
    Of.Samples.Module.push_back(-1);
  }

  /// "begin..end kind off" of each stretch of a thread, in us, and the call if it is one of MPI.
  std::vector<std::string> stretches(const char *Tid) const {
    std::vector<std::string> Texts;
    const OffColumns &Off = Of.OffCpu;
    for (size_t I = 0; I < Off.size(); ++I) {
      if (Off.Track[I] != track(Tid))
        continue;
      const int64_t Wait = Off.Wait[I];
      const uint32_t Call =
          Wait < 0 ? ThreadWait::NoMessage : Of.Waits[static_cast<size_t>(Wait)].Message;
      Texts.push_back(fmt::format("{}..{} {} {}", Off.BeginNs[I] / Us, Off.EndNs[I] / Us,
                                  Off.Kind[I], Off.OffNs[I] / Us));
      if (Call != ThreadWait::NoMessage)
        Texts.back() += " " + std::string(Of.text(Of.Sites[Call].Construct));
    }
    return Texts;
  }

  Trace Of;
};

using Texts = std::vector<std::string>;

TEST(MessageWaits, ACallIsOneBlockedStretch) {
  Messages All({kernel(1, 0, 100), message("MPI_Recv", 1, 20, 30), message("MPI_Recv", 1, 60, 10)});
  All.sampled("1", 0, 100);
  // It polled, yielded and slept in the call, and was preempted around its begin.
  All.off("1", 15, 25, OffKind::Preempted, 10);
  All.off("1", 30, 40, OffKind::Blocked, 10);
  All.off("1", 90, 95, OffKind::Blocked, 5);
  addMessageWaits(All.Of);
  EXPECT_EQ(All.stretches("1"),
            (Texts{"15..20 1 5", "20..50 0 30 MPI_Recv", "60..70 0 10 MPI_Recv", "90..95 0 5"}));
  EXPECT_EQ(All.Of.Waits.size(), 1u); // of one site
  EXPECT_EQ(ThreadTimes(All.Of).between(All.track("1"), 0, 100 * Us),
            (OffTime{45 * Us, 5 * Us, 0}));
}

TEST(MessageWaits, PartsOfASumKeepTheirShare) {
  Messages All({kernel(1, 0, 100), message("MPI_Wait", 1, 20, 20)});
  All.sampled("1", 0, 100);
  All.off("1", 0, 80, OffKind::Blocked, 40); // 40 of 80 us, anywhere
  addMessageWaits(All.Of);
  EXPECT_EQ(All.stretches("1"), (Texts{"0..20 0 10", "20..40 0 20 MPI_Wait", "40..80 0 20"}));
}

TEST(MessageWaits, OfCallsInsideEachOtherTheOutermostCounts) {
  Messages All({kernel(1, 0, 100), message("MPI_Allreduce", 1, 10, 50),
                message("MPI_Reduce", 1, 20, 10), message("MPI_Bcast", 1, 60, 10)});
  addMessageWaits(All.Of);
  EXPECT_EQ(All.stretches("1"), (Texts{"10..60 0 50 MPI_Allreduce", "60..70 0 10 MPI_Bcast"}));
}

TEST(MessageWaits, SamplesInACallAreNotOfItsKernel) {
  Messages All({kernel(1, 0, 100), kernel(2, 0, 100), message("MPI_Recv", 1, 20, 30)});
  for (const int At : {10, 20, 49, 50})
    All.sample("1", At);
  All.sample("2", 30);
  addMessageWaits(All.Of);
  EXPECT_EQ(All.Of.Samples.Address, (std::vector<int64_t>{10, 50, 30}));
  EXPECT_EQ(All.Of.Samples.size(), 3u);
}

TEST(MessageWaits, ThreadsWithoutSwitchesAreKnownInTheirCalls) {
  Messages All({kernel(1, 0, 100), message("MPI_Recv", 1, 20, 30)});
  All.sampled("1", 40, 60);
  addMessageWaits(All.Of);
  ASSERT_EQ(All.Of.SampledSpans.size(), 2u);
  EXPECT_EQ(All.Of.SampledSpans[0].FromNs, 20 * Us);
  EXPECT_EQ(All.Of.SampledSpans[0].ToNs, 40 * Us);
  EXPECT_FALSE(All.Of.SampledSpans[0].HasSwitches);
  EXPECT_TRUE(All.Of.SampledSpans[1].HasSwitches);
  const Statistics Numbers = computeStatistics(All.Of);
  ASSERT_EQ(Numbers.Kernels.size(), 1u);
  EXPECT_EQ(Numbers.Kernels[0].SelfNs, 70 * Us);
  EXPECT_EQ(Numbers.BlockedNs, 30 * Us);
}

TEST(MessageWaits, OtherWaitsStayAsTheyAre) {
  Messages All({kernel(1, 0, 100), message("barrier", 1, 20, 30)});
  All.off("1", 30, 40, OffKind::Blocked, 10);
  addMessageWaits(All.Of);
  EXPECT_EQ(All.stretches("1"), (Texts{"30..40 0 10"}));
  EXPECT_TRUE(All.Of.Waits.empty());
}

} // namespace
