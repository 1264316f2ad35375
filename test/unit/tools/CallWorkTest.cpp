//===- CallWorkTest.cpp - the work of each call of a kernel -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/work/CallWork.h"

#include "trace/model/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

/// Two calls of kernel k on thread 1, each with a region on threads 1 and 2.
class CallWorkTest : public testing::Test {
protected:
  CallWorkTest() {
    const Site Kernel = kernel("/k.c");
    Site Region = Kernel;
    Region.Category = Builder.strings().intern("omp_region");
    Region.Name = Region.Region = Builder.strings().intern("k [parallel k.c:5]");
    Region.Line = 5;
    KernelSite = Builder.site(Kernel);
    RegionSite = Builder.site(Region);
    for (const int64_t At : {100, 1000}) {
      add(At, 500, KernelSite, "1");
      add(At + 10, 400, RegionSite, "1");
      add(At + 20, 300, RegionSite, "2");
    }
  }

  Site kernel(const char *File) {
    Site Kernel;
    Kernel.Category = Builder.strings().intern("cpu_op");
    Kernel.Name = Kernel.Kernel = Builder.strings().intern("k");
    Kernel.File = Builder.strings().intern(File);
    Kernel.Line = 3;
    return Kernel;
  }

  TrackId track(const char *Thread) {
    return Builder.track(Builder.strings().intern("7"), Builder.strings().intern(Thread));
  }
  void add(int64_t Begin, int64_t Ns, SiteId What, const char *Thread) {
    EXPECT_TRUE(Builder.addCall(Begin, Ns, What, track(Thread), -1));
  }

  CountedWork function(std::vector<WorkRun> Runs, uint32_t Line) {
    CountedWork Of;
    Of.Kernel = "k";
    Of.Name = Line == 3 ? "k" : "k [parallel k.c:5]";
    Of.File = "/k.c";
    Of.Line = Line;
    Of.Counts = R"({"classes": [{"word": 1, "lines": [[-1, 0, {"f32.add": 1}]]}]})";
    Of.Words = {0, 0};
    Of.Runs = std::move(Runs);
    for (const WorkRun &Run : Of.Runs) {
      Of.Calls += Run.Calls;
      Of.Words[0] += Run.Words[0];
      Of.Words[1] += Run.Words[1];
    }
    return Of;
  }

  CallWorkByKernel find(std::vector<WorkRun> OfRegion) {
    EXPECT_TRUE(Builder.addWork(function({{track("1"), false, 2, {2, 10}}}, 3)));
    EXPECT_TRUE(Builder.addWork(function(std::move(OfRegion), 5)));
    Source = Builder.finish();
    return workOfCalls(Source);
  }

  TraceBuilder Builder;
  Trace Source;
  SiteId KernelSite = 0, RegionSite = 0;
};

TEST_F(CallWorkTest, ACallHasTheWorkOfItsRegions) {
  const CallWorkByKernel All = find({{track("1"), false, 2, {2, 200}},
                                     {track("2"), false, 1, {1, 1000}},
                                     {track("2"), false, 1, {1, 3000}}});
  const CountedCalls &Of = All.at({"k", {}});
  ASSERT_EQ(Of.Events.size(), 2u);
  ASSERT_EQ(Of.Works.size(), 2u);
  EXPECT_EQ(Of.Works[Of.WorkOf[0]].flop().Most, 5u + 100 + 1000);
  EXPECT_EQ(Of.Works[Of.WorkOf[1]].flop().Most, 5u + 100 + 3000);
}

TEST_F(CallWorkTest, EqualWorkIsThereOnce) {
  const CallWorkByKernel All =
      find({{track("1"), false, 2, {2, 200}}, {track("2"), false, 2, {2, 200}}});
  EXPECT_EQ(All.at({"k", {}}).Works.size(), 1u);
}

TEST_F(CallWorkTest, CallsThatWereNotRecordedMakeItUnknown) {
  EXPECT_TRUE(find({{track("1"), false, 3, {3, 300}}, {track("2"), false, 2, {2, 200}}}).empty());
}

TEST_F(CallWorkTest, MixedRunsMakeItUnknown) {
  EXPECT_TRUE(find({{track("1"), true, 2, {2, 201}}, {track("2"), false, 2, {2, 200}}}).empty());
}

TEST_F(CallWorkTest, OverlappingCallsMakeItUnknown) {
  add(1100, 500, KernelSite, "1");
  EXPECT_TRUE(find({{track("1"), false, 2, {2, 200}}, {track("2"), false, 2, {2, 200}}}).empty());
}

TEST_F(CallWorkTest, CallsOfAnotherKernelOfTheNameAreNotCounted) {
  add(1100, 100, Builder.site(kernel("/other.c")), "1");
  const CallWorkByKernel All =
      find({{track("1"), false, 2, {2, 200}}, {track("2"), false, 2, {2, 200}}});
  EXPECT_EQ(All.at({"k", "/k.c"}).Events.size(), 2u);
}

} // namespace
