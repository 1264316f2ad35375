//===- WorkTest.cpp - the work of calls, with code made by hand ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/abi.h"
#include "seamscope/seamscope.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/time.h>
#include <thread>

namespace {

const int Environment = setenv("SEAMSCOPE_OUT", SEAMSCOPE_TEST_FOLDER "/work-exit-%p.json", 1);

enum Operation : uint64_t {
#define SEAMSCOPE_LATE(Operation) Operation,
#include "seamscope/late-work.def"
};

constexpr uint64_t step(Operation What, uint64_t A = 0, uint64_t B = 0) {
  return What | 64 << 8 | A << 16 | B << 32;
}

/// A library with one function. Its calls keep two words, the flags and a number: sum 0 is that of
/// the calls, sum 1 the square of the number.
struct Module {
  struct {
    SeamscopeSite Site;
    char Function[8], Counts[64];
    alignas(8) SeamscopeWork Work;
    uint64_t Code[5];
  } Its = {};
  uint32_t Gate = 0;
  SeamscopeModule Table = {
      SEAMSCOPE_ABI_VERSION, sizeof(SeamscopeSite), &Its.Site, &Its.Site + 1, &Gate, nullptr};

  explicit Module(const char *Name) {
    const auto Offset = [&](const void *To) {
      return static_cast<int32_t>(static_cast<const char *>(To) -
                                  reinterpret_cast<const char *>(&Its.Site));
    };
    std::strcpy(Its.Function, Name);
    std::strcpy(Its.Counts, "{\"classes\":[],\"arrays\":[],\"files\":[]}");
    Its.Site.kind = SEAMSCOPE_SITE_WORK;
    Its.Site.name = Its.Site.linkage_name = Its.Site.kernel = Offset(Its.Function);
    Its.Site.ops = Offset(Its.Counts);
    Its.Site.work = Offset(&Its.Work);
    Its.Work = {2, 0, 2, 1, 5, 0};
    const uint64_t Code[] = {step(Literal), 1, step(Sum, 2, 0), step(Mul, 1, 1), step(Sum, 5, 1)};
    std::memcpy(Its.Code, Code, sizeof(Code));
    __seamscope_register_v3(&Table);
  }

  void call(uint64_t Number) {
    uint64_t Words[2] = {1, Number};
    __seamscope_add_work_v3(&Its.Site, Words);
    EXPECT_EQ(Words[0], 0u);
    __seamscope_add_work_v3(&Its.Site, Words); // was added
  }
};

/// The words of the function, added up over its entries, and the number of these.
struct Sums {
  uint64_t Calls = 0, Squares = 0, Entries = 0;
};

Sums recorded(const char *Function) {
  const std::string Path = SEAMSCOPE_TEST_FOLDER "/work.json";
  EXPECT_EQ(seamscope_flush(Path.c_str()), SEAMSCOPE_OK);
  std::ifstream File(Path);
  Sums Found;
  const auto Trace = nlohmann::json::parse(File);
  for (const auto &Of : Trace["seamscope"]["work"])
    if (Of["function"] == Function) {
      EXPECT_EQ(Of["words"][0], Of["calls"]);
      Found.Calls += Of["calls"].get<uint64_t>();
      Found.Squares += Of["words"][1].get<uint64_t>();
      Found.Entries += Of.contains("runs") ? Of["runs"].size() : 1;
    }
  return Found;
}

class Work : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK); }
};

TEST_F(Work, OfEqualCallsIsAddedUp) {
  static Module Library("equal");
  for (int I = 0; I < 100; ++I)
    Library.call(7);
  const Sums Found = recorded("equal");
  EXPECT_EQ(Found.Calls, 100u);
  EXPECT_EQ(Found.Squares, 4900u);
  EXPECT_EQ(Found.Entries, 1u);
}

TEST_F(Work, OfOtherWordsIsFoundAgain) {
  static Module Library("other");
  for (const uint64_t Number : {3, 3, 5, 3})
    Library.call(Number);
  const Sums Found = recorded("other");
  EXPECT_EQ(Found.Calls, 4u);
  EXPECT_EQ(Found.Squares, 9u + 9 + 25 + 9);
  EXPECT_EQ(Found.Entries, 3u);
}

TEST_F(Work, OfAThreadThatTakesThePlaceOfAnotherIsItsOwn) {
  static Module Library("threads");
  for (int I = 0; I < 3; ++I)
    std::thread([] { Library.call(2); }).join();
  const Sums Found = recorded("threads");
  EXPECT_EQ(Found.Calls, 3u);
  EXPECT_EQ(Found.Squares, 12u);
}

/// Another library may describe its work by the same words, and have other steps.
TEST_F(Work, OfOtherStepsWithOneDescriptionIsKeptApart) {
  static Module One("steps"), Two("steps");
  Two.Its.Code[3] = step(Add, 1, 1);
  for (int I = 0; I < 2; ++I) {
    One.call(10);
    Two.call(10);
  }
  const Sums Found = recorded("steps");
  EXPECT_EQ(Found.Calls, 4u);
  EXPECT_EQ(Found.Squares, 240u);
}

Module &handled() {
  static Module Library("signals");
  return Library;
}

/// A signal handler calls the function while its thread adds the work of another call.
TEST_F(Work, OfASignalHandlerIsAddedToo) {
  static volatile sig_atomic_t Handled = 0;
  handled();
  struct sigaction Action = {}, Before;
  Action.sa_handler = [](int) {
    uint64_t Words[2] = {1, 1000};
    __seamscope_add_work_v3(&handled().Its.Site, Words);
    Handled = Handled + 1;
  };
  sigaction(SIGALRM, &Action, &Before);
  const itimerval Often = {{0, 50}, {0, 50}}, Never = {};
  setitimer(ITIMER_REAL, &Often, nullptr);
  uint64_t Calls = 0;
  for (; Handled < 200; ++Calls)
    handled().call(3);
  setitimer(ITIMER_REAL, &Never, nullptr);
  sigaction(SIGALRM, &Before, nullptr);
  const auto Signals = static_cast<uint64_t>(Handled);
  const Sums Found = recorded("signals");
  EXPECT_EQ(Found.Calls, Calls + Signals);
  EXPECT_EQ(Found.Squares, 9 * Calls + 1000000 * Signals);
}

} // namespace
