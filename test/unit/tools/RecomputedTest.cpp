//===- RecomputedTest.cpp - what kernels compute again -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/Recomputed.h"
#include "torch/CompiledGraphs.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

FxNode nodeOf(const char *Target) {
  FxNode Node;
  Node.Target = Target;
  return Node;
}

TEST(Recomputed, WhatIsComputedElementByElement) {
  EXPECT_TRUE(isPointwise(nodeOf("torch.ops.aten.mul.Tensor")));
  EXPECT_TRUE(isPointwise(nodeOf("torch.ops.aten.erf.default")));
  EXPECT_FALSE(isPointwise(nodeOf("torch.ops.aten.sum.dim_IntList")));
  EXPECT_FALSE(isPointwise(nodeOf("torch.ops.aten.view.default")));
  EXPECT_FALSE(isPointwise(nodeOf("torch.ops.mylib.mul.default")));
  EXPECT_FALSE(isPointwise(nodeOf("mul")));
}

TEST(Recomputed, TheCodeTellsWhetherAFunctionIsComputed) {
  EXPECT_TRUE(canCompute("auto tmp1 = tmp0.erf();", nodeOf("torch.ops.aten.erf.default")));
  EXPECT_FALSE(canCompute("auto tmp1 = tmp0 + tmp0;", nodeOf("torch.ops.aten.erf.default")));
  EXPECT_TRUE(canCompute("1 / (1 + x.neg().exp())", nodeOf("torch.ops.aten.sigmoid.default")));
  EXPECT_TRUE(canCompute("1 / std::sqrt(x)", nodeOf("torch.ops.aten.rsqrt.default")));
  EXPECT_TRUE(canCompute("", nodeOf("torch.ops.aten.mul.Tensor"))) << "nothing tells";
}

constexpr const char *Captured = R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8]cpu"):
        l_x_ = L_x_
        a: "f32[8]cpu" = torch.tanh(l_x_)
        b: "f32[8]cpu" = torch.nn.functional.silu(a)
        return (b,)
)";

constexpr const char *Forward = R"(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8]cpu"):
        tanh: "f32[8]cpu" = torch.ops.aten.tanh.default(x)
        sigmoid: "f32[8]cpu" = torch.ops.aten.sigmoid.default(tanh)
        mul: "f32[8]cpu" = torch.ops.aten.mul.Tensor(tanh, sigmoid)
        return (mul,)
)";

constexpr const char *Backward = R"(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8]cpu", grad: "f32[8]cpu"):
        tanh: "f32[8]cpu" = torch.ops.aten.tanh.default(x)
        sigmoid: "f32[8]cpu" = torch.ops.aten.sigmoid.default(tanh)
        mul: "f32[8]cpu" = torch.ops.aten.add.Tensor(grad, sigmoid)
        return (mul,)
)";

CompiledGraph graphOf(GraphDirection Direction, const char *Post, const char *Body) {
  CompiledGraph Graph;
  Graph.Id = "0/0";
  Graph.PreGrad = std::make_shared<const FxGraph>(parseFxGraph(Captured));
  Graph.PostGrad = parseFxGraph(Post);
  Graph.Code =
      parseOutputCode(std::string("cpp_fused_0 = async_compile.cpp_pybinding(['float*'], r'''\n"
                                  "extern \"C\" void kernel(float* p) { ") +
                      Body + " }\n''')\ndef call(args):\n    cpp_fused_0(x)\n");
  Graph.Code.Direction = Direction;
  Graph.Map.KernelToPost = {{"cpp_fused_0", {"tanh", "sigmoid", "mul"}}};
  Graph.Map.PostToPre = {{"tanh", {"a"}}, {"sigmoid", {"b"}}, {"mul", {"b"}}};
  return Graph;
}

TEST(Recomputed, TheBackwardPassMarksWhatItComputesAgain) {
  CompileLog Log;
  Log.Graphs.push_back(graphOf(GraphDirection::Forward, Forward, "tanh(p); exp(p);"));
  Log.Graphs.push_back(graphOf(GraphDirection::Backward, Backward, "exp(p);"));
  const CompiledGraphs Graphs(std::move(Log));
  EXPECT_EQ(Graphs.forwardOf(1), 0u);
  EXPECT_FALSE(Graphs.forwardOf(0));
  ASSERT_EQ(Graphs.uses().size(), 2u);
  const std::vector<EagerOp> &First = Graphs.uses()[0].Eager, &Again = Graphs.uses()[1].Eager;
  // A tanh is made of exp in some of its forms; mul is another node in the two graphs.
  ASSERT_EQ(Again.size(), 2u);
  EXPECT_EQ(Again[0].Name, "aten::tanh");
  EXPECT_TRUE(Again[0].Recomputed);
  EXPECT_FALSE(Again[0].Partial);
  EXPECT_EQ(Again[1].Name, "aten::silu");
  EXPECT_TRUE(Again[1].Recomputed);
  EXPECT_TRUE(Again[1].Partial);
  ASSERT_EQ(First.size(), 2u);
  EXPECT_TRUE(First[0].Recomputed);
  EXPECT_TRUE(First[1].Recomputed);
  EXPECT_EQ(Graphs.uses()[1].GradientsOf.size(), 2u);
}

TEST(Recomputed, WhatTheCodeCannotComputeIsNotComputed) {
  CompileLog Log;
  Log.Graphs.push_back(graphOf(GraphDirection::Forward, Forward, "tanh(p); exp(p);"));
  Log.Graphs.push_back(graphOf(GraphDirection::Backward, Backward, "p[0] = 1;"));
  const CompiledGraphs Graphs(std::move(Log));
  EXPECT_TRUE(Graphs.uses()[1].Eager.empty());
  EXPECT_FALSE(Graphs.uses()[0].Eager.at(0).Recomputed);
}

} // namespace
} // namespace seamscope::tools
