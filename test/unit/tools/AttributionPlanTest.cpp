//===- AttributionPlanTest.cpp - which call owns which operator -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/AttributionPlan.h"
#include "torch/LibraryCalls.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

CompiledGraph graphOf(const char *Pre, const char *Post, const char *Code) {
  CompiledGraph Graph;
  Graph.Id = "0/0";
  Graph.PreGrad = std::make_shared<const FxGraph>(parseFxGraph(Pre));
  Graph.PostGrad = parseFxGraph(Post);
  Graph.Code = parseOutputCode(Code);
  return Graph;
}

PlannedGraph planOf(CompiledGraph Graph) {
  CompileLog Log;
  Log.Graphs.push_back(std::move(Graph));
  const TorchRun Run{CompiledGraphs(std::move(Log)), {}, {}, {}};
  std::vector<PlannedGraph> Plans = planGraphs(Run, Trace());
  EXPECT_EQ(Plans.size(), 1u);
  return Plans.at(0);
}

int64_t ownerOf(const PlannedGraph &Plan, std::string_view Operator) {
  for (const ShapedOp &Op : Plan.Eager)
    if (Op.Name == Operator)
      return Op.Owner;
  ADD_FAILURE() << Operator << " is not expected";
  return -9;
}

constexpr const char *Pre = R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 4][4, 1]cpu", L_w_: "f32[4, 4][4, 1]cpu", L_b_: "f32[4][1]cpu"):
        l_x_ = L_x_
        l_w_ = L_w_
        l_b_ = L_b_

        # File: /m.py:3 in forward, code: a = F.linear(x, w, b)
        linear: "f32[8, 4][4, 1]cpu" = torch._C._nn.linear(l_x_, l_w_, l_b_);  l_w_ = l_b_ = None

        # File: /m.py:4 in forward, code: y = a + a
        add: "f32[8, 4][4, 1]cpu" = linear + linear;  linear = None

        # File: /m.py:5 in forward, code: z = y * 2
        mul: "f32[8, 4][4, 1]cpu" = add * 2

        # File: /m.py:6 in forward, code: return torch.relu(z), y.sum()
        relu: "f32[8, 4][4, 1]cpu" = torch.relu(mul);  mul = None
        total: "f32[][]cpu" = add.sum();  add = None
        return (relu, total)
)";

constexpr const char *Post = R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 4][4, 1]cpu", arg1_1: "f32[4, 4][4, 1]cpu", arg2_1: "f32[4][1]cpu"):
        permute: "f32[4, 4][1, 4]cpu" = torch.ops.aten.permute.default(arg1_1, [1, 0]);  arg1_1 = None
        addmm: "f32[8, 4][4, 1]cpu" = torch.ops.aten.addmm.default(arg2_1, arg0_1, permute);  arg2_1 = None
        add: "f32[8, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(addmm, addmm);  addmm = None
        relu: "f32[8, 4][4, 1]cpu" = torch.ops.aten.relu.default(add)
        sum_1: "f32[][]cpu" = torch.ops.aten.sum.default(add);  add = None
        return (relu, sum_1)
)";

