//===- WaitAdviceTest.cpp - threads that sleep while others work ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/WaitAdvice.h"
#include "SampledTrace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

using namespace seamscope::tools;

namespace {

/// Two workers of a pool run for 10 us of 100; `serial` runs on the main thread before.
class Pool : public Sampled {
public:
  Pool()
      : Sampled({call("serial", 1, 0, 90), call("part", 2, 90, 10), call("part", 3, 90, 10)},
                {"1", "2", "3"}, 100) {
    Of.Waits.resize(4);
    Names.Waits = {{"pthread_cond_wait", "libc.so.6", "Pool::loop()", "/src/pool.cpp", 16},
                   {"pthread_join", "libc.so.6", "main", "/src/pool.cpp", 40},
                   {"__kmpc_barrier", "libomp.so.5", "f", "/src/pool.cpp", 50},
                   {"poll", "libc.so.6", "timer", "/src/timer.cpp", 3}};
  }
  /// A thread that is blocked from \p Begin to \p End at a place.
  void wait(const std::string &Tid, int Begin, int End, int64_t Wait) {
    off(Tid, Begin, End, OffKind::Blocked, -1, Wait);
  }
  std::string advice(unsigned Processors = 4) const {
    std::string Text;
    for (const Advice &A : adviseOnWaits(Of, Names, 100 * Us, Processors))
      Text += fmt::format("{} {}. {}", A.SavingNs / Us, A.Evidence, A.Remedy);
    return Text;
  }
};

TEST(WaitAdvice, APoolSleepsWhileSerialCodeRuns) {
  Pool All;
  All.wait("1", 90, 100, 1);
  All.wait("2", 0, 90, 0);
  All.wait("3", 0, 90, 0);
  EXPECT_EQ(All.advice(),
            "60 2 threads slept 90 % of the window in Pool::loop (pool.cpp:16, pthread_cond_wait) "
            "while serial ran on main (100 % of that time). Give these "
            "threads a part of serial, or other work that does not depend on it");
  // On one processor they could not have run.
  EXPECT_EQ(All.advice(1), "");
}

TEST(WaitAdvice, ShortWaitsHaveNoLine) {
  Pool All;
  All.wait("2", 0, 45, -1);
  All.wait("2", 45, 90, -1);
  All.wait("3", 0, 90, -1);
  EXPECT_TRUE(All.advice().find("slept 90 % of the window in code outside of kernels (line not "
                                "known: each wait was short)") != std::string::npos)
      << All.advice();
  // Sums of short waits may be anywhere in their stretch.
  Pool Sums;
  Sums.off("2", 0, 90, OffKind::Blocked, 80);
  Sums.off("3", 0, 90, OffKind::Blocked, 80);
  EXPECT_EQ(Sums.advice(), "");
}

TEST(WaitAdvice, ThreadsThatTakeTurnsWaitForEachOther) {
  Sampled Turns({call("a", 2, 0, 50), call("a", 3, 0, 100)}, {"2", "3"}, 100);
  Turns.Of.Waits.resize(1);
  Turns.Names.Waits = {{"pthread_mutex_lock", "libc.so.6", "a(int)", "/src/a.cpp", 4}};
  Turns.off("2", 0, 40, OffKind::Blocked, -1, 0);
  Turns.off("3", 40, 80, OffKind::Blocked, -1, 0);
  const auto Found = adviseOnWaits(Turns.Of, Turns.Names, 100 * Us, 2);
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Evidence,
            "2 threads slept 40 % of the window in a (a.cpp:4, pthread_mutex_lock) while a "
            "ran on one of them (50 % of that time)");
}

TEST(WaitAdvice, ThreadsWithoutWorkAreNotMissed) {
  // Timers run no kernels.
  Sampled Timers({call("k", 1, 0, 100)}, {"1", "2", "3"}, 100);
  Timers.Of.Waits.resize(1);
  Timers.Names.Waits = {{"poll", "libc.so.6", "timer", "/src/timer.cpp", 3}};
  Timers.off("2", 0, 100, OffKind::Blocked, -1, 0);
  Timers.off("3", 0, 100, OffKind::Blocked, -1, 0);
  EXPECT_TRUE(adviseOnWaits(Timers.Of, Timers.Names, 100 * Us, 4).empty());
}

TEST(WaitAdvice, WaitsThatNobodyCausesAreLeftOut) {
  // All wait for input.
  Pool Input;
  Input.wait("1", 10, 100, 1);
  Input.wait("2", 0, 90, 3);
  Input.wait("3", 0, 90, 3);
  EXPECT_EQ(Input.advice(), "");
  // OpenMP's own waits have findings of their own.
  Pool OpenMp;
  OpenMp.wait("2", 0, 90, 2);
  OpenMp.wait("3", 0, 90, 2);
  EXPECT_EQ(OpenMp.advice(), "");
}

TEST(WaitAdvice, AMainThreadMayJoinItsWorkers) {
  Sampled Join({call("init", 1, 0, 5), call("k", 2, 5, 95), call("k", 3, 5, 95)}, {"1", "2", "3"},
               100);
  Join.Of.Waits.resize(1);
  Join.Names.Waits = {{"pthread_join", "libc.so.6", "main", "/src/pool.cpp", 40}};
  Join.off("1", 5, 100, OffKind::Blocked, -1, 0);
  EXPECT_TRUE(adviseOnWaits(Join.Of, Join.Names, 100 * Us, 4).empty());
}

TEST(WaitAdvice, WorkersThatQueueForBusyProcessorsLackNothing) {
  // Two of four run at any time, on two processors.
  Sampled Queue(
      {call("k", 2, 0, 100), call("k", 3, 0, 100), call("k", 4, 0, 100), call("k", 5, 0, 100)},
      {"2", "3", "4", "5"}, 100);
  Queue.Of.Waits.resize(1);
  Queue.Names.Waits = {{"sem_wait", "libc.so.6", "k", "/src/k.cpp", 9}};
  for (const auto &[Tid, From] : {std::pair("2", 0), {"3", 0}, {"4", 50}, {"5", 50}})
    Queue.off(Tid, From, From + 50, OffKind::Blocked, -1, 0);
  EXPECT_TRUE(adviseOnWaits(Queue.Of, Queue.Names, 100 * Us, 2).empty());
  EXPECT_EQ(adviseOnWaits(Queue.Of, Queue.Names, 100 * Us, 4).size(), 1U);
}

} // namespace
