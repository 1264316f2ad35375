//===- AttributionTest.cpp - all of two steps' time, part by part ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Attribution.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace seamscope::tools {
namespace {

using Events = std::vector<std::string>;

Trace traceWith(const Events &All) { return traceOf(fmt::format("[{}]", fmt::join(All, ",\n"))); }

std::string operatorText(const char *Name, const char *Dims, int64_t Begin, int64_t Duration) {
  return eventText("cpu_op", Name, 1, Begin, Duration,
                   fmt::format(R"("Input Dims": {}, "Input type": [])", Dims));
}

std::string callText(int64_t Begin, int64_t Duration, const char *Name = "f") {
  return eventText("user_annotation", fmt::format("seamscope.compiled {}", Name).c_str(), 1, Begin,
                   Duration);
}

std::string waitText(int64_t Begin, int64_t Duration) {
  return eventText("wait", "[thread not running]", 1, Begin, Duration);
}

std::vector<SiteId> sitesOf(const Trace &Input, std::string_view Name) {
  std::vector<SiteId> Sites;
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    if (Input.text(Input.Sites[Id].Name) == Name)
      Sites.push_back(Id);
  return Sites;
}

const PartTimes &part(const StepTimes &Step, StepPart Which) {
  return Step.Of[static_cast<size_t>(Which)];
}

/// y = relu(linear(x)) + x: a library's addmm, then one fused kernel.
PlannedGraph linearGraph(const Trace &Compiled) {
  PlannedGraph Graph;
  Graph.Region = "Torch-Compiled Region: 0/0";
  Graph.Calls.push_back({{}, "aten::addmm", false, StepPart::MatMul});
  Graph.Calls.push_back({sitesOf(Compiled, "cpp_fused_add_relu_0"), "", true, StepPart::Fused});
  Graph.Eager = {{"aten::linear", "[4][4,4][4,4]", 0},
                 {"aten::relu", "[4,4]", 1},
                 {"aten::add", "[4,4][4,4]", 1}};
  return Graph;
}

Trace compiledLinear() {
  return traceWith({callText(1000, 100),
                    eventText("cpu_op", "TorchDynamo Cache Lookup", 1, 1001, 5),
                    eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 1010, 80),
                    operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 1015, 30),
                    operatorText("aten::empty", "[[]]", 1046, 2),
                    eventText("cpu_op", "cpp_fused_add_relu_0", 1, 1050, 20)});
}

TEST(Attribution, BranchesRunAsOftenAsTheCompiledStepRanThem) {
  const auto Kernel = [](const char *Name, int64_t Begin) {
    return eventText("cpu_op", Name, 1, Begin, 5);
  };
  const Trace Compiled = traceWith({callText(1000, 100),
                                    eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 1005, 90),
                                    Kernel("cpp_fused_first", 1010), Kernel("cpp_fused_if", 1020),
                                    Kernel("cpp_fused_else", 1030), Kernel("cpp_fused_else", 1040),
                                    Kernel("cpp_fused_last", 1050)});
  const auto Op = [](const char *Name, int64_t Begin, int64_t Duration) {
    return operatorText(Name, "[[4,4]]", Begin, Duration);
  };
  const Trace Eager =
      traceWith({callText(500, 200), Op("aten::sum", 510, 1), Op("aten::relu", 520, 2),
                 Op("aten::exp", 530, 10), Op("aten::relu", 540, 20), Op("aten::exp", 562, 10),
                 Op("aten::relu", 574, 20), Op("aten::sin", 600, 40)});
  PlannedGraph Graph;
  Graph.Region = "Torch-Compiled Region: 0/0";
  for (const char *Name : {"cpp_fused_if", "cpp_fused_else", "cpp_fused_first", "cpp_fused_last"})
    Graph.Calls.push_back({sitesOf(Compiled, Name), "", true, StepPart::Fused});
  Graph.Calls[0].Branch = 0;
  Graph.Calls[1].Branch = 1;
  const std::string Shapes = "[4,4]";
  Graph.Eager = {{"aten::sum", Shapes, 2}, {"aten::sin", Shapes, 3}};
  Graph.EagerNodes = {0, 9};
  Graph.Branches = {{{{"aten::relu", Shapes, 0}}, {1}, {}},
                    {{{"aten::exp", Shapes, 1}, {"aten::relu", Shapes, 1}}, {2, 3}, {}}};
  Graph.Runs[1] = {0, 1};
  const Attribution Found = attribute(Compiled, {Graph}, Eager);
  ASSERT_EQ(Found.Steps.size(), 1u);
  EXPECT_TRUE(Found.Unplaced.empty());
  const int64_t Wanted[] = {2'000, 60'000, 1'000, 40'000};
  for (uint32_t Call = 0; Call < 4; ++Call) {
    ASSERT_TRUE(Found.find(0, Call));
    EXPECT_EQ(Found.find(0, Call)->EagerNs, Wanted[Call]) << Call;
    EXPECT_EQ(Found.find(0, Call)->CompiledNs, Call == 1 ? 10'000 : 5'000);
  }
}

