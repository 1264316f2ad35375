//===- UnrecordedTest.cpp - runs beside runs that record nothing -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Unrecorded.h"
#include "report/sections/AttributionRows.h"

#include "TestFile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

using namespace seamscope::tools;

namespace {

/// Steps of one function, \p Ns each, with as many page faults.
StepLog logOf(const std::vector<int64_t> &Ns, uint64_t PageFaults = 0, bool Recorded = true) {
  StepLog Log;
  Log.Names = {"f"};
  for (const int64_t Each : Ns)
    Log.Steps.push_back({.Name = 0, .Recorded = Recorded, .Ns = Each, .PageFaults = PageFaults});
  return Log;
}

/// A log as steplog.py writes it: of \p Steps steps by its head, with those of \p Body.
void writeLog(const std::string &Path, uint64_t Steps, const std::vector<uint32_t> &Body) {
  std::string Text(1 << 16, '\0');
  std::memcpy(Text.data(), "seamscope steps\x01", 16);
  std::memcpy(Text.data() + 16, &Steps, sizeof Steps);
  std::memcpy(Text.data() + 32, "f\ng (2)\n", 8);
  Text.append(reinterpret_cast<const char *>(Body.data()), Body.size() * sizeof Body[0]);
  std::ofstream(Path, std::ios::binary) << Text;
}

} // namespace

TEST(StepLog, IsReadAsItIsWritten) {
  const TestFolder In;
  const std::string Folder = In.path("");
  EXPECT_FALSE(*readStepLog(Folder));
  //                                     name flags begin   end     faults waits preempted
  writeLog(stepLogIn(Folder), 2, {1, 3, 100, 0, 350, 0, 7, 0, 2, 1, //
                                  0, 0, 400, 0, 400, 1, 0, 0, 0, 0});
  const auto Log = readStepLog(Folder);
  ASSERT_TRUE(Log && *Log);
  EXPECT_EQ((*Log)->Names, (std::vector<std::string>{"f", "g (2)"}));
  ASSERT_EQ((*Log)->Steps.size(), 2u);
  const LoggedStep &First = (*Log)->Steps[0];
  EXPECT_EQ(First.Name, 1u);
  EXPECT_TRUE(First.Compiles && First.Recorded);
  EXPECT_EQ(First.Ns, 250);
  EXPECT_EQ(First.PageFaults, 7u);
  EXPECT_EQ(First.Waits, 2u);
  EXPECT_EQ(First.Preempted, 1u);
  EXPECT_FALSE((*Log)->Steps[1].Compiles || (*Log)->Steps[1].Recorded);
  EXPECT_EQ((*Log)->Steps[1].Ns, int64_t(1) << 32);
}

