//===- CompiledAdviceTest.cpp - what a compiled program could still save ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/CompiledAdvice.h"
#include "TestFile.h"
#include "analysis/core/Statistics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

constexpr const char *Code = R"(
cpp_fused_add_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
def call(args):
    # [Provenance debug handles] cpp_fused_add_0:1
    cpp_fused_add_0(buf0, buf1)
    # [Provenance debug handles] extern_kernels.mm:2
    extern_kernels.mm(buf0, buf1, out=buf2)
    return (buf1, )
)";

struct Fixture {
  Trace Source;
  Statistics Numbers;
  TorchRun Torch;
  ComparedRuns Compared;

  /// One step of 1000 ns, of which \p Kernel are the fused kernel's and \p Library the product's.
  Fixture(int64_t Kernel, int64_t KernelEager, int64_t Library, int64_t LibraryEager)
      : Source(traceOf(fmt::format("[{}]", eventText("cpu_op", "cpp_fused_add_0", 1, 0, 9)))),
        Numbers(computeStatistics(Source)), Torch{graphs(), {}, {}, {}} {
    Torch.Kernels[Numbers.Kernels.at(0).Site].Uses = {0};
    Attribution &All = Compared.All;
    StepTimes &Step = All.Steps.emplace_back();
    Step.CompiledNs = 1000;
    Step.EagerNs = 2000;
    Step.Of[static_cast<size_t>(StepPart::Overhead)].CompiledNs = 1000 - Kernel - Library;
    Step.InCompiledNs = 1000 - Kernel - Library;
    All.Calls.assign(1, std::vector<CallTimes>(2));
    const auto Fill = [](CallTimes &Times, const char *Op, int64_t Ns, int64_t EagerNs) {
      Times.Calls = 1;
      Times.CompiledNs = Ns;
      Times.EagerNs = EagerNs;
      Times.Ops[{Op, ""}] = {1, EagerNs, 1};
    };
    Fill(All.Calls[0][0], "aten::add", Kernel, KernelEager);
    Fill(All.Calls[0][1], "aten::mm", Library, LibraryEager);
  }

  static CompiledGraphs graphs() {
    CompileLog Log;
    CompiledGraph &Graph = Log.Graphs.emplace_back();
    Graph.Id = "0/0";
    Graph.Code = parseOutputCode(Code);
    return CompiledGraphs(std::move(Log));
  }

  const Advice *find(std::string_view Kind) {
    Found = adviseOnCompiled(Source, Numbers, Torch, Compared);
    for (const Advice &Each : Found)
      if (Each.Kind == Kind)
        return &Each;
    return nullptr;
  }
  std::vector<Advice> Found;
};

/// A region of which each thread ran once, so long.
RegionRow regionOf(SiteId Site, const std::vector<int64_t> &BusyNs) {
  RegionRow Region;
  Region.Site = Site;
  Region.Calls = 1;
  Region.TotalNs = 1;
  for (size_t I = 0; I < BusyNs.size(); ++I) {
    ThreadShare &Share = Region.Threads.emplace_back();
    Share.Thread = static_cast<int32_t>(I);
    Share.Calls = 1;
    Share.BusyNs = BusyNs[I];
  }
  return Region;
}

TEST(CompiledAdvice, NothingIsSaidOfWhatIsWell) {
  Fixture Well(400, 900, 500, 500);
  Well.find("");
  EXPECT_TRUE(Well.Found.empty());
}

TEST(CompiledAdvice, AKernelThatIsSlowerThanWhatItReplaced) {
  Fixture Slow(600, 200, 400, 400);
  const Advice *Said = Slow.find("slower-than-eager");
  ASSERT_TRUE(Said);
  EXPECT_EQ(Said->SavingNs, 400);
  EXPECT_NE(Said->Evidence.find("cpp_fused_add_0 takes 3.00 times"), std::string::npos);
  EXPECT_NE(Said->Evidence.find("of which aten::add took most"), std::string::npos);
  // It made a program 1.8 times slower.
  EXPECT_EQ(Said->Remedy.find("max_fusion_size"), std::string::npos);
  EXPECT_EQ(Slow.Found.size(), 1u);
  // Other programs delay teams, and not single threads.
  Slow.Source.Health.Found.emplace_back().Check = HealthCheck::BusyMachine;
  EXPECT_TRUE(Slow.find("slower-than-eager"));
  Slow.Numbers.Kernels[0].Regions.push_back(regionOf(0, {5, 5}));
  EXPECT_FALSE(Slow.find("slower-than-eager"));
}

