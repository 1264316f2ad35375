//===- WorkTest.cpp - whose work is whose, and kernels' parts of it --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Work.h"
#include "TestFile.h"
#include "analysis/devices/WholeWork.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

constexpr const char *Product =
    R"("Input Dims": [[2, 3], [3, 4]], "Input type": ["float", "float"])";
constexpr const char *Linear =
    R"("Input Dims": [[2, 3], [4, 3], []], "Input type": ["float", "float", ""])";
constexpr const char *Pointwise = R"("Input Dims": [[8]], "Input type": ["float"])";

struct Computed {
  Trace Source;
  std::vector<Origin> Links;
  TraceWork Work;
  explicit Computed(const std::vector<std::string> &Events)
      : Source(traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")))), Links(linkWork(Source)),
        Work(Source, Links, DType::Unknown) {}
};

TEST(Work, NothingIsCountedTwice) {
  const Computed C({
      eventText("cpu_op", "aten::linear", 1, 0, 100, Linear),
      eventText("cpu_op", "aten::t", 1, 5, 5),
      eventText("cpu_op", "aten::mm", 1, 20, 60, Product), // linear's work is this one's
      eventText("cpu_op", "aten::relu", 1, 30, 10, Pointwise),
      eventText("cpu_op", "aten::linear", 1, 200, 50, Linear), // calls nothing: does it itself
      eventText("cpu_op", "aten::t", 1, 205, 5),
      eventText("cpu_op", "aten::relu", 1, 300, 10, Pointwise),
  });
  EXPECT_EQ(C.Work.total().flop(), 48 + 48 + 8);
  EXPECT_EQ(C.Work.of(0).Flop, std::nullopt);
  EXPECT_EQ(C.Work.of(2).Flop, 48);
  EXPECT_EQ(C.Work.of(3).Flop, std::nullopt);
  EXPECT_EQ(C.Work.of(4).Flop, 48);
  EXPECT_EQ(C.Work.of(6).Flop, 8);
}

TEST(Work, TheWholeWorkOfACallHasAllOperatorsInsideIt) {
  const Computed C({
      eventText("cpu_op", "aten::linear", 1, 0, 100, Linear),
      eventText("cpu_op", "aten::t", 1, 5, 5),
      eventText("cpu_op", "aten::mm", 1, 20, 60, Product),
      eventText("cpu_op", "mine::both", 1, 200, 100), // without a formula
      eventText("cpu_op", "aten::relu", 1, 210, 10, Pointwise),
      eventText("user_annotation", "part", 1, 230, 40),
      eventText("cpu_op", "aten::mm", 1, 240, 20, Product),
      eventText("cpu_op", "mine::both", 1, 400, 100),
      eventText("cpu_op", "aten::relu", 1, 410, 10, Pointwise),
      eventText("cpu_op", "mine::mystery", 1, 430, 10),
      eventText("cpu_op", "aten::relu", 1, 600, 10), // shapes were not recorded
  });
  const auto Whole = wholeWork(C.Source, C.Work);
  ASSERT_TRUE(Whole[0]);
  EXPECT_EQ(Whole[0]->Flop, 48);
  EXPECT_EQ(Whole[0]->Bytes, 4 * (6 + 12 + 8));
  ASSERT_TRUE(Whole[3]);
  EXPECT_EQ(Whole[3]->Flop, 8 + 48);
  EXPECT_EQ(Whole[3]->Bytes, 4 * (8 + 8) + 4 * (6 + 12 + 8));
  EXPECT_FALSE(Whole[7]);
  EXPECT_TRUE(Whole[8]);
  EXPECT_FALSE(Whole[9]);
  EXPECT_FALSE(Whole[10]);
}

TEST(Work, ASumThatDoesNotFitHasNoCalls) {
  WholeWorkSum Sum;
  Sum.add({INT64_MAX, 1});
  EXPECT_EQ(Sum.Calls, 1u);
  Sum.add({1, 1});
  EXPECT_EQ(Sum.Calls, 0u);
}

std::string launch(int64_t Id, int64_t Begin) {
  return eventText("cuda_runtime", "cudaLaunchKernel", 1, Begin, 1,
                   fmt::format("\"correlation\": {}", Id));
}

std::string kernel(const char *Name, int64_t Id, int64_t Begin, int64_t Duration,
                   const char *More = "") {
  return eventText("kernel", Name, 7, Begin, Duration,
                   fmt::format("\"device\": 0, \"correlation\": {}{}", Id, More));
}

TEST(Work, KernelsOfOneOperatorShareIt) {
  const Computed C({
      eventText("cpu_op", "aten::mm", 1, 0, 100, Product),
      launch(1, 10),
      launch(2, 20),
      launch(3, 30),
      eventText("cpu_op", "aten::relu", 1, 200, 100, Pointwise),
      launch(4, 210),
      launch(5, 220),
      launch(6, 230),
      kernel("ampere_sgemm_32x32_tn", 1, 1000, 20),
      kernel("ampere_sgemm_64x32_tn", 2, 1100, 10),
      kernel("splitKreduce_helper", 3, 1200, 70), // multiplies nothing
      kernel("a", 4, 1300, 10),
      kernel("b", 5, 1400, 30),
      kernel("c", 6, 1500, 10, R"(, "kernel_flop": 1000, "kernel_num_gb": 1e-6)"),
  });
  std::vector<std::optional<int64_t>> Flop, Bytes;
  for (const Origin &Link : C.Links) {
    Flop.push_back(C.Work.of(Link.Work).Flop);
    Bytes.push_back(C.Work.of(Link.Work).Bytes);
  }
  using Figures = std::vector<std::optional<int64_t>>;
  EXPECT_EQ(Flop, (Figures{32, 16, std::nullopt, 2, 6, 1000}));
  EXPECT_EQ(Bytes, (Figures{69, 35, std::nullopt, 16, 48, 1000}));
}

TEST(Work, SumsKnowOfHowManyCalls) {
  const Computed C({
      eventText("cpu_op", "aten::relu", 1, 0, 100, Pointwise),
      eventText("cpu_op", "aten::relu", 1, 200, 300),
  });
  const WorkSum *Sum = C.Work.ofOperator(C.Source.Sites[C.Source.Events.Site[0]].Name);
  ASSERT_TRUE(Sum);
  EXPECT_EQ(Sum->flopCalls(), 1u);
  EXPECT_EQ(Sum->flop(), 8);
  EXPECT_DOUBLE_EQ(*Sum->flopPerSecond(), 8e9 / 100e3);
  EXPECT_DOUBLE_EQ(*Sum->intensity(), 8.0 / 64);
}

TEST(Work, SumsThatDoNotFitAreNotKnown) {
  WorkSum Sum;
  Sum.add({INT64_MAX, 1}, 1);
  EXPECT_TRUE(Sum.flop());
  Sum.add({1, 1}, 1);
  EXPECT_FALSE(Sum.flop());
  EXPECT_FALSE(Sum.flopPerSecond());
  EXPECT_EQ(Sum.bytes(), 2);
}

/// A call of a fused kernel that reads one tensor of 8 floats, and writes another one.
constexpr const char *FusedArguments =
    R"("Input Dims": [[1], [8], [8], []], "Input type": ["float", "float", "float", "Scalar"], )"
    R"("Concrete Inputs": ["", "", "", "8"])";

TEST(Work, BestSourceOfAFusedKernel) {
  constexpr const char *Name = "triton_poi_fused_add_0";
  const auto WorkOf = [&](const char *More, bool HasGraph) {
    const Trace Source = traceOf(fmt::format(
        "[{}]",
        fmt::join(std::vector<std::string>{eventText("cpu_op", Name, 1, 0, 100, FusedArguments),
                                           launch(1, 10), kernel(Name, 1, 1000, 20, More)},
                  ",\n")));
    const std::vector<Origin> Links = linkWork(Source);
    FusedWorkBySite Graph;
    if (HasGraph)
      Graph[Source.Events.Site[Links.at(0).Work]] = {.Flop = 16, .Bytes = 96};
    return TraceWork(Source, Links, DType::Unknown, std::move(Graph)).of(Links.at(0).Work);
  };
  const char *Recorded = R"(, "kernel_flop": 1000, "kernel_num_gb": 1e-6)";
  const CallWork First = WorkOf(Recorded, true), Second = WorkOf("", true),
                 Third = WorkOf("", false);
  EXPECT_EQ(First.Flop, 1000);
  EXPECT_EQ(First.Bytes, 1000);
  EXPECT_EQ(First.FlopSource, WorkSource::Recorded);
  EXPECT_EQ(First.BytesSource, WorkSource::Recorded);
  EXPECT_EQ(Second.Flop, 16);
  EXPECT_EQ(Second.Bytes, 96);
  EXPECT_EQ(Second.FlopSource, WorkSource::Graph);
  EXPECT_EQ(Third.Flop, std::nullopt);
  EXPECT_EQ(Third.FlopSource, WorkSource::None);
  EXPECT_EQ(Third.Bytes, 4 + 32 + 32);
  EXPECT_EQ(Third.BytesSource, WorkSource::Formula);
}

TEST(Work, OneSourceForEachFigure) {
  constexpr const char *Name = "triton_poi_fused_add_0";
  const Computed C({
      eventText("cpu_op", Name, 1, 0, 100, FusedArguments),
      launch(1, 10),
      kernel(Name, 1, 1000, 20, R"(, "kernel_flop": 1000)"),
  });
  const CallWork Work = C.Work.of(C.Links.at(0).Work);
  EXPECT_EQ(Work.FlopSource, WorkSource::Recorded);
  EXPECT_EQ(Work.BytesSource, WorkSource::Formula);
}

TEST(Work, OtherKernelsOfAFusedCallGetNothing) {
  constexpr const char *Name = "triton_poi_fused_add_0";
  const auto Bytes = [&](const char *First, const char *Second) {
    const Computed C({
        eventText("cpu_op", Name, 1, 0, 100, FusedArguments),
        launch(1, 10),
        launch(2, 20),
        kernel(First, 1, 1000, 20),
        kernel(Second, 2, 1100, 20),
    });
    return std::pair(C.Work.of(C.Links.at(0).Work).Bytes, C.Work.of(C.Links.at(1).Work).Bytes);
  };
  EXPECT_EQ(Bytes("memset", Name), std::pair(std::optional<int64_t>(), std::optional<int64_t>(68)));
  // A tuner tried several.
  EXPECT_EQ(Bytes(Name, Name), std::pair(std::optional<int64_t>(), std::optional<int64_t>()));
}

TEST(Work, ReasonsOfAFusedKernel) {
  constexpr const char *Name = "triton_poi_fused_add_0";
  const Computed C({
      eventText("cpu_op", Name, 1, 0, 100, FusedArguments),
      launch(1, 10),
      kernel(Name, 1, 1000, 20),
  });
  const auto *Why =
      C.Work.unknownOf(C.Source.Sites[C.Source.Events.Site[C.Links.at(0).Work]].Name, 0);
  ASSERT_TRUE(Why);
  EXPECT_EQ(*Why,
            std::set<std::string>{"FLOPs: its name lists an operator once, however often it runs"});
}

} // namespace
} // namespace seamscope::tools
