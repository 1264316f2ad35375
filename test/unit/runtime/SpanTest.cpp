//===- SpanTest.cpp - calls that somebody else timed, and the mirror ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/spans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

const int Environment = setenv("SEAMSCOPE_OUT", SEAMSCOPE_TEST_FOLDER "/span-exit-%p.json", 1);

/// All that was recorded so far, of one writing: the next one knows the clock better by a ns.
nlohmann::json recorded() {
  const std::string Path = SEAMSCOPE_TEST_FOLDER "/spans.json";
  EXPECT_EQ(seamscope_flush(Path.c_str()), SEAMSCOPE_OK);
  std::ifstream File(Path);
  return nlohmann::json::parse(File)["traceEvents"];
}

std::vector<nlohmann::json> eventsNamed(const std::string &Name,
                                        const nlohmann::json &Among = recorded()) {
  std::vector<nlohmann::json> Events;
  for (const auto &Event : Among)
    if (Event["name"] == Name)
      Events.push_back(Event);
  return Events;
}

uint32_t operatorNamed(const char *Name, const char *Dims = nullptr) {
  const SeamscopeSpanSite Site = {SEAMSCOPE_SITE_OPERATOR, Name, Dims, nullptr, nullptr, nullptr};
  return seamscope_span_site(&Site);
}

SeamscopeSpan spanOf(uint32_t Site, uint64_t Ticks = 100) {
  const uint64_t Now = seamscope_now();
  return {Now, Now + Ticks, Site, 0, -1, 0, 0};
}

/// An instrumented library, made by hand.
struct Module {
  struct {
    SeamscopeSite Site;
    char Name[8];
  } Kernel = {};
  uint32_t Gate = 0;
  SeamscopeModule Table = {
      SEAMSCOPE_ABI_VERSION, sizeof(SeamscopeSite), &Kernel.Site, &Kernel.Site + 1, &Gate, nullptr};

  Module() {
    Kernel.Site.kind = SEAMSCOPE_SITE_KERNEL;
    Kernel.Site.name = sizeof(SeamscopeSite);
    strcpy(Kernel.Name, "kernel");
    __seamscope_register_v3(&Table);
  }
};
Module Library;

/// What the mirror was notified of.
std::vector<std::string> Notified;
const SeamscopeMirror Mirror = {
    [](const SeamscopeSite *, const char *Name, const void *) { Notified.emplace_back(Name); },
    [](const void *) { Notified.emplace_back("end"); }};

class Spans : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_TRACE), SEAMSCOPE_OK); }
  void TearDown() override {
    seamscope_mirror_thread(0);
    seamscope_set_mirror(nullptr);
    Notified.clear();
  }
};

/// Not inlined: a frame of the same function says nothing of what is dead.
__attribute__((noinline)) void kernel() {
  SeamscopeFrame Frame;
  __seamscope_enter_v3(&Library.Kernel.Site, &Frame);
  if (Frame.outer)
    __seamscope_exit_v3(&Frame);
}

TEST_F(Spans, SayWhatIsKnownOfTheInputs) {
  const SeamscopeSpanSite Site = {SEAMSCOPE_SITE_OPERATOR,  "aten::known", "[[2,3],[]]",
                                  "[\"float\",\"Scalar\"]", "[[3,1],[]]",  "[\"\",\"1\"]"};
  const uint32_t Id = seamscope_span_site(&Site);
  EXPECT_EQ(seamscope_span_site(&Site), Id);
  EXPECT_NE(operatorNamed("aten::known"), Id);
  const SeamscopeSpan Span = spanOf(Id);
  seamscope_span(&Span);
  const auto Events = eventsNamed("aten::known");
  ASSERT_EQ(Events.size(), 1u);
  EXPECT_EQ(Events[0]["cat"], "cpu_op");
  EXPECT_EQ(Events[0]["args"].dump(),
            R"({"Concrete Inputs":["","1"],"Input Dims":[[2,3],[]],"Input Strides":[[3,1],[]],)"
            R"("Input type":["float","Scalar"]})");
}

