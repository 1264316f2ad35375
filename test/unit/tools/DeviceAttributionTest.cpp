//===- DeviceAttributionTest.cpp - two steps' time on a device ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "analysis/compare/Attribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

using Events = std::vector<std::string>;

Trace traceWith(const Events &All, const ReadOptions &Keep = {}) {
  return traceOf(fmt::format("[{}]", fmt::join(All, ",\n")), Keep);
}

std::string operatorText(const char *Name, const char *Dims, int64_t Begin, int64_t Duration,
                         int Tid = 1) {
  return eventText("cpu_op", Name, Tid, Begin, Duration,
                   fmt::format(R"("Input Dims": {}, "Input type": [])", Dims));
}

std::string callText(int64_t Begin, int64_t Duration) {
  return eventText("user_annotation", "seamscope.compiled f", 1, Begin, Duration);
}

std::string regionText(int64_t Begin, int64_t Duration) {
  return eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, Begin, Duration);
}

std::string launchText(int64_t Begin, int Correlation, int Tid = 1,
                       const char *Name = "cudaLaunchKernel") {
  return eventText("cuda_runtime", Name, Tid, Begin, 5,
                   fmt::format(R"("correlation": {})", Correlation));
}

std::string workText(const char *Name, int64_t Begin, int64_t Duration, int Correlation,
                     int Stream = 7, const char *Category = "kernel") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": {}, "ts": {}, "dur": {}, )"
      R"("args": {{"device": 0, "stream": {}, "correlation": {}}}}})",
      Category, Name, Stream, Begin, Duration, Stream, Correlation);
}

const PartTimes &part(const StepTimes &Step, StepPart Which) {
  return Step.Of[static_cast<size_t>(Which)];
}

void expectSums(const Attribution &Found) {
  for (const StepTimes &Step : Found.Steps) {
    int64_t Eager = 0, Compiled = 0;
    for (const PartTimes &Each : Step.Of) {
      EXPECT_GE(Each.EagerNs, 0);
      EXPECT_GE(Each.CompiledNs, 0);
      Eager += Each.EagerNs;
      Compiled += Each.CompiledNs;
    }
    EXPECT_EQ(Eager, Step.EagerNs);
    EXPECT_EQ(Compiled, Step.CompiledNs);
  }
}

PlannedCall generated(const Trace &Compiled, std::string_view Name) {
  PlannedCall Call;
  Call.Generated = true;
  Call.Part = StepPart::Fused;
  for (SiteId Id = 0; Id < Compiled.Sites.size(); ++Id)
    if (Compiled.text(Compiled.Sites[Id].Name) == Name)
      Call.Sites.push_back(Id);
  return Call;
}

PlannedCall library(const char *Operator, StepPart Part) {
  PlannedCall Call;
  Call.Operator = Operator;
  Call.Part = Part;
  return Call;
}

/// y = relu(linear(x)) + x: a library's addmm, then one kernel of Triton's.
PlannedGraph linearGraph(const Trace &Compiled) {
  PlannedGraph Graph;
  Graph.Region = "Torch-Compiled Region: 0/0";
  Graph.Calls = {library("aten::addmm", StepPart::MatMul),
                 generated(Compiled, "triton_poi_fused_add_relu_0")};
  Graph.Eager = {{"aten::linear", "[4][4,4][4,4]", 0},
                 {"aten::relu", "[4,4]", 1},
                 {"aten::add", "[4,4][4,4]", 1}};
  return Graph;
}

Events compiledLinear() {
  return {callText(1000, 100),
          eventText("cpu_op", "TorchDynamo Cache Lookup", 1, 1001, 5),
          regionText(1010, 80),
          operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 1015, 30),
          launchText(1020, 11),
          launchText(1050, 12, 1, "cuLaunchKernelEx"),
          workText("sgemm", 1030, 30, 11),
          workText("triton_poi_fused_add_relu_0", 1062, 18, 12)};
}

Events eagerLinear() {
  return {callText(500, 200),
          operatorText("aten::linear", "[[4,4],[4,4],[4]]", 510, 60),
          operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 515, 50),
          launchText(520, 1),
          operatorText("aten::relu", "[[4,4]]", 580, 20),
          launchText(585, 2),
          operatorText("aten::add", "[[4,4],[4,4],[]]", 610, 30),
          launchText(615, 3),
          workText("sgemm", 540, 60, 1),
          workText("relu", 605, 20, 2),
          workText("add", 650, 100, 3)};
}

