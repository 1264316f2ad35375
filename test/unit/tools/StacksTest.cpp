//===- StacksTest.cpp - files of viewers of stacks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Stacks.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace seamscope::tools {
namespace {

StackCalls callsOf(std::vector<StackCalls::Call> Calls, std::vector<StackFrame> Frames) {
  StackCalls Of;
  Of.Threads = {"main (1)", "thread 2"};
  Of.Frames = std::move(Frames);
  Of.Ids = Of.Count = Calls.size();
  Of.At = [Calls](size_t Number) { return Calls[Number]; };
  return Of;
}

constexpr uint32_t None = StackCalls::NoCall;

TEST(FoldedStacks, EqualStacksAreOneLine) {
  const StackCalls Of =
      callsOf({{0, None, 0, 0, 10}, {1, 0, 0, 1, 5}, {2, 0, 0, 1, 7}, {3, None, 1, 1, 1}},
              {{"outer", {}}, {"in;ner\n", {}}});
  EXPECT_EQ(rendered(renderFolded, Of), "main (1);outer 10\n"
                                        "main (1);outer;in:ner\\n 12\n"
                                        "thread 2;in:ner\\n 1\n");
}

TEST(FoldedStacks, CallsWithoutTimeOfTheirOwnHaveNoLine) {
  EXPECT_EQ(rendered(renderFolded,
                     callsOf({{0, None, 0, 0, 0}, {1, 0, 0, 1, 3}}, {{"a", {}}, {"b", {}}})),
            "main (1);a;b 3\n");
}

TEST(FoldedStacks, DeepCallsCountToTheDeepestFrame) {
  std::vector<StackCalls::Call> Calls;
  for (uint32_t I = 0; I < 2 * MostFrames; ++I)
    Calls.push_back({I, I ? I - 1 : None, 0, 0, 1});
  const std::string Text = rendered(renderFolded, callsOf(Calls, {{"f", {}}}));
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(Text, '\n')), MostFrames);
  EXPECT_TRUE(Text.ends_with(" 1001\n")) << Text.substr(Text.size() - 20);
}

TEST(Speedscope, LanesAreProfilesOfBeginsAndEnds) {
  StackLanes Of;
  Of.Name = "k.json";
  Of.Frames = {{"f", "f.c", 3, 5}, {"g", {}}};
  StackLanes::Lane &Lane = Of.Lanes.emplace_back();
  Lane.Name = "thread 1";
  Lane.EndNs = 9;
  Lane.Visit = [](const auto &Visit) {
    Visit({true, 0, 0});
    Visit({true, 1, 2});
    Visit({false, 1, 4});
    Visit({false, 0, 9});
  };
  const auto Written = nlohmann::json::parse(rendered(renderSpeedscope, Of));
  EXPECT_EQ(Written["name"], "k.json");
  EXPECT_EQ(Written["shared"]["frames"],
            nlohmann::json::parse(
                R"([{"name": "f", "file": "f.c", "line": 3, "col": 5}, {"name": "g"}])"));
  EXPECT_EQ(Written["profiles"], nlohmann::json::parse(R"([{"type": "evented", "name": "thread 1",
      "unit": "nanoseconds", "startValue": 0, "endValue": 9, "events": [
      {"type": "O", "frame": 0, "at": 0}, {"type": "O", "frame": 1, "at": 2},
      {"type": "C", "frame": 1, "at": 4}, {"type": "C", "frame": 0, "at": 9}]}])"));
}

} // namespace
} // namespace seamscope::tools