TEST(Attribution, CallsThatShareAnOperatorHaveNoRatioOfTheirOwn) {
  const Trace Compiled = compiledLinear();
  // relu takes 1 us in eager mode: alone the kernel were 20 times slower.
  const Trace Eager =
      traceWith({callText(500, 200), operatorText("aten::linear", "[[4,4],[4,4],[4]]", 510, 60),
                 operatorText("aten::relu", "[[4,4]]", 580, 1)});
  PlannedGraph Graph = linearGraph(Compiled);
  Graph.Eager.pop_back();
  const auto Times = [&](uint32_t Call) {
    const Attribution Found = attribute(Compiled, {Graph}, Eager);
    EXPECT_TRUE(Found.find(0, Call));
    return Found.Calls[0][Call];
  };
  EXPECT_TRUE(Times(1).compares());
  EXPECT_TRUE(Times(1).isSlower());
  Graph.Shared = {{1, 0, 1}}; // the library's call does a part of relu
  for (const uint32_t Call : {0, 1}) {
    EXPECT_FALSE(Times(Call).compares());
    EXPECT_FALSE(Times(Call).isSlower());
    EXPECT_EQ(Times(Call).Groups, (std::set<std::pair<uint32_t, uint32_t>>{{0, 0}}));
  }
  CallTimes Both = Times(0);
  Both.add(Times(1));
  EXPECT_EQ(Both.EagerNs, 61'000);
  EXPECT_EQ(Both.CompiledNs, 50'000);
  // Where the eager run has the parts one by one, each is its call's alone.
  Graph.Eager[1].Name = "aten::other";
  Graph.Inside[1] = {{"aten::relu", "[4,4]", 1}};
  EXPECT_TRUE(Times(0).compares());
  EXPECT_TRUE(Times(1).compares());
}

TEST(Attribution, ABackwardPassBetweenCallsMakesTurnsOfThem) {
  const auto Run = [](int64_t Scale, int Turns) {
    Events All;
    for (int64_t I = 0; I < Turns; ++I) {
      const int64_t At = 1000 * Scale * I;
      All.push_back(callText(At, 100 * Scale));
      All.push_back(
          eventText("cpu_op", "autograd::engine::evaluate_function: X", 1, At + 200, 300 * Scale));
    }
    return traceWith(All);
  };
  const Trace Compiled = Run(1, 5);
  const Attribution Found = attribute(Compiled, {}, Run(2, 5));
  EXPECT_EQ(Found.By, StepsBy::Turn);
  ASSERT_EQ(Found.Steps.size(), 4u);
  EXPECT_EQ(Found.Steps[0].CompiledNs, 1'000'000);
  EXPECT_EQ(Found.Steps[0].EagerNs, 2'000'000);
  EXPECT_EQ(Found.Steps[0].Backward.EagerNs, 600'000);
  // Too few calls in one of them.
  EXPECT_EQ(attribute(Compiled, {}, Run(2, 2)).By, StepsBy::Call);
}

TEST(Attribution, OneStepOfALinearLayer) {
  const Trace Compiled = compiledLinear();
  const Trace Eager =
      traceWith({callText(500, 200), operatorText("aten::linear", "[[4,4],[4,4],[4]]", 510, 60),
                 operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 515, 50),
                 operatorText("aten::relu", "[[4,4]]", 580, 20),
                 operatorText("aten::add", "[[4,4],[4,4],[]]", 610, 30)});
  const Attribution Found = attribute(Compiled, {linearGraph(Compiled)}, Eager);
  ASSERT_EQ(Found.Steps.size(), 1u);
  const StepTimes &Step = Found.Steps[0];
  EXPECT_EQ(Step.Name, "f");
  EXPECT_EQ(Step.EagerNs, 200000);
  EXPECT_EQ(Step.CompiledNs, 100000);
  EXPECT_EQ(Step.GuardsNs, 5000);
  EXPECT_EQ(part(Step, StepPart::MatMul).EagerNs, 60000);
  EXPECT_EQ(part(Step, StepPart::MatMul).CompiledNs, 30000);
  EXPECT_EQ(part(Step, StepPart::Fused).EagerNs, 50000);
  EXPECT_EQ(part(Step, StepPart::Fused).CompiledNs, 20000);
  EXPECT_EQ(part(Step, StepPart::Fused).Ops, 2u);
  EXPECT_EQ(part(Step, StepPart::Other).CompiledNs, 2000);
  EXPECT_EQ(part(Step, StepPart::Overhead).EagerNs, 90000);
  EXPECT_EQ(part(Step, StepPart::Overhead).CompiledNs, 48000);
  EXPECT_EQ(Step.InCompiledNs, 48000);
  EXPECT_EQ(Step.BetweenGraphsNs, 0);
  EXPECT_EQ(sumOf(Found.Unplaced).Calls, 0u);
  const CallTimes *Fused = Found.find(0, 1);
  ASSERT_TRUE(Fused);
  EXPECT_EQ(Fused->Calls, 1u);
  EXPECT_EQ(Fused->EagerNs, 50000);
  EXPECT_EQ(Fused->Ops.at({"aten::relu", "[4,4]"}).Proven, 1u);
  EXPECT_FALSE(Found.find(0, 2));
  EXPECT_FALSE(Found.find(1, 0));
}

TEST(Attribution, TracesOfOneProcessAreOfOneRun) {
  Trace Compiled = compiledLinear();
  Trace Eager = traceWith({callText(500, 200)});
  Compiled.Info.BaseNs = Eager.Info.BaseNs = 0; // not known
  EXPECT_FALSE(attribute(Compiled, {linearGraph(Compiled)}, Eager).OneRun);
  Compiled.Info.BaseNs = 1795636877914044850;
  Eager.Info.BaseNs = 1795636877914044851;
  EXPECT_FALSE(attribute(Compiled, {linearGraph(Compiled)}, Eager).OneRun);
  Eager.Info.BaseNs = Compiled.Info.BaseNs;
  const Attribution Found = attribute(Compiled, {linearGraph(Compiled)}, Eager);
  EXPECT_TRUE(Found.OneRun);
  EXPECT_TRUE(Found.find(0, 1)->Paired.isOfOneRun());
}

TEST(Attribution, WaitsOutsideOfOperatorsAreIdleTime) {
  const Trace Run =
      traceWith({callText(1000, 100), operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 1015, 30),
                 operatorText("aten::empty", "[[]]", 1046, 2),
                 operatorText("aten::relu", "[[]]", 1050, 20), waitText(400, 10), // before the step
                 waitText(990, 15),     // 5 of it in the step
                 waitText(1040, 12),    // 1 and 2 of it outside of operators
                 waitText(1055, 5),     // inside of one
                 waitText(1062, 18),    // 10 behind one
                 waitText(1078, 4),     // 2 that no other wait has
                 waitText(1090, 200)}); // 10 in the step
  const Attribution Found = attribute(Run, {}, Run);
  ASSERT_EQ(Found.Steps.size(), 1u);
  const PartTimes &Idle = part(Found.Steps[0], StepPart::Idle);
  EXPECT_EQ(Idle.EagerNs, 30000);
  EXPECT_EQ(Idle.CompiledNs, 30000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Overhead).EagerNs, 18000);
}

