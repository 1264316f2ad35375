//===- GradientsTest.cpp - what took over an operator's backward pass ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Gradients.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

ShapedOp op(const char *Name, const char *Shapes, int64_t Owner = -1) {
  return {Name, Shapes, Owner};
}

TEST(Gradients, OperatorsAreFoundInAnyOrder) {
  const auto Found = alignGradient(
      {op("aten::mm", "[2,3][3,4]", 5), op("aten::mm", "[4,2][2,3]", 6),
       op("aten::sum", "[2,3]", 7)},
      {op("aten::mm", "[4,2][2,3]"), op("aten::mm", "[2,3][3,4]"), op("aten::sum", "[2,3]")});
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].Owner, 6);
  EXPECT_EQ(Found[1].Owner, 5);
  EXPECT_EQ(Found[2].Owner, 7);
  for (const AlignedOp &Each : Found)
    EXPECT_EQ(Each.How, Aligned::Proven);
}

TEST(Gradients, AnOperatorOfManyNodesGoesWhereMostOfThemAre) {
  const auto Found = alignGradient(
      {op("aten::mul", "[4]", 1), op("aten::exp", "[4]", 2), op("aten::neg", "[4]", 2)},
      {op("aten::gelu_backward", "[4][4]")});
  EXPECT_EQ(Found[0].Owner, 2);
  EXPECT_EQ(Found[0].How, Aligned::ByOrder);
}

TEST(Gradients, OfOwnersWhoseWorkIsFoundTheOtherOneHasTheRest) {
  const auto Found = alignGradient(
      {op("aten::mm", "[2,2]", 1), op("aten::mm", "[2,2]", 1), op("aten::fill", "[2]", 2)},
      {op("aten::mm", "[2,2]"), op("aten::zeros_like", "[2]"), op("aten::mm", "[2,2]")});
  EXPECT_EQ(Found[0].Owner, 1);
  EXPECT_EQ(Found[1].Owner, 2);
  EXPECT_EQ(Found[2].Owner, 1);
}

TEST(Gradients, ViewsGoWithWhatTheyAreFor) {
  const auto Found = alignGradient({op("aten::mm", "[2,3][3,4]", 5), op("aten::sum", "[9]", 6)},
                                   {op("aten::t", "[4,3]"), op("aten::mm", "[2,3][3,4]"),
                                    op("aten::sum", "[9]"), op("aten::view", "[9]")});
  EXPECT_EQ(Found[0].Owner, 5);
  EXPECT_EQ(Found[0].How, Aligned::ByOrder);
  EXPECT_EQ(Found[3].Owner, 6);
}

TEST(Gradients, WhatNothingComputesHasNoOwner) {
  const auto Found = alignGradient({}, {op("aten::mul", "[4]"), op("aten::t", "[4,4]")});
  ASSERT_EQ(Found.size(), 2u);
  for (const AlignedOp &Each : Found) {
    EXPECT_EQ(Each.How, Aligned::No);
    EXPECT_EQ(Each.Owner, -1);
  }
}

} // namespace
} // namespace seamscope::tools
