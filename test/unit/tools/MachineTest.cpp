//===- MachineTest.cpp - measured roofs and how they are read -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Machine.h"
#include "TestRoot.h"
#include "machine/Arrays.h"
#include "machine/Measure.h"
#include "machine/Processor.h"
#include "machine/Rates.h"
#include "machine/Team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

using namespace seamscope::tools;

namespace {

// Two processors with 48 KiB L1 and 2 MiB L2 of their own, and one L3.
constexpr const char *Good = R"({"schema": "seamscope.machine/1", "cpu": "Test", "processors": 2,
 "affinity": "0-1", "key": "0123456789abcdef", "compiler": "gcc 1", "measured_ns": 5,
 "quick": false, "busy": true, "warnings": ["one"], "later": {},
 "memory": [
  {"level": "L1", "threads": 1, "bytes": 24576, "capacity_bytes": 49152, "read_bytes_per_s": 3e11,
   "write_bytes_per_s": 2e11, "copy_bytes_per_s": 3.5e11, "triad_bytes_per_s": 4e11, "spread_percent": 0},
  {"level": "L1", "threads": 2, "bytes": 49152, "capacity_bytes": 98304, "read_bytes_per_s": 6e11,
   "write_bytes_per_s": 4e11, "copy_bytes_per_s": 7e11, "triad_bytes_per_s": 8e11, "spread_percent": 9},
  {"level": "L3", "threads": 1, "bytes": 8000000, "capacity_bytes": 200000000, "read_bytes_per_s": 3e10,
   "write_bytes_per_s": 2e10, "copy_bytes_per_s": 2e10, "triad_bytes_per_s": 2e10, "spread_percent": 2.5},
  {"level": "L3", "threads": 1, "bytes": 100000000, "capacity_bytes": 200000000, "read_bytes_per_s": 2e10,
   "write_bytes_per_s": 1e10, "copy_bytes_per_s": 2e10, "triad_bytes_per_s": 2e10, "spread_percent": 2.5},
  {"level": "DRAM", "threads": 1, "bytes": 800000000, "capacity_bytes": null, "read_bytes_per_s": 2e10,
   "write_bytes_per_s": 1e10, "copy_bytes_per_s": 1e10, "triad_bytes_per_s": 1e10, "spread_percent": 2.5}],
 "compute": [
  {"type": "f32", "bits": 32, "fma": false, "threads": 1, "flop_per_s": 8e9, "spread_percent": 0},
  {"type": "f32", "bits": 512, "fma": true, "threads": 1, "flop_per_s": 2e11, "spread_percent": 0},
  {"type": "f32", "bits": 512, "fma": true, "threads": 8, "flop_per_s": 1e12, "spread_percent": 0}],
 "math": [{"function": "expf", "type": "f32", "bits": 32, "ns_per_value": 3.5, "spread_percent": 1}]})";

/// \p Text with its first \p Old replaced.
std::string with(std::string_view Old, std::string_view New) {
  std::string Text = Good;
  const size_t At = Text.find(Old);
  EXPECT_NE(At, Text.npos) << Old;
  return Text.replace(At, Old.size(), New);
}

Machine readGood() {
  const TestFolder Folder;
  const auto Read = readMachine(Folder.file("m.json", Good));
  EXPECT_TRUE(Read) << Read.error().message();
  return *Read;
}

std::string problemOf(const std::string &Text) {
  const TestFolder Folder;
  const auto Read = readMachine(Folder.file("m.json", Text));
  EXPECT_FALSE(Read) << Text;
  return Read ? "" : Read.error().Reason;
}

TEST(Machine, ReadsAllFigures) {
  const Machine Of = readGood();
  EXPECT_EQ(Of.Cpu, "Test");
  EXPECT_EQ(Of.Processors, 2u);
  EXPECT_EQ(Of.Key, "0123456789abcdef");
  EXPECT_EQ(Of.MeasuredNs, 5);
  EXPECT_TRUE(Of.Busy);
  EXPECT_FALSE(Of.Quick);
  EXPECT_EQ(Of.Warnings, std::vector<std::string>{"one"});
  ASSERT_EQ(Of.Memory.size(), 5u);
  EXPECT_EQ(Of.Memory[1].Capacity, 98304u);
  EXPECT_EQ(Of.Memory[1].Triad, 8e11);
  EXPECT_EQ(Of.Memory[4].Capacity, 0u);
  ASSERT_EQ(Of.Compute.size(), 3u);
  EXPECT_TRUE(Of.Compute[1].Fma);
  ASSERT_EQ(Of.Math.size(), 1u);
  EXPECT_EQ(Of.Math[0].NsPerValue, 3.5);
}

