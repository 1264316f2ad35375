//===- CompiledTest.cpp - compiled regions, steps, graph breaks ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Compiled.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

CompiledView viewOf(const std::vector<std::string> &Events) {
  const Trace Source = traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")));
  return compiledView(Source, linkWork(Source));
}

TEST(Compiled, AStepWithABreak) {
  const Trace Source = traceOf(fmt::format(
      "[{}]", fmt::join(
                  std::vector<std::string>{
                      eventText("user_annotation", "ProfilerStep#4", 1, 0, 1000),
                      eventText("cpu_op", "aten::zeros", 1, 10, 20),
                      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 100, 200),
                      eventText("user_annotation", "## Call CompiledFxGraph abc ##", 1, 110, 150),
                      eventText("cpu_op", "aten::mm", 1, 120, 50),
                      eventText("cpu_op", "aten::item", 1, 350, 100),
                      eventText("cpu_op", "aten::_local_scalar_dense", 1, 360, 50),
                      eventText("cpu_op", "Torch-Compiled Region: 1/2", 1, 500, 300),
                      eventText("cpu_op", "aten::add", 1, 900, 50),
                      eventText("cpu_op", "aten::add", 2, 900, 50),
                  },
                  ",")));
  const CompiledView View = compiledView(Source, linkWork(Source));
  ASSERT_EQ(View.Rows.size(), 3u);
  EXPECT_EQ(View.Rows[0].Frame, 1);
  EXPECT_EQ(View.Rows[0].Recompile, 2);
  EXPECT_EQ(View.Recompiled, 1u);
  EXPECT_TRUE(View.Rows[2].IsGraph);
  ASSERT_EQ(View.Steps.size(), 1u);
  const CompiledStep &Step = View.Steps[0];
  EXPECT_EQ(Step.WallNs, 1000000);
  EXPECT_EQ(Step.CompiledNs, 500000);
  EXPECT_EQ(Step.OutsideNs, 500000);
  EXPECT_EQ(Step.Regions, 2u);
  EXPECT_EQ(Step.GraphBreaks, 1u);
  EXPECT_EQ(Step.EagerOps, 3u);
  EXPECT_EQ(Step.EagerNs, 170000);
  ASSERT_EQ(Step.Between.size(), 1u); // neither what is before the first nor behind the last
  EXPECT_EQ(Source.text(Step.Between[0]), "aten::item");
}

TEST(Compiled, WithoutStepsBreaksAreNotKnown) {
  const CompiledView View = viewOf({
      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 100, 200),
      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 400, 100),
  });
  ASSERT_EQ(View.Steps.size(), 1u);
  EXPECT_EQ(View.Steps[0].Name, 0u);
  EXPECT_EQ(View.Steps[0].WallNs, 400000);
  EXPECT_EQ(View.Steps[0].CompiledNs, 300000);
  EXPECT_EQ(View.Steps[0].GraphBreaks, 0u);
}

TEST(Compiled, CompilationOutsideOfStepsIsApart) {
  const CompiledView View = viewOf({
      eventText("user_annotation", "seamscope.compile", 1, 50, 60), // 10 of it in the region
      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 100, 200),
      eventText("user_annotation", "seamscope.compile", 2, 310, 50), // on another thread
      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 400, 100),
  });
  ASSERT_EQ(View.Steps.size(), 1u);
  EXPECT_EQ(View.Steps[0].WallNs, 400000 - 10000 - 50000);
  EXPECT_EQ(View.Steps[0].CompiledNs, 300000 - 10000);
  EXPECT_EQ(View.Steps[0].OutsideNs, 100000 - 50000);
}

TEST(Compiled, OddNames) {
  const CompiledView View = viewOf({
      eventText("cpu_op", "Torch-Compiled Region: !0/3/1", 1, 100, 300),
      eventText("cpu_op", "Torch-Compiled Region: x/y", 1, 500, 200),
      eventText("cpu_op", "Torch-Compiled Region", 1, 800, 100),
      eventText("cpu_op", "Torch-Compiled Region: 99999999999999999999/0", 1, 950, 1),
  });
  ASSERT_EQ(View.Rows.size(), 4u);
  EXPECT_EQ(View.Rows[0].Frame, 3);
  EXPECT_EQ(View.Rows[0].Recompile, 1);
  for (size_t I = 1; I < 4; ++I)
    EXPECT_FALSE(View.Rows[I].Frame);
}

TEST(Compiled, NothingWithoutRegions) {
  EXPECT_FALSE(viewOf({eventText("cpu_op", "aten::mm", 1, 0, 10)}).any());
}

} // namespace
} // namespace seamscope::tools
