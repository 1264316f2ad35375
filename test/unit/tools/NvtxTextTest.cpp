//===- NvtxTextTest.cpp - what the text of an NVTX range says -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/cuda/NvtxText.h"

#include <gtest/gtest.h>

#include <string>

namespace seamscope::tools {
namespace {

struct Case {
  std::string_view Text, Name, Sizes;
  bool IsOperator;
};

TEST(NvtxText, TorchSaysWhatItKnowsOfTheCall) {
  const Case Cases[] = {
      {"aten::addmm, seq = 12, op_id = 7, sizes = [[4], [4, 8], []], input_op_ids = [(3,0), (4,1)]",
       "aten::addmm", "[[4], [4, 8], []]", true},
      {"aten::addmm, seq = 12", "aten::addmm", "", true},
      {"aten::empty", "aten::empty", "", true},
      {"aten::to, op_id = 3", "aten::to", "", true},
      {"mylib::op, op_id = 3", "mylib::op", "", true},
      {"AddmmBackward0, seq = 4", "AddmmBackward0", "", true},
      {"autograd::engine::evaluate_function: AddmmBackward0, op_id = 9",
       "autograd::engine::evaluate_function: AddmmBackward0", "", true},
      {"cat, sizes = [[[2, 3], [4, 3]], []]", "cat", "[[[2, 3], [4, 3]], []]", true},
      // Scopes that a user named, under emit_nvtx and without it:
      {"ProfilerStep#3, op_id = 4", "ProfilerStep#3", "", false},
      {"Optimizer.step#SGD.step", "Optimizer.step#SGD.step", "", false},
      {"solver::step", "solver::step", "", false},
      {"", "", "", false},
  };
  for (const Case &C : Cases) {
    const NvtxText Parts = parseNvtxText(C.Text);
    EXPECT_EQ(Parts.Name, C.Name) << C.Text;
    EXPECT_EQ(Parts.Sizes, C.Sizes) << C.Text;
    EXPECT_EQ(Parts.IsOperator, C.IsOperator) << C.Text;
  }
}

TEST(NvtxText, WhatOnlyLooksLikeItIsPartOfTheName) {
  for (const std::string_view Text :
       {"load, sizes = many", "a, seq = ", "a, seq = 1b", "a, sizes = [[1]", "a, sizes = []]",
        "a, sizes = 4", "a, sizes = [4][5]", "a, sizes = [x]", ", seq = 4", "a, op_id = -1",
        "a, sizes = [[[[[1]]]]]", "a, sizes = "}) {
    const NvtxText Parts = parseNvtxText(Text);
    EXPECT_EQ(Parts.Name, Text);
    EXPECT_EQ(Parts.Sizes, "");
    EXPECT_FALSE(Parts.IsOperator) << Text;
  }
}

TEST(NvtxText, ALongTextTakesLinearTime) {
  std::string Text = "a";
  for (int I = 0; I < 200000; ++I)
    Text += ", sizes = [";
  EXPECT_EQ(parseNvtxText(Text).Name, Text);
}

} // namespace
} // namespace seamscope::tools