TEST(Attribution, AnEagerOperatorThatNothingExpectsIsShownAsSuch) {
  const Trace Compiled = compiledLinear();
  const Trace Eager = traceWith(
      {callText(500, 200), operatorText("aten::linear", "[[4,4],[4,4],[4]]", 510, 60),
       operatorText("aten::sort", "[[9]]", 571, 7), operatorText("aten::relu", "[[4,4]]", 580, 20),
       operatorText("aten::add", "[[4,4],[4,4],[]]", 610, 30)});
  const Attribution Found = attribute(Compiled, {linearGraph(Compiled)}, Eager);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Unattributed).EagerNs, 7000);
  EXPECT_EQ(sumOf(Found.Unplaced).Calls, 1u);
  EXPECT_EQ(sumOf(Found.Unplaced).Ns, 7000);
}

TEST(Attribution, AKernelOfNoKnownGraphIsShownAsSuch) {
  const Trace Compiled = compiledLinear();
  const Attribution Found = attribute(Compiled, {}, traceWith({callText(0, 50)}));
  EXPECT_EQ(part(Found.Steps[0], StepPart::Unattributed).CompiledNs, 20000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::MatMul).CompiledNs, 30000);
}

TEST(Attribution, ALibrarysCallWithoutAnEventIsUnknownTimeOnBothSides) {
  // As linearGraph(), and a product behind the kernel; torch's dispatcher sees neither product.
  const Trace Compiled = traceWith({callText(1000, 100), waitText(1015, 10),
                                    eventText("cpu_op", "TorchDynamo Cache Lookup", 1, 1001, 5),
                                    eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 1010, 80),
                                    operatorText("aten::empty", "[[]]", 1030, 2),
                                    eventText("cpu_op", "cpp_fused_add_relu_0", 1, 1050, 20)});
  const Trace Eager =
      traceWith({callText(500, 200), operatorText("aten::linear", "[[4,4],[4,4],[4]]", 510, 60),
                 operatorText("aten::relu", "[[4,4]]", 580, 20),
                 operatorText("aten::add", "[[4,4],[4,4],[]]", 610, 30),
                 operatorText("aten::mm", "[[4,4],[4,4]]", 650, 7)});
  PlannedGraph Graph = linearGraph(Compiled);
  Graph.Calls.push_back({{}, "aten::mm", false, StepPart::MatMul});
  Graph.Eager.push_back({"aten::mm", "[4,4][4,4]", 2});
  const Attribution Found = attribute(Compiled, {Graph}, Eager);
  const StepTimes &Step = Found.Steps[0];
  // From the code's begin to its end, without the allocation and the kernel.
  EXPECT_EQ(part(Step, StepPart::Unknown).CompiledNs, 58000);
  EXPECT_EQ(part(Step, StepPart::Unknown).EagerNs, 67000);
  EXPECT_EQ(part(Step, StepPart::Unknown).Ops, 2u);
  EXPECT_EQ(part(Step, StepPart::MatMul).EagerNs, 0);
  EXPECT_EQ(part(Step, StepPart::Fused).EagerNs, 50000);
  EXPECT_EQ(part(Step, StepPart::Fused).CompiledNs, 20000);
  EXPECT_EQ(part(Step, StepPart::Idle).CompiledNs, 0) << "the product may have waited itself";
  EXPECT_EQ(part(Step, StepPart::Overhead).CompiledNs, 20000);
  EXPECT_EQ(Found.WithoutEvent,
            (std::map<std::string, uint64_t>{{"aten::addmm", 1}, {"aten::mm", 1}}));
}