constexpr const char *Code = R"(
cpp_fused_add_relu_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
cpp_fused_add_sum_1 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {p;}
''')
def call(args):
    # [Provenance debug handles] extern_kernels.addmm:1
    extern_kernels.addmm(arg2_1, arg0_1, reinterpret_tensor(arg1_1, (4, 4), (1, 4), 0), alpha=1, beta=1, out=buf0)
    # [Provenance debug handles] cpp_fused_add_relu_0:2
    cpp_fused_add_relu_0(buf0, buf1)
    # [Provenance debug handles] cpp_fused_add_sum_1:3
    cpp_fused_add_sum_1(buf0, buf2)
    return (buf1, buf2, )
)";

CompiledGraph linear() {
  CompiledGraph Graph = graphOf(Pre, Post, Code);
  Graph.Map.KernelToPost = {{"extern_kernels.addmm:1", {"addmm"}},
                            {"cpp_fused_add_relu_0:2", {"permute", "add", "relu"}},
                            {"cpp_fused_add_sum_1:3", {"add", "sum_1"}}};
  Graph.Map.PostToPre = {{"permute", {"linear"}},
                         {"addmm", {"linear"}},
                         {"add", {"add"}},
                         {"relu", {"relu"}},
                         {"sum_1", {"total"}}};
  return Graph;
}

TEST(AttributionPlan, ALibrarysCallOwnsItsOperatorAndKernelsWhatTheyCompleteFirst) {
  const PlannedGraph Plan = planOf(linear());
  EXPECT_EQ(Plan.Region, "Torch-Compiled Region: 0/0");
  ASSERT_EQ(Plan.Calls.size(), 3u);
  EXPECT_EQ(Plan.Calls[0].Operator, "aten::addmm");
  EXPECT_EQ(Plan.Calls[0].Part, StepPart::MatMul);
  EXPECT_EQ(Plan.Calls[1].Part, StepPart::Fused);
  EXPECT_TRUE(Plan.Calls[1].Generated);
  EXPECT_EQ(ownerOf(Plan, "aten::linear"), 0); // the kernel that has its view does not
  EXPECT_EQ(ownerOf(Plan, "aten::add"), 1);    // the second computes it again
  EXPECT_EQ(ownerOf(Plan, "aten::relu"), 1);
  EXPECT_EQ(ownerOf(Plan, "aten::sum"), 2);
}

TEST(AttributionPlan, ANodeThatInductorReplacedBelongsToItsOnlyUser) {
  EXPECT_EQ(ownerOf(planOf(linear()), "aten::mul"), 1);
}

TEST(AttributionPlan, ShapesAreThoseOfTheArgumentsEachTimeItIsGiven) {
  const PlannedGraph Plan = planOf(linear());
  EXPECT_EQ(Plan.Eager[0].Shapes, "[4,4][4][8,4]");
  EXPECT_EQ(Plan.Eager[1].Shapes, "[8,4][8,4]");
  EXPECT_EQ(Plan.Eager[2].Shapes, "[8,4]");
}

TEST(AttributionPlan, AKernelThatOnlyHelpsALibrarysCallCountsWithIt) {
  CompiledGraph Graph = linear();
  Graph.Map.KernelToPost["cpp_fused_add_relu_0:2"] = {"addmm"};
  const PlannedGraph Plan = planOf(std::move(Graph));
  EXPECT_EQ(Plan.Calls[1].Part, StepPart::MatMul);
  EXPECT_EQ(ownerOf(Plan, "aten::linear"), 0);
  EXPECT_EQ(ownerOf(Plan, "aten::add"), 2);
}

TEST(AttributionPlan, LayingInputsOutIsForWhatReadsThem) {
  // The weight alone; the weight beside a sum, a smaller thing; beside what is larger.
  for (const auto &[Nodes, Layout] : {std::pair(std::vector<std::string>{"arg1_1"}, true),
                                      {{"arg1_1", "sum_1"}, true},
                                      {{"arg1_1", "relu"}, false},
                                      {{"sum_1"}, false}}) {
    CompiledGraph Graph = linear();
    Graph.Map.KernelToPost["cpp_fused_add_sum_1:3"] = Nodes;
    const PlannedGraph Plan = planOf(std::move(Graph));
    EXPECT_EQ(Plan.Calls[2].LayoutFor, Layout ? "aten::addmm" : "") << Nodes[0];
    EXPECT_EQ(Plan.Calls[2].Part, Layout ? StepPart::MatMul : StepPart::Fused) << Nodes[0];
    EXPECT_EQ(Plan.Calls[1].LayoutFor, "");
  }
}

TEST(AttributionPlan, ATemplateOwnsTheProductAndTheKernelBehindItThatBearsItsNodeDoesNot) {
  std::string Text = Code;
  constexpr std::string_view Body = "(float* p) {}";
  Text.replace(Text.find(Body), Body.size(), "(float* p) { kernel_micro_gemm(p); }");
  CompiledGraph Graph = linear();
  Graph.Code = parseOutputCode(std::move(Text));
  Graph.Map.KernelToPost.erase("extern_kernels.addmm:1");
  Graph.Map.KernelToPost["cpp_fused_add_relu_0:2"] = {"addmm", "add", "relu"};
  Graph.Map.KernelToPost["cpp_fused_add_sum_1:3"] = {"addmm", "sum_1"};
  const PlannedGraph Plan = planOf(std::move(Graph));
  EXPECT_EQ(Plan.Calls[1].Part, StepPart::MatMul);
  EXPECT_EQ(Plan.Calls[2].Part, StepPart::Fused);
  EXPECT_EQ(ownerOf(Plan, "aten::linear"), 1);
  EXPECT_EQ(ownerOf(Plan, "aten::sum"), 2);
}

TEST(AttributionPlan, AMaskOfAttentionIsNoAttention) {
  CompiledGraph Graph = graphOf(
      R"(class GraphModule(torch.nn.Module):
    def forward(self, L_q_: "f32[1, 2, 8, 4][64, 32, 4, 1]cpu", L_b_: "f32[8, 8][8, 1]cpu"):
        l_q_ = L_q_
        l_b_ = L_b_

        # File: /m.py:3 in forward, code: bias = b + 1
        bias: "f32[8, 8][8, 1]cpu" = l_b_ + 1;  l_b_ = None

        # File: /m.py:4 in forward, code: return F.scaled_dot_product_attention(q, q, q, bias)
        a: "f32[1, 2, 8, 4][64, 32, 4, 1]cpu" = torch._C._nn.scaled_dot_product_attention(l_q_, l_q_, l_q_, attn_mask = bias);  l_q_ = bias = None
        return (a,)
)",
      R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[1, 2, 8, 4][64, 32, 4, 1]cpu", arg1_1: "f32[8, 8][8, 1]cpu"):
        add: "f32[8, 8][8, 1]cpu" = torch.ops.aten.add.Tensor(arg1_1, 1);  arg1_1 = None
        flash = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(arg0_1, arg0_1, arg0_1, attn_mask = add);  add = None
        getitem: "f32[1, 2, 8, 4][64, 32, 4, 1]cpu" = flash[0];  flash = None
        return (getitem,)
)",
      R"(
cpp_fused_flash_add_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
def call(args):
    # [Provenance debug handles] cpp_fused_flash_add_0:1
    cpp_fused_flash_add_0(arg1_1, buf0)
    # [Provenance debug handles] torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default:2
    buf1 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(arg0_1, arg0_1, arg0_1, attn_mask=buf0)
    return (buf1, )
)");
  const std::string Flash = "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default:2";
  // Inductor names the nodes of both in both.
  Graph.Map.KernelToPost = {{"cpp_fused_flash_add_0:1", {"flash", "add"}},
                            {Flash, {"flash", "add"}}};
  Graph.Map.PostToPre = {{"add", {"bias"}}, {"flash", {"a"}}, {"getitem", {"a"}}};
  const PlannedGraph Plan = planOf(std::move(Graph));
  ASSERT_EQ(Plan.Calls.size(), 2u);
  EXPECT_EQ(Plan.Calls[0].Part, StepPart::Fused);
  EXPECT_EQ(Plan.Calls[1].Part, StepPart::Attention);
  EXPECT_EQ(ownerOf(Plan, "aten::add"), 0);
  EXPECT_EQ(ownerOf(Plan, "aten::scaled_dot_product_attention"), 1);
}

TEST(AttributionPlan, BackwardGraphsComputeGradientsOfTheForwardOnesNodes) {
  CompileLog Log;
  for (const GraphDirection Direction : {GraphDirection::Forward, GraphDirection::Backward}) {
    Log.Graphs.push_back(linear());
    Log.Graphs.back().Code.Direction = Direction;
  }
  const TorchRun Run{CompiledGraphs(std::move(Log)), {}, {}, {}};
  const std::vector<PlannedGraph> Plans = planGraphs(Run, Trace());
  ASSERT_EQ(Plans.size(), 2u);
  EXPECT_EQ(Plans[0].Backward, 1u);
  EXPECT_FALSE(Plans[1].Backward);
  ASSERT_EQ(Plans[0].EagerNodes.size(), Plans[0].Eager.size());
  const PlannedGraph &Plan = Plans[1];
  EXPECT_EQ(Plan.Calls.size(), 3u);
  EXPECT_EQ(Plan.Region, CompiledBackward);
  EXPECT_TRUE(Plan.Eager.empty());
  const auto OfNode = [&](std::string_view Operator) {
    for (size_t I = 0; I < Plans[0].Eager.size(); ++I)
      if (Plans[0].Eager[I].Name == Operator)
        return Plan.ForNode.at(Plans[0].EagerNodes[I]);
    return std::vector<ShapedOp>();
  };
  // The permute is a view, and is no work.
  EXPECT_EQ(OfNode("aten::linear"), (std::vector<ShapedOp>{{"aten::addmm", "[4,4][4][8,4]", 0}}));
  EXPECT_EQ(OfNode("aten::add"), (std::vector<ShapedOp>{{"aten::add", "[8,4][8,4]", 1}}));
  EXPECT_EQ(OfNode("aten::sum"), (std::vector<ShapedOp>{{"aten::sum", "[8,4]", 2}}));
}

TEST(AttributionPlan, AFunctionThatSeveralCallsComputeHasTheirOperatorsInside) {
  CompiledGraph Graph = linear();
  // As if one function of Python did all of it.
  for (auto &[Post, Pre] : Graph.Map.PostToPre)
    Pre = {"linear"};
  const PlannedGraph Plan = planOf(std::move(Graph));
  ASSERT_EQ(Plan.Eager.at(0).Name, "aten::linear");
  ASSERT_TRUE(Plan.Inside.contains(0));
  EXPECT_EQ(Plan.Inside.at(0), (std::vector<ShapedOp>{{"aten::linear", "[4,4][4][8,4]", 0},
                                                      {"aten::add", "[8,4][8,4]", 1},
                                                      {"aten::relu", "[8,4]", 1},
                                                      {"aten::sum", "[8,4]", 2}}));
  EXPECT_FALSE(planOf(linear()).Inside.contains(0));
}

TEST(AttributionPlan, AGraphOfViewsForWhichNothingWasGeneratedCallsNothing) {
  const auto Captured = [](const char *Code) {
    return std::make_shared<const FxGraph>(
        parseFxGraph(std::string("class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: "
                                 "\"f32[8, 4][4, 1]cpu\"):\n"
                                 "        l_x_ = L_x_\n        y: \"f32[8, 4][4, 1]cpu\" = ") +
                     Code + "\n        return (y,)\n"));
  };
  CompileLog Log;
  Log.Uncompiled.push_back({"6/0", 0, Captured("l_x_.detach()")});
  Log.Uncompiled.push_back({"7/0", 0, Captured("l_x_.sort()")});
  Log.Uncompiled.push_back({"8/0", 0, nullptr}); // dynamo captured nothing
  const TorchRun Run{CompiledGraphs(std::move(Log)), {}, {}, {}};
  const std::vector<PlannedGraph> Plans = planGraphs(Run, Trace());
  ASSERT_EQ(Plans.size(), 2u);
  EXPECT_EQ(Plans[0].Region, "Torch-Compiled Region: 6/0");
  EXPECT_TRUE(Plans[0].Calls.empty());
  EXPECT_EQ(Plans[1].Region, "Torch-Compiled Region: 8/0");
}

/// softmax(x) + x, in two kernels.
CompiledGraph softmax(std::vector<std::string> First, std::vector<std::string> Second) {
  CompiledGraph Graph = graphOf(R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 4][4, 1]cpu"):
        l_x_ = L_x_
        y: "f32[8, 4][4, 1]cpu" = l_x_ * 2;  l_x_ = None
        s: "f32[8, 4][4, 1]cpu" = torch.softmax(y, 1)
        z: "f32[8, 4][4, 1]cpu" = s + y;  s = y = None
        return (z,)
)",
                                R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 4][4, 1]cpu"):
        mul: "f32[8, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(arg0_1, 2)
        amax: "f32[8, 1][1, 1]cpu" = torch.ops.aten.amax.default(mul, [1], True)
        sub: "f32[8, 4][4, 1]cpu" = torch.ops.aten.sub.Tensor(mul, amax)
        exp: "f32[8, 4][4, 1]cpu" = torch.ops.aten.exp.default(sub)
        sum_1: "f32[8, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp, [1], True)
        div: "f32[8, 4][4, 1]cpu" = torch.ops.aten.div.Tensor(exp, sum_1)
        add: "f32[8, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(div, mul)
        return (add,)
)",
                                R"(
cpp_fused_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
cpp_fused_1 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {p;}
''')
def call(args):
    # [Provenance debug handles] cpp_fused_0:1
    cpp_fused_0(arg0_1, buf0)
    # [Provenance debug handles] cpp_fused_1:2
    cpp_fused_1(arg0_1, buf0, buf1)
    return (buf1, )
)");
  Graph.Map.KernelToPost = {{"cpp_fused_0:1", std::move(First)},
                            {"cpp_fused_1:2", std::move(Second)}};
  Graph.Map.PostToPre = {{"mul", {"y"}}, {"add", {"z"}}};
  for (const char *Part : {"amax", "sub", "exp", "sum_1", "div"})
    Graph.Map.PostToPre[Part] = {"s"};
  return Graph;
}

