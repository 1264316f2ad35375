//===- KernelLaunchesTest.cpp - every kernel, and what led to it ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/KernelLaunches.h"
#include "TestFile.h"
#include "report/render/TextTable.h"
#include "report/sections/Documents.h"
#include "trace/chrome/ChromeReader.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

const ReadOptions All = {.Autograd = true, .Stacks = true, .Launches = true};

/// An event of the host; times in us.
std::string call(std::string_view Category, std::string_view Name, int Thread, int64_t Begin,
                 int64_t Duration, std::string_view Arguments = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
      Category, Name, Thread, Begin, Duration, Arguments);
}

std::string numbered(int64_t Number, int64_t ForwardThread) {
  return fmt::format(R"("Sequence number": {}, "Fwd thread id": {})", Number, ForwardThread);
}

std::string launch(int Thread, int64_t Begin, int64_t Id) {
  return call("cuda_runtime", "cudaLaunchKernel", Thread, Begin, 1,
              fmt::format(R"("correlation": {})", Id));
}

std::string kernel(std::string_view Name, int64_t Begin, int64_t Id, std::string_view More = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, "ts": {}, "dur": 1, "args": {{"device": 0, "correlation": {}{}}}}})",
      Name, Begin, Id, More);
}

std::string flow(char Phase, int64_t Id, int Thread, int64_t Ns,
                 std::string_view Category = "fwdbwd") {
  return fmt::format(
      R"({{"ph": "{}", "cat": "{}", "name": "fwdbwd", "id": {}, "pid": 1, "tid": {}, "ts": {}}})",
      Phase, Category, Id, Thread, Ns);
}

Trace joined(const std::vector<std::string> &Events, const ReadOptions &Keep = All) {
  return traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")), Keep);
}

std::string nameOf(const Trace &Source, uint32_t Event) {
  return Event == NoEvent ? "none"
                          : std::string(Source.text(Source.Sites[Source.Events.Site[Event]].Name));
}

/// A forward pass, the backward pass on the engine's thread, and an optimizer.
std::vector<std::string> step() {
  return {
      call("user_annotation", "ProfilerStep#1", 1, 0, 300),
      call("python_function", "train.py(10): step", 1, 1, 298, R"("Python id": 1)"),
      call("user_annotation", "block", 1, 2, 80),
      call("python_function", "nn.Module: Linear_0", 1, 3, 70, R"("Python id": 2)"),
      call("python_function", "model.py(20): forward", 1, 4, 68, R"("Python id": 3)"),
      call("cpu_op", "aten::linear", 1, 5, 60, numbered(4, 0)),
      call("cpu_op", "aten::t", 1, 6, 5, numbered(4, 0)),
      call(
          "cpu_op", "aten::addmm", 1, 20, 30,
          numbered(5, 0) +
              R"(, "Input Dims": [[8], [4, 8], [8, 8]], "Input type": ["float", "float", "float"])"),
      launch(1, 22, 1),
      launch(1, 24, 2),
      call("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", 2, 100, 50,
           numbered(5, 1)),
      call("cpu_op", "AddmmBackward0", 2, 102, 30, numbered(5, 1)),
      call("cpu_op", "aten::mm", 2, 104, 10, numbered(9, 0)),
      launch(2, 105, 3),
      call("cpu_op", "aten::sum", 2, 135, 10),
      launch(2, 136, 4),
      call("cpu_op", "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 2, 160,
           20),
      call("cpu_op", "aten::add_", 2, 162, 10),
      launch(2, 163, 5),
      call("cpu_op", "aten::detach", 2, 190, 10),
      launch(2, 191, 6),
      call("user_annotation", "Optimizer.step#SGD.step", 1, 200, 50),
      call("cpu_op", "aten::_foreach_add_", 1, 210, 20),
      launch(1, 212, 7),
      launch(1, 260, 8),
      kernel("first", 30, 1,
             R"(, "grid": [4, 2, 1], "block": [128, 1, 1], "registers per thread": 40)"),
      kernel("second", 32, 2, R"(, "stream": 13)"),
      kernel("mm_bwd", 110, 3),
      kernel("sum_bwd", 140, 4),
      kernel("accumulate", 170, 5),
      kernel("engine", 195, 6),
      kernel("sgd", 220, 7),
      kernel("bare", 270, 8),
      kernel("lost", 271, 99),
  };
}