TEST(Machine, PeaksAreTheBestOfAllWidths) {
  const Machine Of = readGood();
  EXPECT_EQ(Of.peakFlops("f32", 1), 2e11);
  EXPECT_EQ(Of.peakFlops("f32", 8), 1e12);
  EXPECT_EQ(Of.peakFlops("f32", 3), 6e11); // as three times one
  EXPECT_EQ(Of.peakFlops("f32", 6), 1e12); // but no more than all
  EXPECT_EQ(Of.peakFlops("f32", 64), 1e12);
  EXPECT_EQ(Of.peakFlops("f64", 1), 0);
}

TEST(Machine, RoofsAreTheBestOfALevel) {
  const Machine Of = readGood();
  EXPECT_EQ(Of.memoryRoof("L1", 1), 4e11);
  EXPECT_EQ(Of.memoryRoof("L1", 2), 8e11);
  EXPECT_EQ(Of.memoryRoof("L3", 1), 3e10); // of the faster of two sets
  EXPECT_EQ(Of.memoryRoof("L2", 1), 0);
}

TEST(Machine, RatesFollowTheMixAndTheSize) {
  Machine Of;
  Of.Memory = {{"L3", 1, 1000, 5000, 30, 10, 20, 25, 0}, {"L3", 1, 3000, 5000, 15, 5, 10, 12, 0}};
  const auto Rate = [&](uint64_t Bytes, double Share) {
    return 1 / Of.transferSeconds("L3", 1, Bytes, 1 - Share, Share);
  };
  EXPECT_NEAR(Rate(100, 0), 30, 1e-9);
  EXPECT_NEAR(Rate(1000, 1), 10, 1e-9);
  EXPECT_NEAR(Rate(1000, 0.5), 20, 1e-9);
  EXPECT_NEAR(1 / Rate(1000, 1.0 / 6), (1.0 / 30 + 1.0 / 25) / 2, 1e-9);
  EXPECT_NEAR(1 / Rate(1000, 0.75), (1.0 / 20 + 1.0 / 10) / 2, 1e-9);
  EXPECT_NEAR(1 / Rate(1732, 0), (1.0 / 30 + 1.0 / 15) / 2, 1e-5); // half way to 3000
  EXPECT_NEAR(Rate(4000, 0), 15, 1e-9);
  EXPECT_EQ(Of.transferSeconds("L2", 1, 100, 1, 0), 0);
}

TEST(Machine, ValuesAtTheBestWidth) {
  Machine Of;
  Of.Math = {{"div", "f32", 32, 1, 0}, {"div", "f32", 256, 0.25, 0}, {"expf", "f32", 32, 3, 0}};
  EXPECT_EQ(Of.nsPerValue("div", "f32", MathCost::AnyWidth), 0.25);
  EXPECT_EQ(Of.nsPerValue("div", "f64", MathCost::AnyWidth), 0);
  EXPECT_EQ(Of.nsPerValue("expf", "", MathCost::AnyWidth), 3);
  EXPECT_EQ(Of.nsPerValue("div", "f32", MathCost::SingleValues), 1);
  EXPECT_EQ(Of.nsPerValue("div", "f32", 256), 0.25);
  EXPECT_EQ(Of.nsPerValue("expf", "", 256), 0);
}

TEST(Machine, AFootprintIsInTheFirstLevelThatHoldsIt) {
  const Machine Of = readGood();
  EXPECT_EQ(Of.levelOf(0, 1), "L1");
  EXPECT_EQ(Of.levelOf(49152, 1), "L1");
  EXPECT_EQ(Of.levelOf(49153, 1), "L3");
  EXPECT_EQ(Of.levelOf(49153, 2), "L1");
  EXPECT_EQ(Of.levelOf(200000001, 1), "DRAM");
}