TEST(Attribution, OnlyTheStretchAroundACallWithoutAnEventIsUnknown) {
  Trace Compiled = traceWith({callText(1000, 100),
                              eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 1010, 80),
                              operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 1015, 10),
                              eventText("cpu_op", "cpp_fused_add_relu_0", 1, 1030, 10),
                              eventText("cpu_op", "cpp_fused_add_relu_0", 1, 1060, 10)});
  PlannedGraph Graph = linearGraph(Compiled);
  Graph.Calls.push_back({{}, "aten::mm", false, StepPart::MatMul});
  Graph.Calls.push_back(Graph.Calls[1]);
  const Attribution Found = attribute(Compiled, {Graph}, traceWith({callText(0, 50)}));
  EXPECT_EQ(part(Found.Steps[0], StepPart::Unknown).CompiledNs, 20000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Overhead).CompiledNs, 50000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::MatMul).CompiledNs, 10000);
}

TEST(Attribution, CodeOfNoKnownGraphIsUnknownTime) {
  const Trace Compiled = traceWith({callText(1000, 100),
                                    eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 1010, 80),
                                    eventText("cpu_op", "Torch-Compiled Region: 1/0", 1, 1020, 40),
                                    operatorText("aten::sort", "[[4]]", 1030, 10)});
  const Attribution Found = attribute(Compiled, {}, traceWith({callText(0, 50)}));
  // Around other compiled code stands Python.
  EXPECT_EQ(part(Found.Steps[0], StepPart::Unknown).CompiledNs, 30000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Overhead).CompiledNs, 60000);
}

TEST(Attribution, OperatorsOutsideOfGraphsStandBesideTheSame) {
  const Trace Compiled = traceWith({callText(0, 100), operatorText("aten::sort", "[[9]]", 10, 40)});
  const Trace Eager = traceWith({callText(0, 90), operatorText("aten::sort", "[[9]]", 10, 50)});
  const Attribution Found = attribute(Compiled, {}, Eager);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Other).EagerNs, 50000);
  EXPECT_EQ(part(Found.Steps[0], StepPart::Other).CompiledNs, 40000);
  EXPECT_EQ(sumOf(Found.Unplaced).Calls, 0u);
}

