//===- TeamAdviceTest.cpp - findings about threads of teams -------------------- -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FoundAdvice.h"

#include <gtest/gtest.h>

#include <string_view>

namespace seamscope::tools {
namespace {

/// What a thread of a team does in a call: "name begin duration" of loops, and of waits, w where
/// they have no name.
struct Piece {
  const char *Loop;
  int64_t Begin, Duration;
  const char *Wait = "w";
};

/// A call of region r of kernel k, which ends at \p End, and the pieces of its threads.
struct TeamCall {
  int64_t End;
  std::vector<std::vector<Piece>> Threads;
};

/// The calls one after the other. \p Construct: what waits end.
std::vector<std::string> teamEvents(const std::vector<TeamCall> &Calls,
                                    const char *Construct = "for schedule(static)",
                                    const char *Kernel = "k") {
  std::vector<std::string> Events;
  int64_t Begin = 0;
  for (const TeamCall &Call : Calls) {
    for (size_t Thread = 0; Thread < Call.Threads.size(); ++Thread) {
      const int Tid = static_cast<int>(Thread) + 1;
      const std::string Of = fmt::format(R"("kernel": "{}")", Kernel);
      if (!Thread)
        Events.push_back(eventText("cpu_op", Kernel, Tid, Begin, Call.End, Of));
      Events.push_back(eventText("omp_region", "r", Tid, Begin, Call.End,
                                 fmt::format(R"({}, "thread": {})", Of, Thread)));
      for (const Piece &Each : Call.Threads[Thread])
        Events.push_back(
            Each.Loop ? eventText("loop", Each.Loop, Tid, Begin + Each.Begin, Each.Duration, Of)
                      : eventText("omp_wait", Each.Wait, Tid, Begin + Each.Begin, Each.Duration,
                                  fmt::format(R"({}, "construct": "{}")", Of, Construct)));
    }
    Begin += Call.End;
  }
  return Events;
}

/// "saving in us: evidence; remedy" of each finding of kind \p Kind.
std::string findingsOf(const char *Kind, const std::vector<std::string> &Events,
                       const AdvisedMachine &On = {}) {
  std::string Text;
  for (const Advice &A : findings(Events, "NVIDIA A100-SXM4-80GB", On))
    if (A.Kind == std::string_view(Kind))
      Text += fmt::format("{}: {}; try {}\n", A.SavingNs / 1000, A.Evidence, A.Remedy);
  return Text;
}

std::string imbalances(const std::vector<std::string> &Events, const AdvisedMachine &On = {}) {
  return findingsOf("imbalance", Events, On);
}

/// Of eight calls in which two threads do the same.
std::string ofTeam(int64_t End, const std::vector<Piece> &First, const std::vector<Piece> &Second) {
  return imbalances(teamEvents(std::vector<TeamCall>(8, TeamCall{End, {First, Second}})));
}

constexpr const char *Remedy = "try schedule(dynamic) or schedule(static, chunk) for that loop\n";

TEST(TeamAdvice, TheLoopInWhichOneThreadHasMost) {
  EXPECT_EQ(ofTeam(100, {{"a", 0, 20}, {nullptr, 20, 80}}, {{"a", 0, 100}}),
            "320: r: thread 1 works 1.67 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 40 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(TeamAdvice, ALoopThatOneThreadAloneEnters) {
  EXPECT_EQ(ofTeam(100, {{nullptr, 0, 100}}, {{"a", 0, 100}}),
            "400: r: thread 1 works 2.00 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 50 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(TeamAdvice, LoopsThatMakeUpForEachOther) {
  // Both threads work 50 us of 80, and wait for each other twice.
  EXPECT_EQ(ofTeam(80, {{"a", 0, 40}, {"b", 40, 10}, {nullptr, 50, 30}},
                   {{"a", 0, 10}, {nullptr, 10, 30}, {"b", 40, 40}}),
            "120: r: thread 0 works 1.60 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 38 % of their time waiting at w; " +
                std::string(Remedy));
  // Without waits between them nothing is lost.
  EXPECT_EQ(ofTeam(50, {{"a", 0, 40}, {"b", 40, 10}}, {{"a", 0, 10}, {"b", 10, 40}}), "");
}

TEST(TeamAdvice, TheWaitIsThatOfTheLoop) {
  // Longest is the wait for what thread 0 does outside of loops.
  EXPECT_EQ(ofTeam(200, {{"a", 0, 100}, {"b", 140, 20}, {nullptr, 160, 40, "v"}},
                   {{"a", 0, 60}, {nullptr, 60, 40}, {nullptr, 100, 40, "u"}, {"b", 140, 60}}),
            "160: r: thread 0 works 1.25 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 10 % of their time waiting at w; " +
                std::string(Remedy));
  // In the loop, not behind the other.
  EXPECT_EQ(ofTeam(200, {{"a", 0, 130}, {"b", 130, 20}, {nullptr, 150, 50, "u"}},
                   {{"a", 0, 130}, {nullptr, 30, 40}, {"b", 130, 20}, {nullptr, 150, 50, "u"}}),
            "160: r: thread 0 works 1.18 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 10 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(TeamAdvice, TheInnerLoopThatHasNearlyAllOfIt) {
  EXPECT_EQ(ofTeam(100, {{"time", 0, 100}, {"sweep", 0, 20}, {nullptr, 20, 70}},
                   {{"time", 0, 100}, {"sweep", 0, 90}}),
            "280: r: thread 1 works 1.64 times as long as the mean of 2 threads in sweep, and "
            "longest in 8 of 8 turns; the threads spend 35 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(TeamAdvice, LoopsNoneOfWhichIsToBlameAlone) {
  EXPECT_EQ(
      ofTeam(90,
             {{"a", 0, 10},
              {nullptr, 10, 20},
              {"b", 30, 10},
              {nullptr, 40, 20},
              {"c", 60, 10},
              {nullptr, 70, 20}},
             {{"a", 0, 30}, {"b", 30, 30}, {"c", 60, 30}}),
      "240: r: thread 1 works 1.50 times as long as the mean of 2 threads, and longest in 8 of 8 "
      "calls; the threads spend 33 % of their time waiting at w; " +
          std::string(Remedy));
}

TEST(TeamAdvice, UnevenWorkOutsideOfEvenLoops) {
  EXPECT_EQ(
      ofTeam(100, {{"a", 0, 20}, {nullptr, 20, 80}}, {{"a", 0, 20}}),
      "320: r: thread 1 works 1.67 times as long as the mean of 2 threads, and longest in 8 of 8 "
      "calls; the threads spend 40 % of their time waiting at w; " +
          std::string(Remedy));
}

/// A call of which thread \p Longest takes all, and the other so long.
TeamCall callOf(int64_t All, int Longest, int64_t Other) {
  TeamCall Call{All, {{}, {}}};
  Call.Threads[static_cast<size_t>(!Longest)].push_back({nullptr, Other, All - Other});
  return Call;
}

TEST(TeamAdvice, OneCallSaysNothingOfAThread) {
  EXPECT_EQ(imbalances(teamEvents({callOf(9000, 1, 100)})), "");
  // Of two threads one is longer seven times in a row in 1 of 64 programs.
  EXPECT_EQ(imbalances(teamEvents(std::vector<TeamCall>(7, callOf(100, 1, 20)))), "");
  EXPECT_NE(imbalances(teamEvents(std::vector<TeamCall>(8, callOf(100, 1, 20)))), "");
}

TEST(TeamAdvice, ThreadsThatAreLongestByTurnsHaveNoMoreWork) {
  // Thread 1 is preempted for long now and then: on the whole it is 1.4 times as busy as the mean.
  std::vector<TeamCall> Calls;
  for (int I = 0; I < 40; ++I)
    Calls.push_back(I % 4 ? callOf(100, I % 2, 98) : callOf(1000, 1, 100));
  EXPECT_EQ(imbalances(teamEvents(Calls)), "");
  // It is in four of five calls, and as fast as the other in the rest.
  Calls.clear();
  for (int I = 0; I < 40; ++I)
    Calls.push_back(I % 5 ? callOf(200, 1, 100) : callOf(100, 1, 98));
  EXPECT_EQ(imbalances(teamEvents(Calls)), "");
}

TEST(TeamAdvice, MoreWorkShowsAlthoughOthersAreDisturbed) {
  std::vector<TeamCall> Calls;
  for (int I = 0; I < 40; ++I)
    Calls.push_back(I % 8 ? callOf(300, 1, 100) : callOf(900, 0, 300));
  EXPECT_NE(imbalances(teamEvents(Calls)).find("35 of 40 calls"), std::string::npos);
}

TEST(TeamAdvice, AThreadThatNobodyWaitsForHoldsNobodyUp) {
  // Thread 0 does nearly all of it, and then waits for thread 1, which came late.
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 20; ++I) {
    Events.push_back(eventText("cpu_op", "k", 1, I * 100, 100, R"("kernel": "k")"));
    Events.push_back(
        eventText("omp_region", "r", 1, I * 100, 100, R"("kernel": "k", "thread": 0)"));
    Events.push_back(eventText("omp_wait", "w", 1, I * 100 + 80, 20,
                               R"x("kernel": "k", "construct": "for schedule(static)")x"));
    Events.push_back(
        eventText("omp_region", "r", 2, I * 100 + 80, 20, R"("kernel": "k", "thread": 1)"));
  }
  EXPECT_EQ(imbalances(Events), "");
}

TEST(TeamAdvice, TeamsThatOverlapAreNotToldApart) {
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 20; ++I)
    for (int Team = 0; Team < 2; ++Team)
      for (int Thread = 0; Thread < 2; ++Thread)
        Events.push_back(eventText("omp_region", "r", 1 + 2 * Team + Thread, I * 100 + Team * 10,
                                   Thread ? 80 : 20,
                                   fmt::format(R"("kernel": "k", "thread": {})", Thread)));
  EXPECT_EQ(imbalances(Events), "");
}

TEST(TeamAdvice, ThreadsThatShareAProcessor) {
  const auto Uneven = teamEvents(std::vector<TeamCall>(8, callOf(100, 1, 20)));
  EXPECT_NE(imbalances(Uneven, {.Processors = 2}), "");
  EXPECT_EQ(imbalances(Uneven, {.Processors = 1}), "");
  // Beside another program a thread takes twice as long for the same; in less than a time slice it
  // mostly does not.
  const auto Twice = teamEvents(std::vector<TeamCall>(20, callOf(10'000, 1, 5'000)));
  EXPECT_NE(imbalances(Twice), "");
  EXPECT_EQ(imbalances(Twice, {.Disturbed = true}), "");
  EXPECT_NE(imbalances(Uneven, {.Disturbed = true}), "");
  const auto TenTimes = teamEvents(std::vector<TeamCall>(20, callOf(10'000, 1, 1'000)));
  EXPECT_NE(imbalances(TenTimes, {.Disturbed = true}), "");
}

TEST(TeamAdvice, ThreadsThatTakeWorkAsTheyCome) {
  const auto Uneven =
      teamEvents(std::vector<TeamCall>(20, callOf(100, 1, 20)), "for schedule(dynamic, 8)");
  EXPECT_EQ(imbalances(Uneven), "");
  EXPECT_EQ(imbalances(Uneven, {.Processors = 2, .Disturbed = true}), "");
  EXPECT_NE(imbalances(Uneven, {.Processors = 2}).find("smaller chunks"), std::string::npos);
}

TEST(TeamAdvice, ThreadsThatWaitEvenlyForALock) {
  const auto Events = [](const char *Construct, int64_t Wait) {
    return teamEvents(
        std::vector<TeamCall>(8, TeamCall{100, {{{nullptr, 10, Wait}}, {{nullptr, 60, Wait}}}}),
        Construct);
  };
  EXPECT_EQ(findingsOf("contention", Events("critical", 30)),
            "240: r: its 2 threads spend 30 % of their time waiting for each other at w; try "
            "shorten it: reduction, atomic, or separate data for each thread\n");
  EXPECT_NE(findingsOf("contention", Events("lock", 30)), "");
  EXPECT_NE(findingsOf("contention", Events("ordered", 30)), "");
  EXPECT_EQ(findingsOf("contention", Events("critical", 5)), "");
  EXPECT_EQ(findingsOf("contention", Events("barrier", 30)), "");
  // A thread that has the lock may be off the processor.
  EXPECT_EQ(findingsOf("contention", Events("critical", 30), {.Processors = 1}), "");
  EXPECT_NE(findingsOf("contention", Events("critical", 30), {.Processors = 2}), "");
}

TEST(TeamAdvice, AReductionBetweenALoopAndTheJoinIsNotTheWait) {
  // Thread 0 hands its sum over at once, and waits in the join.
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 8; ++I) {
    const int64_t Begin = I * 1000;
    const auto Add = [&](const char *Category, const char *Name, int Tid, int64_t At, int64_t Ns,
                         const char *More = "") {
      Events.push_back(
          eventText(Category, Name, Tid, Begin + At, Ns, fmt::format(R"("kernel": "k"{})", More)));
    };
    Add("cpu_op", "k", 1, 0, 1000);
    Add("omp_wait", "p", 1, 0, 1000, R"x(, "construct": "parallel for schedule(static)")x");
    Add("omp_region", "r", 1, 0, 102, R"(, "thread": 0)");
    Add("loop", "l", 1, 0, 100);
    Add("omp_wait", "reduction", 1, 100, 2, R"(, "construct": "reduction")");
    Add("omp_region", "r", 2, 0, 1000, R"(, "thread": 1)");
    Add("loop", "l", 2, 0, 998);
    Add("omp_wait", "reduction", 2, 998, 2, R"(, "construct": "reduction")");
  }
  EXPECT_EQ(imbalances(Events),
            "3592: r: thread 1 works 1.82 times as long as the mean of 2 threads in l, and longest "
            "in 8 of 8 turns; the threads spend 45 % of their time waiting at the end of the "
            "region; " +
                std::string(Remedy));
}

TEST(TeamAdvice, AMasterThatTheOthersWaitFor) {
  const auto Said = [](const char *Construct) {
    return imbalances(teamEvents(std::vector<TeamCall>(8, callOf(100, 0, 20)), Construct));
  };
  for (const char *Construct : {"master", "masked"})
    EXPECT_NE(Said(Construct).find("try share the work of the master thread"), std::string::npos)
        << Said(Construct);
  EXPECT_EQ(Said("barrier").find("schedule"), std::string::npos) << Said("barrier");
}

TEST(TeamAdvice, TheThreadOfATeamOfSeveral) {
  // Two threads of the program start teams at the same time; thread 1 of the second one has most.
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 10; ++I)
    for (int Team = 0; Team < 2; ++Team) {
      const int64_t Begin = I * 1000 + Team * 200;
      Events.push_back(eventText("omp_wait", "p", 1 + 2 * Team, Begin, 500,
                                 R"("kernel": "k", "construct": "parallel")"));
      for (int Thread = 0; Thread < 2; ++Thread)
        Events.push_back(eventText("omp_region", "r", 1 + 2 * Team + Thread, Begin,
                                   Team && Thread ? 490 : 190,
                                   fmt::format(R"("kernel": "k", "thread": {})", Thread)));
    }
  const std::string Said = imbalances(Events);
  EXPECT_NE(Said.find("thread 1 of team 1 works 1.85 times as long as the mean of 4 threads, and "
                      "longest in 10 of 10 calls"),
            std::string::npos)
      << Said;
}

TEST(TeamAdvice, NobodyWritesInductorsPragmas) {
  const std::string Said = imbalances(teamEvents(std::vector<TeamCall>(8, callOf(100, 1, 20)),
                                                 "for schedule(static)", "cpp_fused_add_0"));
  EXPECT_NE(Said.find("torch.set_num_threads()"), std::string::npos) << Said;
  EXPECT_EQ(Said.find("schedule("), std::string::npos) << Said;
}

} // namespace
} // namespace seamscope::tools
