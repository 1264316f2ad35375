//===- PythonStacksTest.cpp - the Python code that led to a call ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/PythonStacks.h"
#include "TestFile.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

std::string call(std::string_view Category, std::string_view Name, int64_t Begin, int64_t Duration,
                 std::string_view Arguments = "", int Thread = 1) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
      Category, Name, Thread, Begin, Duration, Arguments);
}

std::string frame(std::string_view Name, int64_t Begin, int64_t Duration, int Id,
                  std::string_view Parent = "null") {
  return call("python_function", Name, Begin, Duration,
              fmt::format(R"("Python id": {}, "Python parent id": {})", Id, Parent));
}

Trace joined(const std::vector<std::string> &Events) {
  return traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")), {.Stacks = true});
}

uint32_t eventOf(const Trace &Source, std::string_view Name) {
  for (uint32_t I = 0; I < Source.Events.size(); ++I)
    if (Source.text(Source.Sites[Source.Events.Site[I]].Name) == Name)
      return I;
  ADD_FAILURE() << Name;
  return 0;
}

TEST(PythonStacks, FrameNames) {
  const PythonFrameName Frame = parseFrameName("a/b (1).py(12): for(x)ward");
  EXPECT_EQ(Frame.File, "a/b (1).py");
  EXPECT_EQ(Frame.Line, 12u);
  EXPECT_EQ(Frame.Function, "for(x)ward");
  for (const char *Name : {"<built-in function len>", "nn.Module: Linear_0", "", "(1): x", "f(): x",
                           "f(-1): x", "f(1x): x", "f(99999999999): x", "f(1)"}) {
    EXPECT_EQ(parseFrameName(Name).File, "") << Name;
    EXPECT_EQ(parseFrameName(Name).Function, Name);
  }
}

TEST(PythonStacks, UserFiles) {
  for (const char *File : {"model.py", "src/torch_model.py", "/home/me/torch/x.py",
                           "transformers/models/bert/modeling_bert.py"})
    EXPECT_TRUE(isUserFile(File)) << File;
  for (const char *File : {"", "torch/nn/modules/module.py", "threading.py", "<string>",
                           "<frozen runpy>", "/usr/lib/python3.11/runpy.py",
                           "/opt/x/site-packages/torch/_ops.py", "/tmp/torchinductor_me/ab/cab.py",
                           "cache/jl/cjlwomtlkygcea4vtb4nggre5obgkt7wv3vapsj5ey6gttk3gacy.py"})
    EXPECT_FALSE(isUserFile(File)) << File;
}

TEST(PythonStacks, FramesAroundACall) {
  const Trace Source = joined({
      frame("train.py(30): main", 0, 100, 1),
      frame("model.py(7): forward", 10, 50, 2, "1"),
      frame("torch/nn/functional.py(9): linear", 12, 40, 3, "2"),
      frame("<built-in function linear>", 13, 30, 4, "3"),
      call("cpu_op", "aten::linear", 14, 20),
      call("cpu_op", "elsewhere", 14, 20, "", 2),
  });
  const PythonStacks Stacks(Source, nestHost(Source));
  const PathId Stack = Stacks.of(eventOf(Source, "aten::linear"));
  EXPECT_EQ(Stacks.line(Stack), "model.py:7");
  EXPECT_EQ(Stacks.frame(Stack), "model.py:7: forward");
  EXPECT_EQ(Stacks.path(Stack), "train.py:30: main > model.py:7: forward > "
                                "torch/nn/functional.py:9: linear > <built-in function linear>");
  EXPECT_EQ(Stacks.of(eventOf(Source, "elsewhere")), 0u);
  EXPECT_EQ(Stacks.of(NoEvent), 0u);
  EXPECT_EQ(Stacks.line(0), "");
  EXPECT_EQ(Stacks.path(0), "");
}

