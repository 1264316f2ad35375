//===- OpWorkTest.cpp - FLOPs and bytes of operators -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products are compared with torch's own counter in test/torch; here stand
// the cases that it has no count for, and what must not be counted.
//
//===----------------------------------------------------------------------===//
#include "work/OpWork.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

struct Case {
  const char *Name;
  const char *Dims, *Types, *Values;
  std::optional<int64_t> Flop, Bytes;
};

OpWork work(const char *Name, const char *Dims, const char *Types, const char *Values = "",
            const char *Strides = "", DType Fallback = DType::Unknown) {
  return workOf(Name, OpArguments::parse(Dims, Types, Strides, Values), Fallback);
}

TEST(OpWork, Formulas) {
  const Case Cases[] = {
      // m n k = 2 4 3: 2mnk; (6 + 12 + 8) numbers of 4 bytes.
      {"aten::mm", "[[2, 3], [3, 4]]", R"(["float", "float"])", "", 48, 104},
      {"aten::addmm", "[[4], [2, 3], [3, 4], [], []]",
       R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar"])",
       R"(["", "", "", "1", "1"])", 48, 60},
      // beta = 0: the addend is not read.
      {"aten::addmm", "[[4], [2, 3], [3, 4], [], []]",
       R"(["float", "float", "float", "Scalar", "Scalar"])", R"(["", "", "", "0", "1"])", 48, 104},
      {"aten::mv", "[[2, 3], [3]]", R"(["double", "double"])", "", 12, 88},
      {"aten::relu", "[[10]]", R"(["float"])", "", 10, 80},
      {"aten::add", "[[10], [10], []]", R"(["float", "float", "Scalar"])", R"(["", "", "1"])", 10,
       120},
      {"aten::add", "[[10], [10], []]", R"(["float", "float", "Scalar"])", R"(["", "", "2"])", 20,
       120},
      // In place, and a number in place of a tensor.
      {"aten::mul_", "[[10], []]", R"(["c10::Half", "Scalar"])", R"(["", "3."])", 10, 40},
      // Broadcast: the small operand is read once.
      {"aten::mul", "[[8, 4], [4]]", R"(["float", "float"])", "", 32, 272},
      // A comparison gives bytes, a division of integers floats.
      {"aten::eq", "[[8], [8]]", R"(["long int", "long int"])", "", 8, 136},
      {"aten::div", "[[8], [8]]", R"(["int", "int"])", "", 8, 96},
      {"aten::where", "[[8], [8], [8]]", R"(["bool", "float", "float"])", "", 8, 104},
      {"aten::sum", "[[8, 4], [], [], []]", R"(["float", "ScalarList", "Scalar", ""])",
       R"(["", "[1]", "False", ""])", 32, 160},
      {"aten::mean", "[[8, 4], [], [], []]", R"(["float", "ScalarList", "Scalar", ""])",
       R"(["", "[-1]", "True", ""])", 40, 160},
      {"aten::_softmax", "[[8, 4], [], []]", R"(["float", "Scalar", "Scalar"])",
       R"(["", "-1", "False"])", 160, 256},
      {"aten::native_layer_norm", "[[2, 8], [], [8], [8], []]",
       R"(["float", "ScalarList", "float", "float", "Scalar"])", R"(["", "[8]", "", "", "1e-05"])",
       112, 208},
      {"aten::embedding", "[[100, 16], [4], [], [], []]",
       R"(["float", "long int", "Scalar", "Scalar", "Scalar"])",
       R"(["", "", "-1", "False", "False"])", 0, 544},
      {"aten::copy_", "[[8], [8], []]", R"(["c10::Half", "float", "Scalar"])",
       R"(["", "", "False"])", 0, 48},
      {"aten::max_pool2d_with_indices", "[[1, 1, 4, 4], [], [], [], [], []]",
       R"(["float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
       R"(["", "[2, 2]", "[2, 2]", "[0, 0]", "[1, 1]", "False"])", 16, 112},
      {"aten::_adaptive_avg_pool2d", "[[1, 1, 5, 5], []]", R"(["float", "ScalarList"])",
       R"(["", "[2, 2]"])", 40, 116},
      {"aten::view", "[[8], []]", R"(["float", "ScalarList"])", "", 0, 0},
  };
  for (const Case &C : Cases) {
    const OpWork W = work(C.Name, C.Dims, C.Types, C.Values);
    EXPECT_EQ(W.Flop, C.Flop) << C.Name << ' ' << C.Dims << ": " << textOf(W.Why);
    EXPECT_EQ(W.Bytes, C.Bytes) << C.Name << ' ' << C.Dims << ": " << textOf(W.Why);
  }
}