TEST(AttributionPlan, KernelsThatComputeAnOperatorTogetherShareIt) {
  const PlannedGraph Plan =
      planOf(softmax({"mul", "amax"}, {"mul", "sub", "exp", "sum_1", "div", "add"}));
  ASSERT_EQ(Plan.Shared.size(), 1u);
  EXPECT_EQ(Plan.Shared[0].Owner, 1u);
  EXPECT_EQ(Plan.Shared[0].Other, 0u);
  ASSERT_TRUE(Plan.Shared[0].Eager);
  EXPECT_EQ(Plan.Eager[*Plan.Shared[0].Eager].Name, "aten::softmax");
}

TEST(AttributionPlan, AReductionInTwoKernelsIsTheirsTogether) {
  const PlannedGraph Plan =
      planOf(softmax({"mul", "amax"}, {"mul", "amax", "sub", "exp", "sum_1", "div", "add"}));
  ASSERT_FALSE(Plan.Shared.empty());
  EXPECT_FALSE(Plan.Shared[0].Eager) << "wherever the operator is placed";
}

TEST(AttributionPlan, WhatAKernelComputesAgainIsNotShared) {
  // The second computes y again, and all of the softmax.
  EXPECT_TRUE(planOf(softmax({"mul"}, {"mul", "amax", "sub", "exp", "sum_1", "div", "add"}))
                  .Shared.empty());
}