TEST(KernelLaunches, AStepOfTraining) {
  for (const bool WithFlow : {false, true}) {
    std::vector<std::string> Events = step();
    if (WithFlow) {
      Events.push_back(flow('s', 1, 1, 20));
      Events.push_back(flow('f', 1, 2, 102));
    }
    const Trace Source = joined(Events);
    const KernelLaunches Launches(Source);
    using enum TrainingPart;
    const struct {
      const char *Kernel, *Operator;
      uint32_t Sub;
      TrainingPart Part;
      const char *Forward;
      std::optional<int64_t> Sequence, NodeSequence;
      const char *Line;
    } Expected[] = {
        {"first", "aten::addmm", 0, Forward, "none", 5, {}, "model.py:20"},
        {"second", "aten::addmm", 1, Forward, "none", 5, {}, "model.py:20"},
        {"mm_bwd", "aten::mm", 0, Backward, "aten::addmm", 9, 5, "model.py:20"},
        {"sum_bwd", "aten::sum", 0, Backward, "aten::addmm", 5, {}, "model.py:20"},
        {"accumulate", "aten::add_", 0, Backward, "none", {}, {}, ""},
        {"engine", "aten::detach", 0, Backward, "none", {}, {}, ""},
        {"sgd", "aten::_foreach_add_", 0, Optimizer, "none", {}, {}, "train.py:10"},
        {"bare", "none", 0, Unknown, "none", {}, {}, "train.py:10"},
        {"lost", "none", 0, Unknown, "none", {}, {}, ""},
    };
    ASSERT_EQ(Launches.Rows.size(), std::size(Expected));
    for (size_t I = 0; I < std::size(Expected); ++I) {
      const KernelLaunch &Row = Launches.Rows[I];
      SCOPED_TRACE(Expected[I].Kernel);
      EXPECT_EQ(nameOf(Source, Row.Event), Expected[I].Kernel);
      EXPECT_EQ(nameOf(Source, Row.Operator), Expected[I].Operator);
      EXPECT_EQ(Row.Sub, Expected[I].Sub);
      EXPECT_EQ(Row.Part, Expected[I].Part);
      EXPECT_EQ(nameOf(Source, Row.Forward), Expected[I].Forward);
      EXPECT_EQ(Row.Sequence, Expected[I].Sequence);
      EXPECT_EQ(Row.NodeSequence, Expected[I].NodeSequence);
      EXPECT_EQ(Launches.Stacks.line(Row.Stack), Expected[I].Line);
    }
    for (const size_t I : {0, 2}) {
      PathId Layer = Launches.Rows[I].Layer;
      EXPECT_EQ(Launches.Layers.names(Layer, 9),
                (std::vector<std::string_view>{"block", "Linear_0"}));
    }
    EXPECT_EQ(Launches.Rows[0].Shape.Grid, (std::array<int64_t, 3>{4, 2, 1}));
    EXPECT_EQ(Launches.Rows[0].Shape.Block, (std::array<int64_t, 3>{128, 1, 1}));
    EXPECT_EQ(Launches.Rows[0].Shape.Registers, 40);
    EXPECT_EQ(Launches.Rows[1].Shape.Grid[0], -1);
    EXPECT_EQ(Launches.Rows[1].Shape.Stream, 13);
  }
}

TEST(Directions, OfSeveralOperatorsTheLastBeforeTheNodeMadeIt) {
  const Trace Source = joined({
      call("cpu_op", "aten::to", 1, 0, 5, numbered(7, 0)),
      call("cpu_op", "aten::mse_loss", 1, 10, 5, numbered(7, 0)),
      call("cpu_op", "MseLossBackward0", 2, 20, 5, numbered(7, 1)),
      call("cpu_op", "aten::later", 1, 40, 5, numbered(7, 0)),
  });
  EXPECT_EQ(nameOf(Source, Directions(Source).forwardOf(2)), "aten::mse_loss");
}