TEST(OpWork, ExpandedTensorsAreReadOnce) {
  const OpWork W = work("aten::add", "[[8, 4], [8, 4], []]", R"(["float", "float", "Scalar"])",
                        R"(["", "", "1"])", "[[4, 1], [0, 1], []]");
  EXPECT_EQ(W.Flop, 32);
  EXPECT_EQ(W.Bytes, (32 + 4 + 32) * 4);
}

TEST(OpWork, ListsAreSummed) {
  const char *Dims = "[[[3], [5]], [[3], [5]], []]";
  const char *Types = R"(["TensorList", "TensorList", "Scalar"])";
  OpWork W = work("aten::_foreach_add_", Dims, Types, R"(["", "", "1"])");
  EXPECT_EQ(W.Flop, 8);
  EXPECT_EQ(W.Bytes, std::nullopt);
  EXPECT_EQ(W.Why, WorkUnknown::ElementType);
  W = work("aten::_foreach_add_", Dims, Types, R"(["", "", "1"])", "", DType::Float32);
  EXPECT_EQ(W.Bytes, 8 * 3 * 4);
  W = work("aten::_foreach_add_", "[[], [], []]", Types, R"(["", "", "1"])");
  EXPECT_EQ(W.Flop, std::nullopt);
  EXPECT_EQ(W.Why, WorkUnknown::LongList);
}

TEST(OpWork, WhatIsNotKnownIsNotZero) {
  const auto Why = [](const OpWork &W) {
    EXPECT_FALSE(W.Flop && W.Bytes);
    return W.Why;
  };
  EXPECT_EQ(Why(work("aten::nosuch", "[[8]]", R"(["float"])")), WorkUnknown::Operator);
  EXPECT_EQ(Why(work("mm", "[[2, 3], [3, 4]]", R"(["float", "float"])")), WorkUnknown::Operator);
  EXPECT_EQ(Why(work("aten::mm", "", "")), WorkUnknown::Shapes);
  EXPECT_EQ(Why(work("aten::mm", "[[2, 3], [4, 4]]", R"(["float", "float"])")),
            WorkUnknown::Inconsistent);
  EXPECT_EQ(Why(work("aten::nonzero", "[[8]]", R"(["float"])")), WorkUnknown::Data);
  EXPECT_EQ(Why(work("aten::sort", "[[8], [], []]", R"(["float", "Scalar", "Scalar"])")),
            WorkUnknown::NoCount);
  EXPECT_EQ(Why(work("aten::convolution", "[[1, 1, 4, 4], [1, 1, 2, 2]]", R"(["float", "float"])")),
            WorkUnknown::Argument);
  EXPECT_EQ(Why(work("aten::mm", "[[4000000000, 4000000000], [4000000000, 4000000000]]",
                     R"(["float", "float"])")),
            WorkUnknown::Overflow);
}

TEST(OpWork, HostileShapesEndSoon) {
  EXPECT_FALSE(work("aten::_adaptive_avg_pool2d", "[[1, 1, 5, 5], []]",
                    R"(["float", "ScalarList"])",
                    R"(["", "[9223372036854775807, 9223372036854775807]"])")
                   .Flop);
  EXPECT_FALSE(
      work("aten::max_pool2d_with_indices", "[[1, 1, 4, 4], [], [], [], [], []]",
           R"(["float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
           R"(["", "[2, 2]", "[0, 0]", "[0, 0]", "[1, 1]", "True"])")
          .Flop);
  EXPECT_FALSE(work("aten::repeat", "[[4], []]", R"(["float", "ScalarList"])",
                    R"(["", "[9223372036854775807, 2]"])")
                   .Bytes);
}

} // namespace