TEST(StepLog, DamageIsAnErrorAndWhatWasSetAsideIsCutOff) {
  const TestFolder In;
  const std::string Folder = In.path("");
  const std::vector<uint32_t> Step = {0, 0, 100, 0, 350, 0, 0, 0, 0, 0};
  writeLog(stepLogIn(Folder), 2, Step);
  EXPECT_FALSE(readStepLog(Folder)) << "a step is missing";
  writeLog(stepLogIn(Folder), ~uint64_t(0), Step);
  EXPECT_FALSE(readStepLog(Folder)) << "more than there is room for";
  writeLog(stepLogIn(Folder), 1, {2, 0, 100, 0, 350, 0, 0, 0, 0, 0});
  EXPECT_FALSE(readStepLog(Folder)) << "no such name";
  writeLog(stepLogIn(Folder), 1, {0, 0, 350, 0, 100, 0, 0, 0, 0, 0});
  EXPECT_FALSE(readStepLog(Folder)) << "ends before it begins";
  std::ofstream(stepLogIn(Folder)) << "seamscope";
  EXPECT_FALSE(readStepLog(Folder)) << "too short";

  writeLog(stepLogIn(Folder), 1, {0, 0, 100, 0, 350, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  trimStepLog(Folder);
  EXPECT_EQ(std::filesystem::file_size(stepLogIn(Folder)), (1u << 16) + 40u);
  ASSERT_TRUE(*readStepLog(Folder));
}

TEST(Unrecorded, PairsSteadyStepsOfEachFunction) {
  StepLog First = logOf({900, 100, 100, 100, 100, 100}),
          Second = logOf({800, 50, 50, 50, 50}, 0, false);
  First.Steps[2].Compiles = true;
  auto Both = stepsBeside(First, Second, true);
  ASSERT_TRUE(Both);
  // The first is warm-up, the third compiled in one run, the sixth only in one.
  EXPECT_EQ(Both->Times.steps(), 3u);
  EXPECT_EQ(Both->First.MedianNs, 100);
  EXPECT_EQ(Both->Second.MedianNs, 50);

  First.Steps[3].Recorded = false;
  EXPECT_EQ(stepsBeside(First, Second, true)->Times.steps(), 2u);
  EXPECT_EQ(stepsBeside(First, Second, false)->Times.steps(), 1u);

  Second.Names = {"another"};
  EXPECT_FALSE(stepsBeside(First, Second, true));
}

TEST(Unrecorded, StepsInTurnsStandBesideTheNextOneThatIsNotLikeThem) {
  StepLog Log = logOf({10, 30, 11, 31, 32, 12, 13});
  for (const size_t I : {0u, 2u, 5u, 6u})
    Log.Steps[I].Recorded = false;
  // Whichever comes first; the last one has no partner.
  const auto Found = stepsInTurns(Log);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Times.steps(), 3u);
  EXPECT_EQ(Found->Times.meanEagerNs(), 31);
  EXPECT_EQ(Found->Times.meanCompiledNs(), 11);
  EXPECT_FALSE(stepsInTurns(logOf({1, 2, 3})));

  // Calls with other inputs do not make a pair: small, large, small, large, ...
  Log = logOf({1, 100, 2, 200, 1, 100, 2, 200, 1, 100, 2, 200});
  for (size_t I = 0; I < Log.Steps.size(); ++I) {
    Log.Steps[I].Kind = I % 2;
    Log.Steps[I].Recorded = I % 4 >= 2;
  }
  const auto OfKind = stepsInTurns(Log);
  ASSERT_TRUE(OfKind && OfKind->Times.ratio());
  EXPECT_EQ(OfKind->Times.steps(), 6u);
  EXPECT_DOUBLE_EQ(OfKind->Times.ratio()->Value, 2);
  EXPECT_DOUBLE_EQ(OfKind->Times.ratio()->Low, 2);
}

TEST(Unrecorded, SeveralRunsAreSamplesOfTheirOwn) {
  const StepLog Eager = logOf({200, 202, 198, 200, 201, 199}, 0, false),
                Same = logOf({100, 101, 99, 100, 100, 100}, 0, false),
                Other = logOf({160, 161, 159, 160, 160, 160}, 0, false);
  FolderLogs Logs;
  Logs.OwnEager = {Eager, Eager, Eager};
  Logs.Own = {Same, Same, Same};
  const auto Alike = compareUnrecorded(Logs);
  ASSERT_TRUE(Alike && Alike->Speedup && Alike->OfOwn);
  EXPECT_EQ(Alike->Speedup->Times.runs(), 3u);
  EXPECT_TRUE(Alike->Speedup->ratio()->differs());
  EXPECT_EQ(speedupText(*Alike).find("runs are assumed to differ"), std::string::npos);
  Logs.Own = {Same, Other, Same};
  const auto Differ = compareUnrecorded(Logs)->Speedup->ratio();
  EXPECT_GT(Differ->High / Differ->Low,
            1.2 * Alike->Speedup->ratio()->High / Alike->Speedup->ratio()->Low);
  // One run each does not show that.
  Logs.OwnEager.resize(1);
  Logs.Own.resize(1);
  EXPECT_NE(speedupText(*compareUnrecorded(Logs)).find("runs are assumed to differ by 5 %"),
            std::string::npos);
}

TEST(Unrecorded, OtherRunsShowHowMuchRunsDiffer) {
  const std::vector<int64_t> Steps = {1'000'000, 1'000'000, 1'010'000,
                                      990'000,   1'000'000, 1'000'000};
  FolderLogs Logs;
  Logs.OwnEager = {logOf(Steps, 0, false)};
  Logs.Own = {logOf(Steps, 0, false)};
  const auto Width = [&] {
    const auto Ratio = compareUnrecorded(Logs)->Speedup->ratio();
    return std::log(Ratio->High / Ratio->Low);
  };
  const double Assumed = Width();
  // The same kernels took half as long in another run, of another compiler.
  Logs.Compiled = {logOf({500'000, 500'000, 500'000, 500'000, 500'000, 500'000}, 0, false)};
  EXPECT_GT(Width(), 2 * Assumed);
  Logs.Compiled.clear();
  // As many page faults in each run make no difference, others do.
  Logs.OwnEager = Logs.Eager = {logOf(Steps, 500, false)};
  Logs.RecordedEager = logOf(Steps, 500);
  const double Alike = Width();
  EXPECT_LE(Alike, Assumed);
  Logs.RecordedEager = logOf(Steps, 0);
  EXPECT_GT(Width(), Alike);
}

TEST(Unrecorded, ARunThatLostItsProcessorsIsNotCompared) {
  StepLog Eager = logOf({10'000'000, 10'000'000, 10'000'000, 10'000'000}, 0, false), Own = Eager;
  for (LoggedStep &Step : Own.Steps) {
    Step.Ns *= 100;
    Step.Preempted = 39;
  }
  FolderLogs Logs;
  Logs.OwnEager = {Eager};
  Logs.Own = {Own};
  const auto Found = compareUnrecorded(Logs);
  ASSERT_TRUE(Found && Found->Speedup);
  EXPECT_FALSE(Found->Speedup->ratio());
  EXPECT_NE(
      speedupText(*Found).find("they cannot be compared, because other work took the processor 0.0 "
                               "times an eager step and 39.0 times a compiled one"),
      std::string::npos);
  // Of several runs the others still compare.
  Logs.OwnEager = {Eager, Eager, Eager};
  Logs.Own = {Eager, Own, Eager};
  const auto Others = compareUnrecorded(Logs);
  ASSERT_TRUE(Others->Speedup->ratio());
  EXPECT_TRUE(Others->Speedup->ratio()->holds(1));
  EXPECT_EQ(Others->Speedup->Times.runs(), 2u);
  EXPECT_TRUE(speedupText(*Others).ends_with(
      "; 1 more run left out because other work took the processors of one side"))
      << speedupText(*Others);
  Logs.OwnEager = {Eager};
  Logs.Own = {Own};
  // Threads of its own took them: that is how the program runs.
  Logs.OthersRan = false;
  EXPECT_TRUE(compareUnrecorded(Logs)->Speedup->ratio());
  Logs.OthersRan = true;
  // Where both did, it is how the program runs on that machine.
  for (LoggedStep &Step : Logs.OwnEager[0]->Steps)
    Step.Preempted = 1;
  EXPECT_TRUE(compareUnrecorded(Logs)->Speedup->ratio());
}

TEST(Unrecorded, SaysWhatRecordingChanged) {
  Unrecorded Of;
  Of.Eager.OfRuns =
      stepsBeside(logOf({300, 300, 290, 310}, 1985), logOf({100, 100, 99, 101}, 80, false), true);
  Of.Eager.InTurns = Of.Eager.OfRuns;
  Of.EagerFaults = {80, 1985};
  const auto Warnings = Of.warnings();
  ASSERT_EQ(Warnings.size(), 2u);
  EXPECT_NE(Warnings[0].find("80 to 1985 page faults a step"), std::string::npos);
  EXPECT_NE(Warnings[1].find("3.00 times the time"), std::string::npos);
  EXPECT_NE(unrecordedLines(Of).at(0).find("Recording costs eager steps 200 % (95 % 1"),
            std::string::npos);

  // A few pages, and times that differ by what runs differ by.
  Of.EagerFaults = {0, 64};
  Of.Eager.OfRuns =
      stepsBeside(logOf({103, 103, 103, 104}, 64), logOf({100, 100, 99, 101}, 0, false), true);
  Of.Eager.InTurns = Of.Eager.OfRuns;
  EXPECT_TRUE(Of.warnings().empty());
  // Less time is as strange as more.
  Of.Eager.InTurns =
      stepsBeside(logOf({33, 33, 33, 34}, 64), logOf({100, 100, 99, 101}, 0, false), true);
  ASSERT_EQ(Of.warnings().size(), 1u);
  EXPECT_NE(Of.warnings()[0].find("0.33 times the time"), std::string::npos);
}

TEST(Unrecorded, TurnsAreFromCallToCall) {
  StepLog Log{{"once", "f", "g"}, {}, 0};
  const auto Add = [&](uint32_t Name, int64_t Begin, int64_t Ns) {
    Log.Steps.push_back({Name, false, Begin % 200 != 0, Ns, 7, 0, 0, Begin});
  };
  Add(0, 0, 50);
  for (int64_t I = 1; I <= 4; ++I) {
    Add(1, 100 * I, 10);
    Add(2, 100 * I + 50, 20);
  }
  const StepLog Turns = turnsOf(Log);
  ASSERT_EQ(Turns.Steps.size(), 3u); // of the last the end is not known
  for (const LoggedStep &Each : Turns.Steps) {
    EXPECT_EQ(Turns.Names[Each.Name], "f");
    EXPECT_EQ(Each.Ns, 100);
  }
  EXPECT_TRUE(turnsOf({{"f"}, {{0, false, false, 1}, {0, false, false, 1}}, 0}).Steps.empty());
  // In a comparison, of steps that nothing records.
  FolderLogs Logs;
  Logs.Eager = Logs.Compiled = {Log};
  for (LoggedStep &Each : Logs.Eager[0]->Steps)
    Each.BeginNs *= 2;
  const auto Found = compareUnrecorded(Logs, StepsBy::Turn);
  ASSERT_TRUE(Found && Found->Speedup);
  EXPECT_EQ(Found->Speedup->Times.meanEagerNs(), 200);
  EXPECT_EQ(Found->Speedup->Times.meanCompiledNs(), 100);
  EXPECT_TRUE(speedupText(*Found).starts_with(
      "Without recording a step, from one compiled call to the next, takes "));
}

StepLog disturbed(uint32_t Switches, int64_t StepNs) {
  StepLog Log{{"f"}, {}, 0};
  for (int I = 0; I < 4; ++I)
    Log.Steps.push_back({0, I == 0, true, StepNs, 0, 0, I ? Switches : 1000});
  return Log;
}

TEST(BusyMachine, OneRunIsDisturbed) {
  const FolderLogs Logs{disturbed(3, 100'000'000), {}, {disturbed(0, 100'000'000)}, {}, {}, {}};
  const auto Found = busyMachine("nowhere", Logs);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Count, 9u); // without the step that compiled
  EXPECT_EQ(Found->Ns, 300'000'000);
  EXPECT_EQ(Found->Consequence,
            "other work ran on the machine: a call of a compiled function lost the processor 3.0 "
            "times in this run, 0.0 times in the unrecorded run; their times cannot be compared");
}

TEST(BusyMachine, AllRunsAreDisturbed) {
  FolderLogs Logs;
  Logs.Recorded = Logs.RecordedEager = disturbed(112, 500'000'000);
  Logs.Compiled = Logs.Eager = {Logs.Recorded};
  const auto Found = busyMachine("nowhere", Logs);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Count, 4u * 3 * 112);
  EXPECT_TRUE(Found->Consequence.ends_with("no time measures the program alone"));
  // One run alone says as much.
  EXPECT_TRUE(busyMachine("nowhere", FolderLogs{disturbed(112, 500'000'000), {}, {}, {}, {}, {}}));
}

