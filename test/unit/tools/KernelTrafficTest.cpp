//===- KernelTrafficTest.cpp - bytes between the calls of a graph ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/KernelTraffic.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

TEST(KernelTraffic, BytesOfTypes) {
  EXPECT_EQ(bytesOfType("f32[512, 256][256, 1]cpu"), 512 * 256 * 4);
  EXPECT_EQ(bytesOfType("bf16[3][1]cpu"), 6);
  EXPECT_EQ(bytesOfType("b8[][]cpu"), 1);
  EXPECT_EQ(bytesOfType("f8e4m3fn[4][1]cpu"), 4);
  EXPECT_EQ(bytesOfType("i64[0, 7][7, 1]cpu"), 0);
  EXPECT_FALSE(bytesOfType("f32[s0, 4][4, 1]cpu"));
  EXPECT_FALSE(bytesOfType("f32[-1]"));
  EXPECT_FALSE(bytesOfType("f32[4"));
  EXPECT_FALSE(bytesOfType("q7[4]"));
  EXPECT_FALSE(bytesOfType("Sym(s0)"));
  EXPECT_FALSE(bytesOfType(""));
  EXPECT_FALSE(bytesOfType("f32[9223372036854775807, 2]"));
}

constexpr const char *Text = R"(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8, 4][4, 1]cpu", table: "f32[1000, 4][4, 1]cpu", i: "i64[8][1]cpu", state: "f32[8, 4][4, 1]cpu"):
        mul: "f32[8, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(x, 2.0)
        exp: "f32[8, 4][4, 1]cpu" = torch.ops.aten.exp.default(mul);  mul = None
        permute: "f32[4, 8][1, 4]cpu" = torch.ops.aten.permute.default(exp, [1, 0])
        mm: "f32[8, 8][8, 1]cpu" = torch.ops.aten.mm.default(x, permute);  permute = None
        var_mean = torch.ops.aten.var_mean.correction(mm, [1], correction = 0, keepdim = True)
        getitem: "f32[8, 1][1, 1]cpu" = var_mean[0]
        getitem_1: "f32[8, 1][1, 1]cpu" = var_mean[1];  var_mean = None
        sub: "f32[8, 8][8, 1]cpu" = torch.ops.aten.sub.Tensor(mm, getitem_1);  mm = None
        rows: "f32[8, 4][4, 1]cpu" = torch.ops.aten.embedding.default(table, i);  table = i = None
        copy_: "f32[8, 4][4, 1]cpu" = torch.ops.aten.copy_.default(state, rows);  state = rows = None
        return (sub, getitem)
)";

using Calls = std::vector<std::vector<const char *>>;

struct Fixture {
  FxGraph Graph = parseFxGraph(Text);
  std::vector<std::vector<uint32_t>> Work;

  explicit Fixture(const Calls &Named) {
    for (const auto &Names : Named) {
      Work.emplace_back();
      for (const char *Name : Names)
        Work.back().push_back(*Graph.find(Name));
    }
  }
  std::optional<int64_t> bytes(size_t Call) const {
    return KernelTraffic(Graph, Work).bytesOf(Call);
  }
};

TEST(KernelTraffic, WhatOnlyAKernelUsesStaysInside) {
  const Fixture Of(
      Calls{{"mul", "exp"}, {"mm"}, {"var_mean", "getitem_1", "sub"}, {"rows", "copy_"}});
  EXPECT_EQ(Of.bytes(0), 128 + 128);       // x; exp
  EXPECT_EQ(Of.bytes(1), 128 + 128 + 256); // x, exp through a view; mm
  EXPECT_EQ(Of.bytes(2), 256 + 256 + 32);  // mm; sub and the variance, not the mean
  EXPECT_EQ(Of.bytes(3), 128 + 64 + 128);  // of the table eight rows, the indices; the state
}

TEST(KernelTraffic, WhatIsComputedAgainDoesNotTravel) {
  const Fixture Of(Calls{{"mul", "exp"}, {"mul", "exp", "mm"}});
  EXPECT_EQ(Of.bytes(1), 128 + 256); // x; mm
  EXPECT_EQ(Of.bytes(0), 128);       // nobody needs what it makes
}

TEST(KernelTraffic, UnknownSizesAreNotGuessed) {
  Fixture Of(Calls{{"mul", "exp"}});
  Of.Graph.Nodes[*Of.Graph.find("x")].Type = "f32[s0, 4][4, 1]cpu";
  EXPECT_FALSE(Of.bytes(0));
}

} // namespace
} // namespace seamscope::tools