TEST(Attribution, WhatAProgramDoesBetweenCallsIsNotOfThem) {
  const Trace Run =
      traceWith({eventText("user_annotation", "ProfilerStep#0", 1, 0, 200), callText(10, 100),
                 operatorText("aten::sort", "[[9]]", 50, 20), waitText(80, 5),
                 operatorText("aten::sort", "[[9]]", 150, 30), // of the loss, say
                 eventText("cpu_op", "CompiledFunctionBackward", 1, 185, 10)});
  const StepTimes Step = attribute(Run, {}, Run).Steps.at(0);
  EXPECT_EQ(part(Step, StepPart::Other).CompiledNs, 50000);
  EXPECT_EQ(Step.BetweenGraphsNs, 20000);
  EXPECT_EQ(part(Step, StepPart::Overhead).CompiledNs + part(Step, StepPart::Unknown).CompiledNs,
            200000 - 50000 - 5000);
  EXPECT_EQ(Step.InCompiledNs + part(Step, StepPart::Unknown).CompiledNs, 100000 - 25000 + 10000);
}

TEST(Attribution, OperatorsOfABackwardPassGoToTheKernelsOfTheirNodesGradients) {
  const auto Node = [](const char *Name, int64_t Number, int64_t Begin, int64_t Duration) {
    return eventText("cpu_op", fmt::format("autograd::engine::evaluate_function: {}", Name).c_str(),
                     1, Begin, Duration,
                     fmt::format(R"("Sequence number": {}, "Fwd thread id": 1)", Number));
  };
  const auto Maker = [](const char *Name, const char *Dims, int64_t Number, int64_t Begin,
                        int64_t Duration) {
    return eventText("cpu_op", Name, 1, Begin, Duration,
                     fmt::format(R"("Input Dims": {}, "Input type": [], "Sequence number": {},
                                    "Fwd thread id": 0)",
                                 Dims, Number));
  };
  const auto Step = [](int64_t Duration) {
    return eventText("user_annotation", "ProfilerStep#0", 1, 0, Duration);
  };
  const Trace Compiled = traceWith(
      {Step(300), eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 10, 80),
       operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 15, 30),
       eventText("cpu_op", "cpp_fused_add_relu_0", 1, 50, 20),
       operatorText("aten::sort", "[[4,4]]", 95, 5), Node("CompiledFunctionBackward", 7, 100, 90),
       eventText("cpu_op", "CompiledFunctionBackward", 1, 105, 80),
       eventText("cpu_op", "cpp_fused_threshold_1", 1, 110, 11),
       operatorText("aten::mm", "[[4,4],[4,4]]", 130, 22)});
  std::vector<PlannedGraph> Graphs = {linearGraph(Compiled), {}};
  Graphs[0].EagerNodes = {3, 4, 5};
  Graphs[0].Backward = 1;
  Graphs[1].Region = CompiledBackward;
  Graphs[1].Calls = {{sitesOf(Compiled, "cpp_fused_threshold_1"), "", true, StepPart::Fused},
                     {{}, "aten::mm", false, StepPart::MatMul}};
  Graphs[1].ForNode = {{3, {{"aten::mm", "[4,4][4,4]", 1}}}, {4, {{"aten::where", "[4,4]", 0}}}};
  const Events EagerEvents = {
      Step(500), Maker("aten::linear", "[[4,4],[4,4],[4]]", 20, 10, 60),
      Maker("aten::addmm", "[[4],[4,4],[4,4]]", 21, 15, 50),
      Maker("aten::relu", "[[4,4]]", 22, 80, 20),
      Maker("aten::add", "[[4,4],[4,4],[]]", 23, 110, 30),
      Maker("aten::sort", "[[4,4]]", 24, 145, 5),
      // The gradient of what is not compiled is nobody's; nor has this compiled node one.
      Node("SortBackward0", 24, 160, 20), operatorText("aten::scatter", "[[4,4]]", 165, 9),
      Node("AddBackward0", 23, 180, 20), operatorText("aten::neg", "[[4,4]]", 185, 3),
      Node("ReluBackward0", 22, 200, 40),
      operatorText("aten::threshold_backward", "[[4,4],[4,4]]", 205, 31),
      Node("AddmmBackward0", 21, 250, 90), operatorText("aten::t", "[[4,4]]", 255, 2),
      operatorText("aten::mm", "[[4,4],[4,4]]", 260, 70), Node("TBackward0", 20, 345, 9),
      operatorText("aten::t", "[[4,4]]", 346, 4),
      eventText("cpu_op", "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 1,
                360, 20),
      eventText("cpu_op", "torch::autograd::AccumulateGrad", 1, 365, 8)};
  const Trace Eager =
      traceOf(fmt::format("[{}]", fmt::join(EagerEvents, ",\n")), {.Autograd = true});
  const Attribution Found = attribute(Compiled, Graphs, Eager);
  ASSERT_EQ(Found.Steps.size(), 1u);
  const StepTimes &Times = Found.Steps[0];
  EXPECT_EQ(part(Times, StepPart::MatMul).CompiledNs, 52000);
  EXPECT_EQ(part(Times, StepPart::MatMul).EagerNs, 60000 + 2000 + 70000 + 4000);
  EXPECT_EQ(part(Times, StepPart::Fused).CompiledNs, 31000);
  EXPECT_EQ(part(Times, StepPart::Fused).EagerNs, 50000 + 31000);
  EXPECT_EQ(part(Times, StepPart::Other).CompiledNs, 5000);
  EXPECT_EQ(part(Times, StepPart::Other).EagerNs, 5000 + 9000 + 8000);
  EXPECT_EQ(part(Times, StepPart::Unattributed).EagerNs, 3000);
  EXPECT_EQ(Found.Unplaced.at({"aten::neg", "[4,4]"}).Calls, 1u);
  EXPECT_EQ(Times.Backward.CompiledNs, 90000);
  EXPECT_EQ(Times.Backward.EagerNs, 20000 + 20000 + 40000 + 90000 + 9000 + 20000);
  const CallTimes *Threshold = Found.find(1, 0), *Product = Found.find(1, 1);
  ASSERT_TRUE(Threshold && Product);
  EXPECT_EQ(Threshold->EagerNs, 31000);
  EXPECT_EQ(Product->Ops.at({"aten::mm", "[4,4][4,4]"}).Proven, 1u);
}

