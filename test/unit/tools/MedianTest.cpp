//===- MedianTest.cpp - the middle of what was measured -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Median.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

TEST(Median, OfAnOddNumberBothAreTheMiddle) {
  std::vector<int> Three{9, 1, 5}, One{4};
  EXPECT_EQ(lowerMedian(Three), 5);
  EXPECT_EQ(upperMedian(Three), 5);
  EXPECT_EQ(lowerMedian(One), 4);
  EXPECT_EQ(upperMedian(One), 4);
}

TEST(Median, OfAnEvenNumberTheyAreTheTwoInTheMiddle) {
  std::vector<int> Four{9, 1, 7, 5}, Two{2, 1};
  EXPECT_EQ(lowerMedian(Four), 5);
  EXPECT_EQ(upperMedian(Four), 7);
  EXPECT_EQ(lowerMedian(Two), 1);
  EXPECT_EQ(upperMedian(Two), 2);
}

TEST(Median, ByAMember) {
  struct Step {
    int Name, Ns;
  };
  std::vector<Step> Steps{{1, 30}, {2, 10}, {3, 20}};
  EXPECT_EQ(lowerMedian(Steps, &Step::Ns).Name, 3);
}

} // namespace
} // namespace seamscope::tools