TEST(Directions, ANumberOfTwoThreadsProvesNothingUntilAFlowTellsTheThread) {
  std::vector<std::string> Events = {
      call("cpu_op", "aten::one", 1, 0, 5, numbered(7, 0)),
      call("cpu_op", "aten::two", 2, 0, 5, numbered(7, 0)),
      call("cpu_op", "Backward", 3, 20, 5, numbered(7, 2)),
      call("cpu_op", "aten::other", 2, 6, 5, numbered(8, 0)),
      call("cpu_op", "OtherBackward", 3, 30, 5, numbered(8, 2)),
  };
  {
    const Trace Source = joined(Events);
    EXPECT_EQ(Directions(Source).forwardOf(2), NoEvent);
    EXPECT_EQ(nameOf(Source, Directions(Source).forwardOf(4)), "aten::other");
  }
  Events.push_back(flow('s', 5, 2, 6));
  Events.push_back(flow('f', 5, 3, 30));
  const Trace Source = joined(Events);
  EXPECT_EQ(nameOf(Source, Directions(Source).forwardOf(2)), "aten::two");
}

TEST(Directions, FlowsAreProofWithoutNumbers) {
  for (const char *Category : {"fwdbwd", "forward_backward"}) {
    const Trace Source = joined({
        call("cpu_op", "aten::relu", 1, 0, 5),
        call("cpu_op", "ReluBackward0", 2, 20, 9),
        call("cpu_op", "inner", 2, 22, 2),
        flow('s', 5, 1, 0, Category),
        flow('f', 5, 2, 20, Category),
    });
    const Directions Parts(Source);
    EXPECT_EQ(nameOf(Source, Parts.forwardOf(2)), "aten::relu");
    EXPECT_EQ(Parts.partOf(2, true), TrainingPart::Backward);
    EXPECT_EQ(Parts.partOf(0, true), TrainingPart::Forward);
  }
}

TEST(Directions, WhatStandsInsideTheOptimizerDecides) {
  // LBFGS calls for forward and backward passes.
  const Trace Source = joined({
      call("user_annotation", "Optimizer.step#LBFGS.step", 1, 0, 100),
      call("cpu_op", "autograd::engine::evaluate_function: MulBackward0", 1, 20, 30,
           numbered(3, 1)),
      call("cpu_op", "aten::mul", 1, 22, 5),
      call("cpu_op", "aten::add_", 1, 60, 5),
  });
  const Directions Parts(Source);
  EXPECT_EQ(Parts.partOf(2, true), TrainingPart::Backward);
  EXPECT_EQ(Parts.partOf(3, true), TrainingPart::Optimizer);
}

TEST(Directions, FlowsThatLeadNowhereAreNone) {
  const Trace Source = joined({
      call("cpu_op", "a", 1, 10, 5, numbered(1, 0)),
      call("cpu_op", "b", 2, 20, 5),
      flow('f', 1, 2, 20), // no source
      flow('s', 2, 1, 10), // no target
      flow('s', 3, 2, 20),
      flow('f', 3, 2, 20), // to itself
      flow('s', 4, 1, 30),
      flow('f', 4, 2, 20), // back in time
      flow('s', 5, 1, 500),
      flow('f', 5, 2, 600), // at nothing
      flow('s', 6, 9, 1),
      flow('f', 6, 8, 2), // on threads without calls
  });
  const Directions Parts(Source);
  for (uint32_t I = 0; I < Source.Events.size(); ++I) {
    EXPECT_EQ(Parts.forwardOf(I), NoEvent);
    EXPECT_EQ(Parts.partOf(I, true), TrainingPart::Forward);
  }
}

TEST(KernelLaunches, CompiledKernelsOfTheHostWithoutADevice) {
  const Trace Source = joined({
      call("cpu_op", "Torch-Compiled Region: 0/0", 1, 0, 100),
      call("cpu_op", "graph_0_cpp_fused_add_0", 1, 10, 5),
      call("cpu_op", "graph_0_cpp_fused_mul_1", 1, 30, 5),
      call("cpu_op", "aten::mm", 1, 40, 5),
  });
  const KernelLaunches Launches(Source);
  ASSERT_EQ(Launches.Rows.size(), 2u);
  EXPECT_EQ(nameOf(Source, Launches.Rows[1].Operator), "Torch-Compiled Region: 0/0");
  EXPECT_EQ(Launches.Rows[1].Sub, 1u);
  EXPECT_EQ(Launches.Rows[1].Part, TrainingPart::Forward);
  EXPECT_FALSE(Launches.Rows[1].TensorCores);
}