TEST_F(Spans, WhatIsNoArrayOrTooLongIsLeftOut) {
  const std::string Long = "[" + std::string(200 * 1024, '1') + "]";
  for (const char *Dims : {"[1,", "{}", Long.c_str()}) {
    const SeamscopeSpan Span = spanOf(operatorNamed("aten::left_out", Dims));
    seamscope_span(&Span);
  }
  const auto Events = eventsNamed("aten::left_out");
  ASSERT_EQ(Events.size(), 3u);
  for (const auto &Event : Events)
    EXPECT_TRUE(Event["args"].empty());
}

TEST_F(Spans, OtherKindsAndNoNameAreNoSites) {
  EXPECT_EQ(operatorNamed(""), 0u);
  EXPECT_EQ(operatorNamed(nullptr), 0u);
  const SeamscopeSpanSite Kernel = {SEAMSCOPE_SITE_KERNEL, "k", nullptr, nullptr, nullptr, nullptr};
  EXPECT_EQ(seamscope_span_site(&Kernel), 0u);
  EXPECT_EQ(seamscope_span_site(nullptr), 0u);
}

TEST_F(Spans, WaitsHaveACategoryOfTheirOwn) {
  const SeamscopeSpanSite Site = {
      SEAMSCOPE_SITE_WAIT, "[waits]", nullptr, nullptr, nullptr, nullptr};
  const SeamscopeSpan Span = spanOf(seamscope_span_site(&Site));
  seamscope_span(&Span);
  const auto Events = eventsNamed("[waits]");
  ASSERT_EQ(Events.size(), 1u);
  EXPECT_EQ(Events[0]["cat"], "wait");
}

TEST_F(Spans, TheLastEndIsThatOfTheLastCallOfTheThread) {
  const uint32_t Site = operatorNamed("aten::last");
  size_t Known = 0;
  constexpr size_t Count = 5000; // of several blocks
  for (size_t I = 0; I < Count; ++I) {
    // Some too long for one record, some with a record of their own before them.
    SeamscopeSpan Span = spanOf(Site, I % 5 ? 100 + I : (uint64_t{3} << 32) + I);
    Span.sequence = I % 3 ? -1 : static_cast<int64_t>(I);
    seamscope_span(&Span);
    if (const uint64_t Last = seamscope_last_end()) {
      EXPECT_EQ(Last, Span.end) << I;
      ++Known;
    }
  }
  EXPECT_GT(Known, Count * 9 / 10);
  kernel();
  const uint64_t Before = seamscope_last_end();
  kernel();
  EXPECT_GT(seamscope_last_end(), Before);
  EXPECT_LE(seamscope_last_end(), seamscope_now());
  std::thread([] { EXPECT_EQ(seamscope_last_end(), 0u); }).join();
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_PROFILE), SEAMSCOPE_OK);
  EXPECT_EQ(seamscope_last_end(), 0u);
}

TEST_F(Spans, AllAreThereOverManyBlocks) {
  const uint32_t Site = operatorNamed("aten::many");
  constexpr int Count = 20000;
  for (int I = 0; I < Count; ++I) {
    SeamscopeSpan Span = spanOf(Site);
    Span.sequence = I % 3 ? I : -1;
    seamscope_span(&Span);
  }
  const auto Events = eventsNamed("aten::many");
  ASSERT_EQ(Events.size(), size_t{Count});
  for (int I = 0; I < Count; ++I)
    ASSERT_EQ(Events[I]["args"].value("Sequence number", -1), I % 3 ? I : -1);
}

TEST_F(Spans, BelongToTheThreadTheyBeganOn) {
  const SeamscopeSpan Mine = spanOf(operatorNamed("aten::mine"));
  seamscope_span(&Mine);
  SeamscopeSpan Span = spanOf(operatorNamed("aten::elsewhere"), uint64_t{3} << 32);
  Span.thread = seamscope_thread();
  std::thread([&] {
    seamscope_span(&Span);
    const SeamscopeSpan Its = spanOf(operatorNamed("aten::its"));
    seamscope_span(&Its);
  }).join();
  const auto Elsewhere = eventsNamed("aten::elsewhere");
  ASSERT_EQ(Elsewhere.size(), 1u);
  EXPECT_EQ(Elsewhere[0]["tid"], eventsNamed("aten::mine")[0]["tid"]);
  EXPECT_GT(Elsewhere[0]["dur"], 1e5);
  EXPECT_NE(eventsNamed("aten::its")[0]["tid"], Elsewhere[0]["tid"]);
}