TEST(AttributionPlan, WhatAPatternPutInPlaceOfOperatorsTakesThemAll) {
  CompiledGraph Graph = graphOf(R"(class GraphModule(torch.nn.Module):
    def forward(self, L_q_: "f32[2, 8, 4][32, 4, 1]cpu"):
        l_q_ = L_q_
        matmul: "f32[2, 8, 8][64, 8, 1]cpu" = l_q_ @ l_q_
        softmax: "f32[2, 8, 8][64, 8, 1]cpu" = torch.softmax(matmul, -1);  matmul = None
        matmul_1: "f32[2, 8, 4][32, 4, 1]cpu" = softmax @ l_q_;  softmax = l_q_ = None
        relu: "f32[2, 8, 4][32, 4, 1]cpu" = torch.relu(matmul_1);  matmul_1 = None
        return (relu,)
)",
                                R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 8, 4][32, 4, 1]cpu"):
        flash = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(arg0_1, arg0_1, arg0_1)
        getitem: "f32[2, 8, 4][32, 4, 1]cpu" = flash[0];  flash = None
        relu: "f32[2, 8, 4][32, 4, 1]cpu" = torch.ops.aten.relu.default(getitem);  getitem = None
        return (relu,)
)",
                                R"(
cpp_fused_relu_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
def call(args):
    # [Provenance debug handles] torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default:1
    buf0 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(arg0_1, arg0_1, arg0_1)
    # [Provenance debug handles] cpp_fused_relu_0:2
    cpp_fused_relu_0(buf0)
    return (buf0, )
)");
  Graph.Map.KernelToPost = {
      {"torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default:1", {"flash"}},
      {"cpp_fused_relu_0:2", {"relu"}}};
  Graph.Map.PostToPre = {{"getitem", {"matmul_1"}}, {"relu", {"relu"}}};
  const PlannedGraph Plan = planOf(std::move(Graph));
  ASSERT_EQ(Plan.Eager.size(), 4u);
  for (const ShapedOp &Op : Plan.Eager)
    EXPECT_EQ(Op.Owner, Op.Name == "aten::relu" ? 1 : 0) << Op.Name;
}