TEST(KernelLaunches, WhatInductorCounted) {
  const Trace Source = joined({
      call("cpu_op", "triton_a", 1, 0, 10,
           R"("kernel_flop": 4096000, "kernel_num_gb": 0.000786432)"),
      launch(1, 1, 1),
      call("cpu_op", "two", 1, 20, 10, R"("kernel_flop": 7)"),
      launch(1, 21, 2),
      launch(1, 23, 3),
      kernel("triton_a", 5, 1),
      kernel("x", 30, 2),
      kernel("y", 32, 3, R"(, "kernel_flop": 2.5e3, "kernel_num_gb": -1)"),
  });
  const KernelLaunches Launches(Source);
  ASSERT_EQ(Launches.Rows.size(), 3u);
  EXPECT_EQ(Launches.Rows[0].Flop, 4096000);
  EXPECT_EQ(Launches.Rows[0].Bytes, 786432);
  EXPECT_EQ(Launches.Rows[1].Flop, 7); // the other has its own
  EXPECT_EQ(Launches.Rows[2].Flop, 2500);
  EXPECT_EQ(Launches.Rows[2].Bytes, std::nullopt);
}

TEST(ReadOptions, OddValuesAreNotKept) {
  const Trace Source = joined({
      kernel("a", 0, 1, R"(, "grid": [1, 2], "block": [1, -2, 3], "stream": -1)"),
      kernel("b", 0, 1, R"(, "grid": "1, 2, 3", "block": [1, 2, 3, 4], "stream": "x")"),
      kernel("c", 0, 1, R"(, "grid": [[1], 2, 3], "block": {"x": 1}, "kernel_flop": "many")"),
      kernel("d", 0, 1, R"(, "grid": [1.5, 2, 3], "kernel_flop": 1e300, "kernel_num_gb": 1e300)"),
      call("cpu_op", "e", 1, 0, 1, R"("Sequence number": 1.5)"),
      call("cpu_op", "f", 1, 0, 1, R"("Sequence number": "12")"),
      call("python_function", "g", 1, 0, 1, R"("Python id": null)"),
      R"({"ph": "s", "cat": "fwdbwd", "id": "x", "pid": 1, "tid": 1, "ts": 1})",
      R"({"ph": "s", "cat": "ac2g", "id": 1, "pid": 1, "tid": 1, "ts": 1})",
  });
  EXPECT_TRUE(Source.Details.Launches.empty());
  EXPECT_TRUE(Source.Details.Frames.empty());
  EXPECT_TRUE(Source.Details.Flows.empty());
  ASSERT_EQ(Source.Details.Sequences.size(), 1u);
  EXPECT_EQ(Source.Details.Sequences[0].Number, 12);
  EXPECT_EQ(Source.Info.SkippedEvents, 0u);
}

TEST(ReadOptions, AFlowWithoutATimeIsSkippedAndReported) {
  const Trace Source =
      joined({R"({"ph": "s", "cat": "fwdbwd", "id": 1, "pid": 1, "tid": 1})",
              R"({"ph": "f", "cat": "fwdbwd", "id": 1, "pid": 1, "tid": 1, "ts": 9e15})",
              R"({"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 1, "dur": 1})"});
  EXPECT_EQ(Source.Info.SkippedEvents, 2u);
  EXPECT_TRUE(Source.Details.Flows.empty());
}