TEST_F(Spans, ForwardAndBackwardAreLinkedOverThreads) {
  SeamscopeSpan Forward = spanOf(operatorNamed("aten::forward"));
  Forward.sequence = 12345;
  Forward.framework_thread = 77;
  seamscope_span(&Forward);
  std::thread([] {
    SeamscopeSpan Backward = spanOf(operatorNamed("Backward0"));
    Backward.sequence = 12345;
    Backward.forward_thread = 77;
    Backward.framework_thread = 78;
    seamscope_span(&Backward);
  }).join();
  const nlohmann::json All = recorded();
  const auto Ends = eventsNamed("fwdbwd", All);
  ASSERT_EQ(Ends.size(), 2u);
  EXPECT_EQ(Ends[0]["id"], Ends[1]["id"]);
  for (const auto &End : Ends) {
    const auto Calls = eventsNamed(End["ph"] == "s" ? "aten::forward" : "Backward0", All);
    ASSERT_EQ(Calls.size(), 1u);
    EXPECT_EQ(End["ts"], Calls[0]["ts"]);
    EXPECT_EQ(End["tid"], Calls[0]["tid"]);
  }
}

TEST_F(Spans, ProfileSumsThem) {
  ASSERT_EQ(seamscope_set_mode(SEAMSCOPE_PROFILE), SEAMSCOPE_OK);
  const uint32_t Site = operatorNamed("aten::summed");
  for (int I = 0; I < 10; ++I) {
    SeamscopeSpan Span = spanOf(Site);
    Span.sequence = I;
    seamscope_span(&Span);
  }
  const std::string Path = SEAMSCOPE_TEST_FOLDER "/span-profile.json";
  ASSERT_EQ(seamscope_flush(Path.c_str()), SEAMSCOPE_OK);
  std::ifstream File(Path);
  const auto Trace = nlohmann::json::parse(File);
  uint64_t Calls = 0;
  for (const auto &Row : Trace["seamscope"]["profile"])
    if (Row["name"] == "aten::summed")
      Calls += Row["calls"].get<uint64_t>();
  EXPECT_EQ(Calls, 10u);
}

TEST_F(Spans, TheMirrorIsNotifiedOnThreadsThatAsk) {
  const size_t Before = eventsNamed("kernel").size();
  ASSERT_EQ(seamscope_set_mirror(&Mirror), SEAMSCOPE_OK);
  kernel();
  EXPECT_TRUE(Notified.empty());
  seamscope_mirror_thread(1);
  kernel();
  std::thread(kernel).join();
  EXPECT_EQ(Notified, (std::vector<std::string>{"kernel", "end"}));
  seamscope_mirror_thread(0);
  kernel();
  EXPECT_EQ(Notified.size(), 2u);
  EXPECT_EQ(eventsNamed("kernel").size(), Before + 4);
  const SeamscopeMirror Half = {Mirror.begin, nullptr};
  EXPECT_EQ(seamscope_set_mirror(&Half), SEAMSCOPE_ERROR_ARGUMENT);
}

TEST_F(Spans, TheMirrorIsNotifiedOfEveryEnd) {
  ASSERT_EQ(seamscope_set_mirror(&Mirror), SEAMSCOPE_OK);
  seamscope_mirror_thread(1);
  // Nested, the outer one begun while the mirror looks, the inner one not.
  SeamscopeFrame Outer;
  __seamscope_enter_v3(&Library.Kernel.Site, &Outer);
  EXPECT_TRUE(seamscope_in_kernel());
  seamscope_mirror_thread(0);
  kernel();
  seamscope_mirror_thread(1);
  kernel();
  __seamscope_exit_v3(&Outer);
  EXPECT_FALSE(seamscope_in_kernel());
  EXPECT_EQ(Notified, (std::vector<std::string>{"kernel", "kernel", "end", "end"}));
}

} // namespace