TEST(DeviceAttribution, TimesAreThoseOfTheDevicesWork) {
  const Trace Compiled = traceWith(compiledLinear());
  const Attribution Found = attribute(Compiled, {linearGraph(Compiled)}, traceWith(eagerLinear()));
  ASSERT_EQ(Found.Steps.size(), 1u);
  EXPECT_TRUE(Found.OnDevice);
  expectSums(Found);
  const StepTimes &Step = Found.Steps[0];
  EXPECT_EQ(Step.EagerNs, 250000) << "the device is done later than the host";
  EXPECT_EQ(Step.CompiledNs, 100000);
  EXPECT_EQ(Step.GuardsNs, 0) << "they may have run while the device worked";
  EXPECT_EQ(part(Step, StepPart::MatMul).EagerNs, 60000);
  EXPECT_EQ(part(Step, StepPart::MatMul).CompiledNs, 30000);
  EXPECT_EQ(part(Step, StepPart::Fused).EagerNs, 120000);
  EXPECT_EQ(part(Step, StepPart::Fused).CompiledNs, 18000);
  EXPECT_EQ(part(Step, StepPart::Fused).Ops, 2u);
  EXPECT_EQ(part(Step, StepPart::Overhead).EagerNs, 25000) << "until the first launch returned";
  EXPECT_EQ(part(Step, StepPart::Idle).EagerNs, 45000);
  EXPECT_EQ(part(Step, StepPart::Overhead).CompiledNs, 45000) << "25 before, 20 behind the work";
  EXPECT_EQ(part(Step, StepPart::Idle).CompiledNs, 7000);
  EXPECT_EQ(sumOf(Found.Unplaced).Calls, 0u);
  const CallTimes *Fused = Found.find(0, 1);
  ASSERT_TRUE(Fused);
  EXPECT_EQ(Fused->CompiledNs, 18000);
  EXPECT_EQ(Fused->EagerNs, 120000);
}

TEST(DeviceAttribution, WithoutADeviceInOneRunTheHostsTimeCountsInBoth) {
  const Trace Compiled = traceWith(compiledLinear());
  const Attribution Found =
      attribute(Compiled, {linearGraph(Compiled)},
                traceWith({callText(500, 200), operatorText("aten::relu", "[[4,4]]", 580, 20)}));
  ASSERT_EQ(Found.Steps.size(), 1u);
  EXPECT_FALSE(Found.OnDevice);
  expectSums(Found);
  EXPECT_EQ(Found.Steps[0].CompiledNs, 100000);
}

TEST(DeviceAttribution, AStepBeginsWhenTheDeviceIsDoneWithTheStepBefore) {
  // The host launches 3 steps before the device is done with the first.
  const auto Run = [](int64_t Each) {
    Events All;
    for (int I = 0; I < 3; ++I) {
      All.push_back(callText(100 + 20 * I, 15));
      All.push_back(operatorText("aten::sort", "[[9]]", 101 + 20 * I, 10));
      All.push_back(launchText(103 + 20 * I, I + 1));
      All.push_back(workText("sort", 110 + Each * I, Each, I + 1));
    }
    return traceWith(All);
  };
  const Attribution Found = attribute(Run(400), {}, Run(500));
  expectSums(Found);
  ASSERT_EQ(Found.Steps.size(), 3u);
  EXPECT_EQ(Found.Steps[0].EagerNs, 510000);
  for (int I = 1; I < 3; ++I) {
    EXPECT_EQ(Found.Steps[I].EagerNs, 500000);
    EXPECT_EQ(Found.Steps[I].CompiledNs, 400000);
    EXPECT_EQ(part(Found.Steps[I], StepPart::Other).CompiledNs, 400000);
  }
}