TEST(ReadOptions, ThreadsFindTheSame) {
  std::string Json = "[";
  std::mt19937 Random(3);
  for (int I = 0; I < 30000; ++I) {
    const int64_t At = 10 * I;
    const int Thread = static_cast<int>(Random() % 3);
    Json += call("python_function", fmt::format("m.py({}): f", Random() % 50 + 1), Thread, At, 9,
                 fmt::format(R"("Python id": {}, "Python parent id": {})", I, I - 1)) +
            ",\n" +
            call("cpu_op", "aten::mm", Thread, At + 1, 7,
                 numbered(I, I % 2) +
                     fmt::format(R"(, "Call stack": "c.py({}): g")", Random() % 9 + 1)) +
            ",\n" + flow(I % 2 ? 'f' : 's', I / 2, Thread, At + 1) + ",\n" +
            launch(Thread, At + 2, I) + ",\n" +
            kernel("k", At + 3, I, fmt::format(R"(, "grid": [{}, 1, 1])", I)) + ",\n";
    if (I % 1000 == 0)
      Json += "{ \"broken\": },\n"; // the window is taken again event by event
  }
  Json += kernel("last", 0, -1) + "]";
  ASSERT_GT(Json.size(), size_t{8} << 20); // several windows
  const TestFolder Folder;
  const std::string Path = Folder.file("trace.json", Json);
  std::vector<Trace> Read;
  for (const unsigned Threads : {1, 4}) {
    auto Source = ByteSource::open(Path);
    ASSERT_TRUE(Source);
    ReadOptions Keep = All;
    Keep.Threads = Threads;
    Result<Trace> One = readChromeTrace(**Source, Path, Keep);
    ASSERT_TRUE(One);
    Read.push_back(std::move(*One));
  }
  const EventDetails &A = Read[0].Details, &B = Read[1].Details;
  EXPECT_EQ(A.Sequences.size(), 30000u);
  EXPECT_EQ(A.Flows.size(), 30000u);
  EXPECT_EQ(A.Frames.size(), 30000u);
  EXPECT_EQ(A.Stacks.size(), 30000u);
  EXPECT_EQ(A.Launches.size(), 30000u);
  ASSERT_EQ(A.Stacks.size(), B.Stacks.size());
  for (size_t I = 0; I < A.Stacks.size(); ++I) {
    EXPECT_EQ(A.Stacks[I].Event, B.Stacks[I].Event);
    EXPECT_EQ(Read[0].text(A.Stacks[I].Frames), Read[1].text(B.Stacks[I].Frames));
  }
  std::vector<std::string> Tables;
  for (const Trace &Source : Read) {
    const KernelLaunches Launches(Source);
    LaunchesInput Input{&Source, &Launches, {}, launchColumnNames()};
    for (uint32_t I = 0; I < Launches.Rows.size(); ++I)
      Input.Rows.push_back(I);
    Tables.push_back(rendered(renderJson, launchesDocument(Input)));
  }
  EXPECT_EQ(Tables[0], Tables[1]);
}

TEST(KernelsText, LinesFitAndNumbersAreWhole) {
  const Trace Source = joined(step());
  const KernelLaunches Launches(Source);
  const Document Made = launchesDocument({&Source, &Launches, {0, 2}, launchColumnNames()});
  const size_t Least = leastWidth(*findTable(Made, Made.Main));
  for (size_t Width = Least; Width < Least + 60; ++Width) {
    const std::string Text = rendered(renderText, Made, TextStyle{false, Width});
    for (size_t At = 0; At < Text.size();) {
      const size_t End = Text.find('\n', At);
      EXPECT_LE(End - At, Width);
      At = End + 1;
    }
    EXPECT_NE(Text.find("4,2,1"), std::string::npos);
    EXPECT_NE(Text.find("128,1,1"), std::string::npos);
  }
}

TEST(KernelsText, WhatATerminalWouldObeyIsEscaped) {
  const Trace Source = joined({call("user_annotation", R"(\u001b[31m)", 1, 0, 100),
                               call("python_function", R"(\u001b]0;x(1): f)", 1, 1, 50),
                               call("cpu_op", R"(\u001b[2J)", 1, 2, 30), launch(1, 3, 1),
                               kernel(R"(\u001b[1mk)", 10, 1)});
  const KernelLaunches Launches(Source);
  const Document Made = launchesDocument({&Source, &Launches, {0}, launchColumnNames()});
  for (const std::string &Text : {rendered(renderText, Made, TextStyle{false, 300}),
                                  rendered(renderCsv, Made), rendered(renderJson, Made)})
    EXPECT_EQ(Text.find('\x1b'), std::string::npos) << Text;
}

} // namespace
} // namespace seamscope::tools