TEST(CompiledAdvice, ALibrarysKernelThatIsSlower) {
  Fixture Slow(400, 800, 600, 300);
  CallTimes &Library = Slow.Compared.All.Calls[0][1];
  for (const int64_t Ns : {48, 50, 52, 48, 50, 52})
    Library.Paired.add(Ns, 100);
  Slow.Compared.Pairs = 3;
  const Advice *Said = Slow.find("slower-library");
  ASSERT_TRUE(Said);
  EXPECT_EQ(Said->SavingNs, 300);
  EXPECT_NE(Said->Evidence.find("extern_kernels.mm"), std::string::npos);
  EXPECT_NE(Said->Evidence.find("took 2.00 times as long as in eager mode (95 %: 1."),
            std::string::npos)
      << Said->Evidence;
  EXPECT_NE(Said->Evidence.find("6 steps of 3 runs)"), std::string::npos) << Said->Evidence;
  Slow.Source.Health.Found.emplace_back().Check = HealthCheck::BusyMachine;
  EXPECT_FALSE(Slow.find("slower-library"));
  Slow.Source.Health.Found.clear();
  // One run each may have placed memory and threads differently.
  Slow.Compared.Pairs = 2;
  EXPECT_FALSE(Slow.find("slower-library"));
  Slow.Compared.Pairs = 3;
  Library.Paired = {};
  for (const int64_t Ns : {10, 150, 10, 150, 10, 150})
    Library.Paired.add(Ns, 100);
  EXPECT_FALSE(Slow.find("slower-library"));
}

TEST(CompiledAdvice, TimeOutsideOfAllWork) {
  Fixture Idle(400, 800, 200, 300);
  const Advice *Said = Idle.find("framework-overhead");
  ASSERT_TRUE(Said);
  EXPECT_EQ(Said->SavingNs, 400);
  EXPECT_NE(Said->Evidence.find("40.0 %"), std::string::npos);
}

TEST(CompiledAdvice, AKernelOnOneThreadBesideOthersOnMore) {
  Fixture One(600, 900, 400, 400);
  EXPECT_FALSE(One.find("one-thread"));
  KernelRow Other;
  Other.Regions.push_back(regionOf(0, {5, 5, 5, 5}));
  One.Numbers.Kernels.push_back(Other);
  const Advice *Said = One.find("one-thread");
  ASSERT_TRUE(Said);
  EXPECT_EQ(Said->SavingNs, 450);
}

TEST(CompiledAdvice, Recompilation) {
  Fixture Again(400, 900, 500, 500);
  CompileLog Log;
  Log.Recompiles = {{"0/1", {"m.py", 3, "forward", ""}, {{"0/0", "size of x is not 4"}}}};
  Log.Frames.resize(2);
  Log.Frames[0].Id = "0/0";
  Log.Frames[0].EntireNs = 11;
  Log.Frames[1].Id = "0/1";
  Log.Frames[1].EntireNs = 7;
  Again.Compared = {};
  Again.Torch.Graphs = CompiledGraphs(std::move(Log));
  const Advice *Said = Again.find("recompiles");
  ASSERT_TRUE(Said);
  EXPECT_EQ(Said->SavingNs, 7);
  EXPECT_NE(Said->Evidence.find("size of x is not 4"), std::string::npos);
}

TEST(CompiledAdvice, ModulesThatShareAWrapperAreNotCompiledAgain) {
  Fixture Two(400, 900, 500, 500);
  CompileLog Log;
  Log.Recompiles = {{"0/1", {"m.py", 3, "Sequential", ""}, {{"0/0", "tensor 'args[0]' rank"}}}};
  Two.Compared = {};
  Two.Torch.Graphs = CompiledGraphs(std::move(Log));
  EXPECT_TRUE(Two.find("recompiles"));
  for (const char *Name : {"seamscope.compiled Sequential", "seamscope.compiled Sequential (2)"})
    Two.Source.Sites.emplace_back().Name = Two.Source.Strings.intern(Name);
  EXPECT_FALSE(Two.find("recompiles"));
}

TEST(CompiledAdvice, Teams) {
  Trace Source;
  Source.Sites.resize(2);
  Source.Sites[1].Device = 0;
  KernelRow Kernel;
  EXPECT_EQ(teamOf(Source, Kernel).Threads, 1u);
  EXPECT_FALSE(teamOf(Source, Kernel).Imbalance);
  Kernel.Regions = {regionOf(0, {30, 10}), regionOf(1, {10, 10})};
  EXPECT_EQ(teamOf(Source, Kernel).Threads, 2u);
  EXPECT_DOUBLE_EQ(*teamOf(Source, Kernel).Imbalance, 40.0 / 30.0);
  Kernel.Site = 1;
  EXPECT_EQ(teamOf(Source, Kernel).Threads, 0u) << "a device has no threads of this kind";
}

} // namespace
} // namespace seamscope::tools