TEST(DeviceAttribution, WhatRunsAtOnceOnTwoStreamsCountsOnce) {
  const Trace Run =
      traceWith({callText(0, 40), operatorText("aten::sort", "[[9]]", 1, 10), launchText(3, 1),
                 operatorText("aten::mm", "[[4,4],[4,4]]", 12, 10), launchText(14, 2),
                 workText("sort", 20, 50, 1, 7), workText("sgemm", 30, 60, 2, 8),
                 operatorText("aten::sort", "[[8]]", 23, 10), launchText(25, 3),
                 workText("sort", 40, 20, 3, 9)});
  const Attribution Found = attribute(Run, {}, Run);
  expectSums(Found);
  ASSERT_EQ(Found.Steps.size(), 1u);
  EXPECT_EQ(Found.Steps[0].EagerNs, 90000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Other).EagerNs, 50000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::MatMul).EagerNs, 20000);
}

TEST(DeviceAttribution, KernelsOfACudaGraphAreFoundByNameAndOrder) {
  const auto Run = [](const char *Second) {
    return traceWith({callText(0, 40), regionText(1, 30), launchText(5, 1, 1, "cudaGraphLaunch"),
                      workText("triton_poi_fused_0", 20, 10, 1), workText(Second, 31, 20, 1),
                      workText("triton_poi_fused_0", 52, 30, 1)});
  };
  const auto Graphs = [](const Trace &Compiled) {
    PlannedGraph Graph;
    Graph.Region = "Torch-Compiled Region: 0/0";
    Graph.Calls = {generated(Compiled, "triton_poi_fused_0"),
                   generated(Compiled, "triton_red_fused_1"),
                   generated(Compiled, "triton_poi_fused_0")};
    return std::vector<PlannedGraph>{Graph};
  };
  const Trace Same = Run("triton_red_fused_1");
  const Attribution Found = attribute(Same, Graphs(Same), Same);
  expectSums(Found);
  ASSERT_TRUE(Found.find(0, 2));
  EXPECT_EQ(Found.find(0, 0)->CompiledNs, 10000);
  EXPECT_EQ(Found.find(0, 1)->CompiledNs, 20000);
  EXPECT_EQ(Found.find(0, 2)->CompiledNs, 30000);
  // Not the graph that is known: nothing is guessed.
  const Trace Other = Run("sgemm");
  const Attribution Whole = attribute(Other, Graphs(Other), Other);
  expectSums(Whole);
  EXPECT_FALSE(Whole.find(0, 0));
  EXPECT_EQ(part(Whole.Steps[0], StepPart::Unattributed).CompiledNs, 60000);
}

TEST(DeviceAttribution, TheBackwardPassRunsOnAThreadOfItsOwn) {
  const Trace Run = traceWith(
      {callText(0, 100), operatorText("aten::sort", "[[9]]", 1, 10), launchText(3, 1),
       eventText("cpu_op", "autograd::engine::evaluate_function: SortBackward0", 2, 20, 30),
       operatorText("aten::scatter", "[[9]]", 22, 10, 2), launchText(24, 2, 2),
       operatorText("aten::rand", "[[9]]", 30, 10, 3), launchText(32, 3, 3), // a loader's
       workText("sort", 10, 10, 1), workText("scatter", 40, 25, 2), workText("rand", 70, 5, 3)});
  const Attribution Found = attribute(Run, {}, Run);
  expectSums(Found);
  ASSERT_EQ(Found.Steps.size(), 1u);
  EXPECT_EQ(Found.Steps[0].Backward.EagerNs, 25000);
  EXPECT_EQ(Found.Steps[0].Backward.CompiledNs, 25000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Other).CompiledNs, 35000);
}

TEST(DeviceAttribution, AFillWithoutAnOperatorDoesNotHideTheGraph) {
  Events All = compiledLinear();
  All.push_back(launchText(1046, 20, 1, "cudaMemsetAsync"));
  All.push_back(workText("Memset (Device)", 1060, 2, 20, 7, "gpu_memset"));
  const Trace Compiled = traceWith(All);
  const Attribution Found = attribute(Compiled, {linearGraph(Compiled)}, traceWith(eagerLinear()));
  expectSums(Found);
  ASSERT_TRUE(Found.find(0, 1));
  EXPECT_EQ(Found.find(0, 1)->CompiledNs, 18000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Unattributed).CompiledNs, 2000);
}

} // namespace
} // namespace seamscope::tools