TEST(AttributionPlan, OperatorsOfABranchBelongToTheKernelsOfItsGraph) {
  // Both branches have a node of the name `mul`.
  CompiledGraph Graph = graphOf(R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 4][4, 1]cpu"):
        l_x_ = L_x_

        # File: /m.py:3 in forward, code: s = x.sum() > 0
        s: "f32[][]cpu" = l_x_.sum()

        # File: /m.py:4 in forward, code: y = torch.cond(s, ...)
        cond_true_0 = self.cond_true_0
        cond_false_0 = self.cond_false_0
        cond = torch.ops.higher_order.cond(s, cond_true_0, cond_false_0, (l_x_,));  s = l_x_ = None
        y: "f32[8, 4][4, 1]cpu" = cond[0];  cond = None

        # File: /m.py:5 in forward, code: return y + 1
        add: "f32[8, 4][4, 1]cpu" = y + 1;  y = None
        return (add,)

    class cond_true_0(torch.nn.Module):
        def forward(self, l_x_: "f32[8, 4][4, 1]cpu"):
            # File: /m.py:4 in <lambda>, code: y = torch.cond(s, ...)
            tanh: "f32[8, 4][4, 1]cpu" = torch.tanh(l_x_);  l_x_ = None
            mul: "f32[8, 4][4, 1]cpu" = tanh * 2;  tanh = None
            return (mul,)

    class cond_false_0(torch.nn.Module):
        def forward(self, l_x_: "f32[8, 4][4, 1]cpu"):
            # File: /m.py:4 in <lambda>, code: y = torch.cond(s, ...)
            mul: "f32[8, 4][4, 1]cpu" = l_x_ * 3;  l_x_ = None
            return (mul,)
)",
                                R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 4][4, 1]cpu"):
        # File: /m.py:3 in forward, code: s = x.sum() > 0
        sum_1: "f32[][]cpu" = torch.ops.aten.sum.default(arg0_1)

        # File: /m.py:4 in forward, code: y = torch.cond(s, ...)
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(sum_1, true_graph_0, false_graph_0, (arg0_1,));  arg0_1 = None
        getitem: "f32[8, 4][4, 1]cpu" = cond[0];  cond = None

        # File: /m.py:5 in forward, code: return y + 1
        add: "f32[8, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(getitem, 1);  getitem = None
        return (add,)

    class true_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[8, 4][4, 1]cpu"):
            # File: /m.py:4 in <lambda>, code: y = torch.cond(s, ...)
            tanh: "f32[8, 4][4, 1]cpu" = torch.ops.aten.tanh.default(arg0_1);  arg0_1 = None
            mul: "f32[8, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(tanh, 2);  tanh = None
            return (mul,)

    class false_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "f32[8, 4][4, 1]cpu"):
            # File: /m.py:4 in <lambda>, code: y = torch.cond(s, ...)
            mul: "f32[8, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(arg0_1, 3);  arg0_1 = None
            return (mul,)
)",
                                R"(