TEST(Attribution, StepsWithCompilationAndSlowFirstOnesAreLeftOut) {
  Events Compiled = {eventText("user_annotation", "seamscope.compile", 1, 10, 500)};
  Events Eager;
  const int64_t Fast[] = {1000, 90, 20, 20, 21, 20, 19, 20};
  for (int64_t I = 0; I < 8; ++I) {
    Compiled.push_back(callText(2000 * I, Fast[I]));
    Eager.push_back(callText(2000 * I, 40));
  }
  const Attribution Found = attribute(traceWith(Compiled), {}, traceWith(Eager));
  EXPECT_EQ(Found.Compiling.Steps, 1u);
  EXPECT_EQ(Found.Compiling.CompiledNs, 1000000);
  EXPECT_EQ(Found.CompilingNs, 500000);
  EXPECT_EQ(Found.WarmUp.Steps, 1u);
  EXPECT_EQ(Found.WarmUp.CompiledNs, 90000);
  EXPECT_EQ(Found.Steps.size(), 6u);
}

TEST(Attribution, WarmUpOfOneFunctionIsThatOfTheProgram) {
  // Calls of g before f's last slow one are left out with it; h is called but once, before.
  Events Compiled, Eager;
  for (int64_t I = 0; I < 8; ++I) {
    Compiled.push_back(callText(2000 * I, I < 3 ? 90 - I : 20, "f"));
    Compiled.push_back(callText(2000 * I + 500, 30, "g"));
    Eager.push_back(callText(2000 * I, 40, "f"));
    Eager.push_back(callText(2000 * I + 500, 50, "g"));
  }
  Compiled.push_back(callText(1000, 30, "h"));
  Eager.push_back(callText(1000, 30, "h"));
  const Attribution Found = attribute(traceWith(Compiled), {}, traceWith(Eager));
  std::map<std::string, int> Steps;
  for (const StepTimes &Step : Found.Steps)
    ++Steps[Step.Name];
  EXPECT_EQ(Steps, (std::map<std::string, int>{{"f", 5}, {"g", 6}, {"h", 1}}));
  EXPECT_EQ(Found.WarmUp.Steps, 5u);
}