TEST(Machine, RefusesOtherFiles) {
  EXPECT_NE(problemOf("").find("is not JSON of seamscope.machine/1"), std::string::npos);
  EXPECT_NE(problemOf("[]").find("is not JSON of"), std::string::npos);
  EXPECT_NE(problemOf(with("machine/1", "machine/2")).find("is not JSON of"), std::string::npos);
  EXPECT_NE(problemOf(std::string(2 << 20, ' ')).find("larger than 1 MiB"), std::string::npos);
  EXPECT_NE(problemOf(std::string(100'000, '[')).find("is not JSON of"), std::string::npos);
  const TestFolder Folder;
  EXPECT_FALSE(readMachine(Folder.path("missing.json")));
  EXPECT_FALSE(readMachine(Folder.path("")));
}

TEST(Machine, ChecksEachValue) {
  const auto Refuses = [](std::string_view Old, std::string_view New, std::string_view Problem) {
    EXPECT_EQ(problemOf(with(Old, New)).substr(0, Problem.size()), Problem);
  };
  Refuses(R"("cpu": "Test")", R"("cpu": 7)", R"("cpu" is not a text)");
  Refuses(R"("cpu": "Test")", R"("cpu": "")", R"("cpu" is empty)");
  Refuses(R"("processors": 2)", R"("processors": -2)", R"("processors" is not a whole number)");
  Refuses(R"("processors": 2)", R"("processors": 2.5)", R"("processors" is not a whole number)");
  Refuses(R"("processors": 2)", R"("processors": 0)", R"("processors" is not within 1 and)");
  Refuses(R"("measured_ns": 5)", R"("measured_ns": 18446744073709551615)",
          R"("measured_ns" is not within)");
  Refuses(R"("busy": true)", R"("busy": 1)", R"("busy" is neither true nor false)");
  Refuses(R"(["one"])", R"([1])", R"("warnings" has an element that is not a text)");
  Refuses(R"("level": "L1")", R"("level": "L9")", R"("memory[0].level" is not one of the known)");
  Refuses(R"("threads": 2)", R"("threads": 9999999999)", R"("memory[1].threads" is not within)");
  Refuses("49152, ", "null, ", R"("memory[0].capacity_bytes" is not a whole number)");
  Refuses("3e11", "0", R"("memory[0].read_bytes_per_s" is out of range)");
  Refuses("3e11", "1e300", R"("memory[0].read_bytes_per_s" is out of range)");
  Refuses("8e9", "-1", R"("compute[0].flop_per_s" is out of range)");
  Refuses(R"("fma": true, )", "", R"("compute[1].fma" is neither)");
  Refuses("3.5,", R"("fast",)", R"("math[0].ns_per_value" is not a number)");
  Refuses(R"("math": [)", R"("math": [7, )", R"("math[0]." is not an object)");
  Refuses(R"("math": [)", R"("math": 1, "more": [)", R"("math" is not a list)");
}

TEST(Machine, TheDefaultFileIsOfThisMachine) {
  const TestFolder Folder;
  MachineEnvironment In{"", Folder.path(""), "0123456789abcdef"};
  if (In.Folder.ends_with('/'))
    In.Folder.pop_back();
  EXPECT_FALSE(machineFor(In));
  EXPECT_EQ(machinePath(In), In.Folder + "/machine-0123456789abcdef.json");
  Folder.file("machine-0123456789abcdef.json", Good);
  EXPECT_TRUE(machineFor(In));
  Folder.file("machine-0123456789abcde0.json", Good);
  In.Key.back() = '0';
  const auto Other = machineFor(In);
  ASSERT_FALSE(Other);
  EXPECT_NE(Other.error().Reason.find("of another machine"), std::string::npos);
  // A named file is the user's choice.
  In.File = Folder.path("machine-0123456789abcdef.json");
  EXPECT_TRUE(machineFor(In));
}

TEST(RateFigure, IsTheUpperDecile) {
  std::vector<double> Rates(100);
  std::iota(Rates.rbegin(), Rates.rend(), 1.0); // 100, 99, ..., 1
  const RateFigure Of = figureOf(Rates);
  EXPECT_EQ(Of.Rate, 90);
  EXPECT_DOUBLE_EQ(Of.SpreadPercent, 100 * (90.0 - 10) / 90);
  EXPECT_EQ(figureOf({7}).Rate, 7);
  EXPECT_EQ(figureOf({7}).SpreadPercent, 0);
  EXPECT_EQ(figureOf({}).Rate, 0);
  EXPECT_EQ(figureOf({5, 5, 5, 5}).SpreadPercent, 0);
}

TEST(RateFigure, DoesNotFollowFewRunsOfEitherKind) {
  std::vector<double> Rates(90, 100);
  Rates.insert(Rates.end(), 5, 1000); // an error of the clock
  Rates.insert(Rates.end(), 5, 1);    // interrupted
  EXPECT_EQ(figureOf(Rates).Rate, 100);
  EXPECT_EQ(figureOf(Rates).SpreadPercent, 0);
}

TEST(Processor, ListsOfProcessors) {
  const std::vector<unsigned> Numbers = {0, 1, 2, 3, 8, 10, 11};
  EXPECT_EQ(rangesOf(Numbers), "0-3,8,10-11");
  EXPECT_EQ(numbersOf("0-3,8,10-11"), Numbers);
  EXPECT_TRUE(numbersOf("").empty());
  EXPECT_TRUE(numbersOf("x").empty());
  EXPECT_EQ(numbersOf("1,x"), std::vector<unsigned>{1});
  EXPECT_EQ(numbersOf("0-4294967295").size(), 65536u);
}

void addCache(TestRoot &To, unsigned Processor, unsigned Index, const char *Level, const char *Type,
              const char *Size, const char *Sharing) {
  const std::string Folder =
      fmt::format("sys/devices/system/cpu/cpu{}/cache/index{}/", Processor, Index);
  To.file(Folder + "level", Level).file(Folder + "type", Type).file(Folder + "size", Size);
  To.file(Folder + "shared_cpu_list", Sharing);
}

/// Two cores with two threads each (0 and 2, 1 and 3), and one L3.
void addCores(TestRoot &To) {
  To.file("proc/cpuinfo", "processor\t: 0\nmodel\t\t: 207\nmodel name\t: Test CPU\n");
  for (unsigned I = 0; I < 4; ++I) {
    const char *Core = I % 2 ? "1,3" : "0,2";
    To.file(fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", I), Core);
    addCache(To, I, 0, "1", "Data", "48K", Core);
    addCache(To, I, 1, "1", "Instruction", "32K", Core);
    addCache(To, I, 2, "2", "Unified", "2048K", Core);
    addCache(To, I, 3, "3", "Unified", "32M", "0-3");
  }
}

TEST(Processor, FindsCachesAndWhoSharesThem) {
  TestRoot Root;
  addCores(Root);
  const Processor Two = thisProcessor({0, 1}, Root.path());
  EXPECT_EQ(Two.Cpu, "Test CPU");
  EXPECT_EQ(Two.Affinity, "0-1");
  EXPECT_EQ(Two.Used, (std::vector<unsigned>{0, 1}));
  ASSERT_EQ(Two.Caches.size(), 3u);
  EXPECT_EQ(Two.Caches[0].Bytes, 48u << 10);
  EXPECT_EQ(Two.Caches[0].Caches, 2u);
  EXPECT_EQ(Two.Caches[0].Sharing, 1u);
  EXPECT_EQ(Two.Caches[2].Bytes, 32u << 20);
  EXPECT_EQ(Two.Caches[2].Caches, 1u);
  EXPECT_EQ(Two.Caches[2].OfFirst, 2u);
  // Threads of a core are next to each other.
  const Processor Four = thisProcessor({0, 1, 2, 3}, Root.path());
  EXPECT_EQ(Four.Used, (std::vector<unsigned>{0, 2, 1, 3}));
  EXPECT_EQ(Four.Caches[0].Sharing, 2u);
  EXPECT_EQ(Four.Caches[0].OfFirst, 2u);
  EXPECT_NE(Two.Key, Four.Key);
  EXPECT_EQ(Two.Key.size(), 16u);
  EXPECT_EQ(Two.Key, thisProcessor({0, 1}, Root.path()).Key);
}

TEST(Processor, MemoryIsLimitedByControlGroups) {
  TestRoot Root;
  EXPECT_EQ(availableMemory(Root.path()), 0u);
  Root.file("proc/meminfo", "MemTotal: 9 kB\nMemAvailable:  4000 kB");
  EXPECT_EQ(availableMemory(Root.path()), 4000u << 10);
  Root.file("proc/self/cgroup", "0::/box");
  Root.file("sys/fs/cgroup/box/memory.max", "1000000")
      .file("sys/fs/cgroup/box/memory.current", "400000");
  EXPECT_EQ(availableMemory(Root.path()), 600000u);
  Root.file("sys/fs/cgroup/box/memory.max", "max");
  EXPECT_EQ(availableMemory(Root.path()), 4000u << 10);
}

TEST(LevelPlan, TakesHalfOfAThreadsShare) {
  TestRoot Root;
  addCores(Root);
  std::vector<std::string> LeftOut;
  const auto Plans = planLevels(thisProcessor({0, 1, 2, 3}, Root.path()), 1 << 30, LeftOut);
  ASSERT_EQ(Plans.size(), 4u);
  EXPECT_TRUE(LeftOut.empty());
  EXPECT_EQ(Plans[0].Level, "L1");
  EXPECT_EQ(Plans[0].PartBytes, 12u << 10); // two threads share it
  EXPECT_EQ(Plans[0].FirstParts, 2u);       // of which one alone takes both parts
  EXPECT_EQ(Plans[0].CapacityOne, 48u << 10);
  EXPECT_EQ(Plans[0].CapacityAll, 96u << 10);
  EXPECT_EQ(Plans[1].PartBytes, 512u << 10);
  EXPECT_EQ(Plans[2].PartBytes, 4u << 20);
  EXPECT_EQ(Plans[3].Level, "DRAM");
  EXPECT_EQ(Plans[3].PartBytes * 4, 1u << 30); // eight times L3, which each thread may have alone
}

TEST(LevelPlan, LeavesOutWhatMemoryCannotHold) {
  TestRoot Root;
  addCores(Root);
  std::vector<std::string> LeftOut;
  const auto Plans = planLevels(thisProcessor({0, 1}, Root.path()), 40 << 20, LeftOut);
  ASSERT_FALSE(Plans.empty());
  EXPECT_EQ(Plans.back().Level, "L3");
  ASSERT_EQ(LeftOut.size(), 1u);
  EXPECT_EQ(LeftOut[0].substr(0, 16), "DRAM is left out");
}

TEST(LevelPlan, ALargeL3HasASmallSetToo) {
  TestRoot Root;
  addCores(Root);
  for (unsigned I = 0; I < 4; ++I)
    addCache(Root, I, 3, "3", "Unified", "266240K", "0-3");
  std::vector<std::string> LeftOut;
  const auto Plans = planLevels(thisProcessor({0, 1}, Root.path()), uint64_t{4} << 30, LeftOut);
  ASSERT_EQ(Plans.size(), 5u);
  EXPECT_EQ(Plans[4].PartBytes, 1040u << 20); // more than 1 GB, where the last level is that large
  EXPECT_EQ(Plans[2].Level, "L3");
  EXPECT_EQ(Plans[2].PartBytes, 8u << 20);
  EXPECT_EQ(Plans[3].Level, "L3");
  EXPECT_EQ(Plans[3].PartBytes, 65u << 20);
}

TEST(Team, ThreadsBeginEachRunTogether) {
  const std::vector<unsigned> Processors(3, numbersOf(thisProcessor().Affinity).front());
  auto By = Team::start(Processors);
  ASSERT_TRUE(By);
  std::atomic<unsigned> Calls = 0;
  const TeamTimes Times = (*By)->run(3, 5, [&](unsigned) { ++Calls; });
  EXPECT_EQ(Calls, 15u);
  EXPECT_EQ(Times.Seconds.size(), 5u);
  EXPECT_GT(Times.WallSeconds, 0);
  // A smaller team leaves the others asleep.
  std::atomic<unsigned> Seen = 0;
  (*By)->run(1, 2, [&](unsigned Thread) { Seen += Thread + 1; });
  EXPECT_EQ(Seen, 2u);
}

TEST(Arrays, AWalkStaysInItsParts) {
  const std::vector<unsigned> Processors(2, numbersOf(thisProcessor().Affinity).front());
  auto By = Team::start(Processors);
  ASSERT_TRUE(By);
  const auto In = Arrays::create(**By, 2, 100'000);
  ASSERT_TRUE(In);
  static uint64_t Elements;
  static double *Least, *Most;
  Elements = 0;
  const auto Note = [](double *A, double *B, double *C, size_t Count) {
    Elements += Count;
    EXPECT_EQ(Count % 64, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(A) % 64, 0u);
    EXPECT_EQ(B - A, C - B); // arrays of one length
    Least = Least ? std::min(Least, A) : A;
    Most = std::max(Most, C + Count);
    *A = *B = *C = 1; // is there
    C[Count - 1] = 1;
  };
  for (unsigned Thread = 0; Thread < 2; ++Thread) {
    Least = Most = nullptr;
    Arrays::Walk Walk(*In, Thread, 1, 3);
    for (unsigned I = 0; I < 7; ++I)
      Walk.go(Note, 5000);
    EXPECT_LE((Most - Least) * sizeof(double), 100'000u);
    EXPECT_GE((Most - Least) * sizeof(double), 95'000u);
  }
  EXPECT_EQ(Elements, 2u * 7 * 5056); // rounded up to 64
}

} // namespace
