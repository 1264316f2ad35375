//===- AlignmentTest.cpp - two sequences of operators side by side --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace seamscope::tools {
namespace {

ShapedOp op(std::string Name, std::string Shapes, int64_t Owner = -1) {
  return {std::move(Name), std::move(Shapes), Owner};
}

TEST(Alignment, EqualSequencesAreProven) {
  const std::vector<ShapedOp> Expected = {op("aten::add", "[2]", 0), op("aten::mul", "[2]", 1)};
  const auto Found = align(Expected, {op("aten::add", "[2]"), op("aten::mul", "[2]")});
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].How, Aligned::Proven);
  EXPECT_EQ(Found[0].Owner, 0);
  EXPECT_EQ(Found[1].Expected, 1u);
}

TEST(Alignment, WhatWasNotExpectedBetweenTwoOwnersIsNobodys) {
  const std::vector<ShapedOp> Expected = {op("aten::add", "[2]", 0), op("aten::mul", "[2]", 1)};
  const auto Found =
      align(Expected, {op("aten::add", "[2]"), op("aten::sin", "[2]"), op("aten::mul", "[2]")});
  EXPECT_EQ(Found[1].How, Aligned::No);
  EXPECT_EQ(Found[1].Owner, -1);
  EXPECT_EQ(Found[2].How, Aligned::Proven);
}

TEST(Alignment, WhatWasNotExpectedInsideOfOneOwnersWorkIsIts) {
  const std::vector<ShapedOp> Expected = {op("aten::add", "[2]", 7), op("aten::mul", "[2]", 7)};
  const auto Found =
      align(Expected, {op("aten::add", "[2]"), op("aten::sin", "[2]"), op("aten::mul", "[2]")});
  EXPECT_EQ(Found[1].How, Aligned::ByOrder);
  EXPECT_EQ(Found[1].Owner, 7);
  EXPECT_FALSE(Found[1].Expected);
}

TEST(Alignment, WithoutShapesTheNameCounts) {
  const auto Found = align({{"aten::to", std::nullopt, 3}, op("aten::mul", "[2]", 1)},
                           {op("aten::to", "[5]"), op("aten::mul", "[2]")});
  EXPECT_EQ(Found[0].How, Aligned::ByOrder);
  EXPECT_EQ(Found[0].Owner, 3);
}

TEST(Alignment, EquallyManyOfOtherNamesGoByTheirShapes) {
  const std::vector<ShapedOp> Expected = {op("aten::add", "[2]", 0), op("aten::type", "[3]", 1),
                                          op("aten::clip", "[4]", 2), op("aten::mul", "[2]", 3)};
  const auto Found = align(Expected, {op("aten::add", "[2]"), op("aten::to", "[3]"),
                                      op("aten::clamp", "[4]"), op("aten::mul", "[2]")});
  EXPECT_EQ(Found[1].Owner, 1);
  EXPECT_EQ(Found[2].Owner, 2);
  const auto Other = align(Expected, {op("aten::add", "[2]"), op("aten::to", "[3]"),
                                      op("aten::clamp", "[9]"), op("aten::mul", "[2]")});
  EXPECT_EQ(Other[1].How, Aligned::No);
  EXPECT_EQ(Other[2].How, Aligned::No);
}

TEST(Alignment, NothingOnEitherSide) {
  EXPECT_TRUE(align({op("aten::add", "[2]", 0)}, {}).empty());
  EXPECT_EQ(align({}, {op("aten::add", "[2]")})[0].How, Aligned::No);
}

/// The length of the longest common subsequence, by the book.
size_t longest(const std::vector<ShapedOp> &A, const std::vector<ShapedOp> &B) {
  std::vector<std::vector<size_t>> Best(A.size() + 1, std::vector<size_t>(B.size() + 1));
  for (size_t I = 1; I <= A.size(); ++I)
    for (size_t J = 1; J <= B.size(); ++J)
      Best[I][J] = A[I - 1].Name == B[J - 1].Name && A[I - 1].Shapes == B[J - 1].Shapes
                       ? Best[I - 1][J - 1] + 1
                       : std::max(Best[I - 1][J], Best[I][J - 1]);
  return Best[A.size()][B.size()];
}

TEST(Alignment, AsManyAreProvenAsCanBeAndInOrder) {
  std::mt19937 Random(5);
  for (unsigned Round = 0; Round < 300; ++Round) {
    std::vector<ShapedOp> Expected, Calls;
    for (unsigned I = Random() % 40; I; --I)
      Expected.push_back(
          op(std::string(1, static_cast<char>('a' + Random() % 4)), "[1]", Random() % 5));
    for (unsigned I = Random() % 40; I; --I)
      Calls.push_back(op(std::string(1, static_cast<char>('a' + Random() % 4)), "[1]"));
    const auto Found = align(Expected, Calls);
    ASSERT_EQ(Found.size(), Calls.size());
    size_t Proven = 0;
    int64_t Last = -1;
    for (size_t I = 0; I < Found.size(); ++I) {
      if (!Found[I].Expected)
        continue;
      EXPECT_GT(static_cast<int64_t>(*Found[I].Expected), Last);
      Last = *Found[I].Expected;
      EXPECT_EQ(Expected[*Found[I].Expected].Owner, Found[I].Owner);
      if (Found[I].How == Aligned::Proven) {
        ++Proven;
        EXPECT_EQ(Expected[*Found[I].Expected].Name, Calls[I].Name);
      }
    }
    EXPECT_EQ(Proven, longest(Expected, Calls));
  }
}

TEST(Alignment, ShapesDoNotDependOnTheOrderOfArguments) {
  EXPECT_EQ(shapesIn("[[4, 128],[],[512]]"), "[4,128][512]");
  EXPECT_EQ(shapesIn("[[512],[4,128]]"), "[4,128][512]");
  EXPECT_EQ(shapesIn("[[[2,3],[4]],[]]"), "[2,3][4]");
  EXPECT_EQ(shapesIn(""), "");
  EXPECT_EQ(shapesIn("[[["), "");
  EXPECT_EQ(shapesIn("]]1]"), "");
}

} // namespace
} // namespace seamscope::tools
