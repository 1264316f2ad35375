//===- OrderedWorkTest.cpp - work on several threads, results in order -------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OrderedWork.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

using namespace seamscope::tools;

namespace {

/// A number that no result may have come from: working on it fails.
constexpr int Bad = -1;

int workOn(unsigned, int Number) {
  if (Number == Bad)
    throw std::runtime_error("bad number");
  return 2 * Number;
}

TEST(OrderedWork, ResultsComeInTheOrderOfTheWork) {
  for (const unsigned Threads : {0u, 1u, 4u}) {
    std::vector<int> Taken;
    OrderedWork<int, int> Work(Threads, workOn, [&](int Result) { Taken.push_back(Result); });
    for (int I = 0; I < 1000; ++I)
      Work.add(I);
    Work.finish();
    ASSERT_EQ(Taken.size(), 1000u) << Threads;
    for (int I = 0; I < 1000; ++I)
      ASSERT_EQ(Taken[static_cast<size_t>(I)], 2 * I) << Threads;
  }
}

TEST(OrderedWork, ExceptionOfAThreadReachesTheOwner) {
  for (const unsigned Threads : {0u, 1u, 4u}) {
    int Taken = 0;
    OrderedWork<int, int> Work(Threads, workOn, [&](int) { ++Taken; });
    EXPECT_THROW(
        {
          for (int I = 0; I < 100; ++I)
            Work.add(I == 50 ? Bad : I);
          Work.finish();
        },
        std::runtime_error)
        << Threads;
    EXPECT_EQ(Taken, 50) << Threads;
  }
}

TEST(OrderedWork, ExceptionOfTheOwnerStopsTheThreads) {
  for (const unsigned Threads : {0u, 1u, 4u}) {
    OrderedWork<int, int> Work(Threads, workOn, [&](int Result) {
      if (Result == 20)
        throw std::runtime_error("cannot be taken");
    });
    EXPECT_THROW(
        {
          for (int I = 0; I < 100; ++I)
            Work.add(I);
          Work.finish();
        },
        std::runtime_error)
        << Threads;
    // The destructor returns, whatever was not begun or not taken.
  }
}

TEST(OrderedWork, WhatWasNotTakenIsDiscarded) {
  std::atomic<int> Alive = 0;
  struct Counted {
    explicit Counted(std::atomic<int> &Count) : Count(&Count) { ++Count; }
    Counted(Counted &&Other) : Count(std::exchange(Other.Count, nullptr)) {}
    ~Counted() {
      if (Count)
        --*Count;
    }
    std::atomic<int> *Count;
  };
  {
    OrderedWork<Counted, Counted> Work(
        2, [](unsigned, Counted What) { return What; }, [](Counted) {});
    for (int I = 0; I < 5; ++I)
      Work.add(Counted(Alive));
  }
  EXPECT_EQ(Alive, 0);
}

} // namespace