TEST(Attribution, OperatorsInsideOfAFunctionOfPythonGoToTheirCalls) {
  const Trace Compiled =
      traceWith({callText(0, 300), eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 10, 80),
                 operatorText("aten::addmm", "[[4],[4,4],[4,4]]", 15, 10),
                 operatorText("aten::_flash", "[[4,4],[4,4],[4,4]]", 25, 10),
                 operatorText("aten::mm", "[[4,4],[4,4]]", 35, 10)});
  Events Inside = {callText(0, 300),
                   operatorText("aten::linear", "[[4,4],[4,4],[4]]", 10, 20),
                   operatorText("aten::contiguous", "[[4,4]]", 32, 5),
                   operatorText("aten::scaled_dot_product_attention", "[[4,4]]", 40, 30),
                   operatorText("aten::clone", "[[4,4]]", 80, 7),
                   operatorText("aten::linear", "[[4,4],[4,4]]", 90, 3)};
  std::vector<PlannedGraph> Graphs(1);
  Graphs[0].Region = "Torch-Compiled Region: 0/0";
  Graphs[0].Calls = {{{}, "aten::addmm", false, StepPart::MatMul},
                     {{}, "aten::_flash", false, StepPart::Attention},
                     {{}, "aten::mm", false, StepPart::MatMul}};
  Graphs[0].Eager = {{"aten::multi_head_attention_forward", std::nullopt, 0}};
  Graphs[0].EagerNodes = {7};
  Graphs[0].Inside[0] = {{"aten::linear", "[4][4,4][4,4]", 0},
                         {"aten::scaled_dot_product_attention", "[4,4][4,4][4,4]", 1},
                         {"aten::linear", "[4,4][4,4]", 2}};
  const Attribution Found = attribute(Compiled, Graphs, traceWith(Inside));
  const StepTimes &Step = Found.Steps.at(0);
  EXPECT_EQ(part(Step, StepPart::Attention).EagerNs, 30000);
  EXPECT_EQ(part(Step, StepPart::MatMul).EagerNs, 20000 + 3000);
  EXPECT_EQ(part(Step, StepPart::Other).EagerNs, 5000 + 7000);
  EXPECT_EQ(Found.find(0, 0)->EagerNs, 20000);
  EXPECT_EQ(Found.find(0, 1)->EagerNs, 30000);
  EXPECT_EQ(Found.find(0, 2)->EagerNs, 3000);
  EXPECT_EQ(sumOf(Found.Unplaced).Calls, 0u);
  // Where there is an operator of that name it is that one, whatever it calls.
  Inside[1] = operatorText("aten::multi_head_attention_forward", "[[4,4]]", 10, 20);
  EXPECT_EQ(attribute(Compiled, Graphs, traceWith(Inside)).find(0, 0)->EagerNs, 20000);
}

TEST(Attribution, ARegionWhoseGraphsCallNothingIsOverhead) {
  const Trace Compiled =
      traceWith({callText(0, 300), eventText("cpu_op", "Torch-Compiled Region: 1/0", 1, 10, 80)});
  const Trace Eager = traceWith({callText(0, 300)});
  std::vector<PlannedGraph> Graphs(1);
  const auto Unknown = [&] {
    return part(attribute(Compiled, Graphs, Eager).Steps.at(0), StepPart::Unknown).CompiledNs;
  };
  Graphs[0].Region = "Torch-Compiled Region: 0/0";
  EXPECT_EQ(Unknown(), 80000) << "no graph is known of it";
  Graphs[0].Region = "Torch-Compiled Region: 1/0";
  EXPECT_EQ(Unknown(), 0);
  Graphs.push_back(Graphs[0]);
  Graphs[1].Calls = {{{}, "aten::mm", false, StepPart::MatMul}};
  EXPECT_EQ(Unknown(), 80000) << "its call left no event";
}

TEST(Attribution, StepsAreThoseOfTheProgramWhereItMarksThem) {
  const auto Steps = [](int64_t Ns) {
    Events All;
    for (int64_t I = 0; I < 4; ++I) {
      All.push_back(
          eventText("user_annotation", fmt::format("ProfilerStep#{}", I).c_str(), 1, 1000 * I, Ns));
      All.push_back(callText(1000 * I + 1, 10));
      All.push_back(eventText("cpu_op", "autograd::engine::evaluate_function: AddBackward0", 1,
                              1000 * I + 20, 30));
      All.push_back(eventText("user_annotation", "Optimizer.step#SGD.step", 1, 1000 * I + 60, 5));
    }
    return traceWith(All);
  };
  const Attribution Found = attribute(Steps(100), {}, Steps(200));
  EXPECT_EQ(Found.By, StepsBy::Mark);
  ASSERT_EQ(Found.Steps.size(), 4u);
  EXPECT_EQ(Found.Steps[0].EagerNs, 200000);
  EXPECT_EQ(Found.Steps[0].Backward.CompiledNs, 30000);
}

TEST(Attribution, CallsInsideOfCallsAreNoSteps) {
  const Trace Both = traceWith(
      {callText(0, 100, "outer"), callText(10, 20, "inner"), callText(200, 100, "outer")});
  const Attribution Found = attribute(Both, {}, Both);
  EXPECT_EQ(Found.Steps.size(), 2u);
  EXPECT_EQ(Found.Unpaired, 0u);
}