TEST(BusyMachine, AMachineLeftAloneSwitchesNowAndThen) {
  EXPECT_FALSE(busyMachine("nowhere", FolderLogs{}));
  EXPECT_FALSE(busyMachine(
      "nowhere", FolderLogs{disturbed(0, 100'000'000), disturbed(1, 100'000'000), {}, {}, {}, {}}));
  // Long steps have some.
  EXPECT_FALSE(busyMachine("nowhere", FolderLogs{disturbed(5, 1'000'000'000), {}, {}, {}, {}, {}}));
}

TEST(Unrecorded, ADifferenceInsideItsIntervalIsNone) {
  Unrecorded Of;
  Of.Own = stepsBeside(logOf({90, 100, 95, 105, 110}, 0, false),
                       logOf({105, 100, 90, 110, 95}, 0, false), false);
  EXPECT_NE(unrecordedLines(Of).at(0).find("no difference (95 % 0."), std::string::npos);
  EXPECT_EQ(speedupText(Of), "Without recording a step takes 100 ns compiled");

  Of.Own = stepsBeside(logOf({200, 198, 200, 202}, 0, false), logOf({100, 99, 100, 101}, 0, false),
                       false);
  EXPECT_NE(unrecordedLines(Of).at(0).find("200 ns, with those of the kernels below 100 ns: 2.00x "
                                           "(95 % 1."),
            std::string::npos);
  Of.OfOwn = true;
  EXPECT_NE(unrecordedLines(Of).at(0).find("a step takes 0.50x (95 % 0.4"), std::string::npos);
  Of.Speedup = stepsBeside(logOf({300, 297, 300, 303}, 0, false),
                           logOf({200, 198, 200, 202}, 0, false), false);
  EXPECT_TRUE(speedupText(Of).starts_with(
      "Without recording a step takes 300 ns in eager mode and 200 ns compiled: 1.50x (95 % 1.2"));

  Of.Own = stepsBeside(logOf({300}, 0, false), logOf({100}, 0, false), false);
  EXPECT_NE(unrecordedLines(Of).at(0).find("not known, 1 step is too few"), std::string::npos);
}