TEST(PythonStacks, WithoutTheUsersCodeTheInnermostFileIsShown) {
  const Trace Source = joined({frame("torch/a.py(1): f", 0, 9, 1),
                               frame("torch/b.py(2): g", 1, 7, 2), call("cpu_op", "op", 2, 3)});
  const PythonStacks Stacks(Source, nestHost(Source));
  EXPECT_EQ(Stacks.line(Stacks.of(eventOf(Source, "op"))), "torch/b.py:2");
}

TEST(PythonStacks, ACallersNumberGoesBeforeItsTimes) {
  // The inner frame seems to end 5 us after its caller.
  const Trace Source =
      joined({frame("a.py(1): main", 0, 10, 1), frame("b.py(2): inner", 4, 11, 2, "1"),
              call("cpu_op", "op", 12, 1)});
  const PythonStacks Stacks(Source, nestHost(Source));
  EXPECT_EQ(Stacks.path(Stacks.of(eventOf(Source, "op"))), "a.py:1: main > b.py:2: inner");
}

TEST(PythonStacks, TextsAtOperators) {
  const Trace Source = joined({
      call(
          "cpu_op", "aten::linear", 0, 20,
          R"("Call stack": "torch/f.py(3): linear;model.py(2): forward; \r\n train.py(1): main;")"),
      call("cpu_op", "aten::addmm", 2, 5, R"("Call stack": "")"),
      call("cpu_op", "after", 30, 5, R"("Call stack": "")"),
  });
  const PythonStacks Stacks(Source, nestHost(Source));
  const PathId Stack = Stacks.of(eventOf(Source, "aten::addmm"));
  EXPECT_EQ(Stacks.path(Stack), "train.py:1: main > model.py:2: forward > torch/f.py:3: linear");
  EXPECT_EQ(Stacks.line(Stack), "model.py:2");
  EXPECT_EQ(Stacks.of(eventOf(Source, "after")), 0u);
}

TEST(PythonStacks, NotKeptUnlessAskedFor) {
  const Trace Source = traceOf("[" + frame("a.py(1): f", 0, 10, 1) + "," +
                               call("cpu_op", "op", 1, 2, R"("Call stack": "b.py(1): f")") + "]");
  EXPECT_TRUE(Source.Details.Frames.empty());
  EXPECT_TRUE(Source.Details.Stacks.empty());
}

TEST(PythonStacks, AnyNumbersAndTimesGiveFiniteStacks) {
  std::mt19937 Random(11);
  for (int Round = 0; Round < 300; ++Round) {
    std::vector<std::string> Events;
    const unsigned Span = Round % 2 ? 6 : 60; // many at one moment
    for (int I = 0; I < 40; ++I) {
      const auto Number = [&] { return static_cast<int>(Random() % 12); };
      Events.push_back(frame(fmt::format("f.py({}): f", Number() + 1), Random() % Span,
                             Random() % Span, Number(), fmt::to_string(Number())));
      Events.push_back(call("cpu_op", "op", Random() % Span, Random() % Span));
    }
    const Trace Source = joined(Events);
    const HostNesting Nesting = nestHost(Source);
    // Parents come first, so that there is no ring of them.
    std::vector<bool> Seen(Source.Events.size());
    for (const uint32_t Event : Nesting.Order) {
      if (Nesting.Parent[Event] != NoEvent) {
        EXPECT_TRUE(Seen[Nesting.Parent[Event]]);
        EXPECT_LE(Source.Events.BeginNs[Nesting.Parent[Event]], Source.Events.BeginNs[Event]);
        EXPECT_GE(Source.Events.endNs(Nesting.Parent[Event]), Source.Events.BeginNs[Event]);
      }
      Seen[Event] = true;
    }
    EXPECT_EQ(Nesting.Order.size(), Source.Events.size());
    const PythonStacks Stacks(Source, Nesting);
    for (uint32_t I = 0; I < Source.Events.size(); ++I)
      EXPECT_LE(Stacks.path(Stacks.of(I)).size(), 40 * 20u);
  }
}

} // namespace
} // namespace seamscope::tools