/// Random nests of whatever can stand in a step.
Events randomRun(std::mt19937 &Random, unsigned Steps) {
  const auto Up = [&](int64_t Least, int64_t Most) {
    return std::uniform_int_distribution<int64_t>(Least, Most)(Random);
  };
  static constexpr const char *Names[] = {"aten::addmm",
                                          "aten::relu",
                                          "cpp_fused_add_relu_0",
                                          "cpp_fused_mul_1",
                                          "Torch-Compiled Region: 0/0",
                                          "autograd::engine::evaluate_function: X",
                                          "TorchDynamo Cache Lookup",
                                          "CompiledFunction",
                                          "CompiledFunctionBackward",
                                          "seamscope.compiled f"};
  Events All;
  for (unsigned I = 0; I < Steps; ++I) {
    const int64_t Begin = 10000 * I, Length = Up(0, 900);
    All.push_back(callText(Begin, Length));
    for (int64_t Left = Up(0, 12); Left; --Left) {
      // Some reach out of the step, as clocks and cut traces have it.
      const int64_t From = Begin + Up(-5, Length);
      All.push_back(
          eventText("cpu_op", Names[Up(0, 9)], 1, From, Up(0, 200),
                    fmt::format(R"("Input Dims": {}, "Input type": [], "Sequence number": {},
                         "Fwd thread id": {})",
                                Up(0, 1) ? "[[4,4]]" : "[[4],[4,4],[4,4]]", Up(1, 4), Up(0, 1))));
      if (Up(0, 1))
        All.push_back(waitText(Begin + Up(-20, Length), Up(0, 100)));
    }
  }
  return All;
}

TEST(Attribution, AlwaysAddsUp) {
  std::mt19937 Random(11);
  for (unsigned Round = 0; Round < 200; ++Round) {
    const unsigned Steps = 1 + Random() % 5;
    const Trace Compiled = traceWith(randomRun(Random, Steps));
    const Trace Eager = traceOf(fmt::format("[{}]", fmt::join(randomRun(Random, Steps), ",\n")),
                                {.Autograd = true});
    std::vector<PlannedGraph> Graphs = {linearGraph(Compiled), {}};
    Graphs[0].EagerNodes = {1, 2, 3};
    Graphs[0].Backward = 1;
    Graphs[1].Region = CompiledBackward;
    Graphs[1].Calls = {{sitesOf(Compiled, "cpp_fused_mul_1"), "", true, StepPart::Fused},
                       {{}, "aten::addmm", false, StepPart::MatMul}};
    Graphs[1].ForNode = {{1, {{"aten::addmm", "[4,4]", 1}}}, {2, {{"aten::mul", "[4,4]", 0}}}};
    const Attribution Found = attribute(Compiled, Graphs, Eager);
    int64_t EagerNs = 0, CompiledNs = 0, CallsNs = 0, OpsNs = 0;
    for (const StepTimes &Step : Found.Steps) {
      PartTimes Sum;
      for (const PartTimes &Part : Step.Of) {
        EXPECT_GE(Part.EagerNs, 0);
        EXPECT_GE(Part.CompiledNs, 0);
        Sum.EagerNs += Part.EagerNs;
        Sum.CompiledNs += Part.CompiledNs;
      }
      EXPECT_EQ(Sum.EagerNs, Step.EagerNs);
      EXPECT_EQ(Sum.CompiledNs, Step.CompiledNs);
      EagerNs += Step.EagerNs;
      CompiledNs += Step.CompiledNs;
    }
    for (const auto &Calls : Found.Calls)
      for (const CallTimes &Times : Calls) {
        CallsNs += Times.CompiledNs;
        int64_t Ops = 0;
        for (const auto &[Name, Op] : Times.Ops)
          Ops += Op.Ns;
        EXPECT_EQ(Ops, Times.EagerNs);
        OpsNs += Ops;
      }
    EXPECT_LE(CallsNs, CompiledNs);
    EXPECT_LE(OpsNs + sumOf(Found.Unplaced).Ns, EagerNs);
  }
}

TEST(Attribution, OperatorsAndTheirParts) {
  EXPECT_EQ(partOfOperator("aten::addmm"), StepPart::MatMul);
  EXPECT_EQ(partOfOperator("mkldnn::_linear_pointwise"), StepPart::MatMul);
  EXPECT_EQ(partOfOperator("aten::conv2d"), StepPart::MatMul);
  EXPECT_EQ(partOfOperator("aten::_scaled_dot_product_flash_attention_for_cpu"),
            StepPart::Attention);
  EXPECT_EQ(partOfOperator("aten::softmax"), StepPart::Other);
  EXPECT_TRUE(isView("aten::transpose"));
  EXPECT_FALSE(isView("aten::add"));
}

} // namespace
} // namespace seamscope::tools