cpp_fused_sum_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
cpp_fused_mul_tanh_1 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {p;}
''')
cpp_fused_mul_2 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {p + 1;}
''')
cpp_fused_add_3 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {p + 2;}
''')
def true_graph_0(args):
    # [Provenance debug handles] cpp_fused_mul_tanh_1:2
    cpp_fused_mul_tanh_1(true_graph_0_arg0_1)
    return (true_graph_0_arg0_1, )
def false_graph_0(args):
    # [Provenance debug handles] cpp_fused_mul_2:3
    cpp_fused_mul_2(false_graph_0_arg0_1)
    return (false_graph_0_arg0_1, )
class Runner:
    def call(self, args):
        # [Provenance debug handles] cpp_fused_sum_0:1
        cpp_fused_sum_0(arg0_1, buf0)
        # [Provenance debug handles] cpp_fused_add_3:4
        cpp_fused_add_3(buf1, buf2)
        return (buf2, )
)");
  Graph.Map.KernelToPost = {
      {"cpp_fused_sum_0:1", {"sum_1"}},
      {"cpp_fused_mul_tanh_1:2", {"cond", "sum_1", "true_graph_0", "false_graph_0", "tanh", "mul"}},
      {"cpp_fused_mul_2:3", {"cond", "true_graph_0", "false_graph_0", "mul"}},
      {"cpp_fused_add_3:4", {"add"}}};
  Graph.Map.PostToPre = {
      {"sum_1", {"s"}}, {"cond", {"cond"}}, {"getitem", {"cond"}}, {"add", {"add"}}};
  const PlannedGraph Plan = planOf(std::move(Graph));
  using Names = std::vector<std::pair<std::string, std::string>>;
  const auto Named = [&](const std::vector<ShapedOp> &Ops) {
    Names Of; // operators with the first node of the call that owns them
    constexpr const char *Kernels[] = {"mul_tanh", "mul", "sum", "add"}; // as in the code
    for (const ShapedOp &Op : Ops)
      Of.emplace_back(Op.Name, Op.Owner < 0 ? "" : Kernels[Op.Owner]);
    return Of;
  };
  EXPECT_EQ(Named(Plan.Eager), (Names{{"aten::sum", "sum"}, {"aten::add", "add"}}));
  ASSERT_EQ(Plan.Branches.size(), 2u);
  ASSERT_TRUE(Plan.Calls[0].Branch && Plan.Calls[1].Branch);
  EXPECT_FALSE(Plan.Calls[2].Branch);
  EXPECT_EQ(Named(Plan.Branches[*Plan.Calls[0].Branch].Eager),
            (Names{{"aten::tanh", "mul_tanh"}, {"aten::mul", "mul_tanh"}}));
  EXPECT_EQ(Named(Plan.Branches[*Plan.Calls[1].Branch].Eager), (Names{{"aten::mul", "mul"}}));
  ASSERT_TRUE(Plan.Runs.contains(1)) << "before the add";
  EXPECT_EQ(Plan.Runs.at(1).size(), 2u);
}

TEST(AttributionPlan, NamesOfLibrariesKernels) {
  EXPECT_EQ(operatorOfExtern("extern_kernels.addmm"), "aten::addmm");
  EXPECT_EQ(operatorOfExtern("extern_kernels.bias_addmm"), "aten::addmm");
  EXPECT_EQ(operatorOfExtern("torch.ops.mkldnn._linear_pointwise.default"),
            "mkldnn::_linear_pointwise");
  EXPECT_EQ(operatorOfExtern("aten.index_put_"), "aten::index_put_");
  EXPECT_EQ(operatorOfExtern("strange"), "strange");
}

} // namespace
} // namespace seamscope::tools
