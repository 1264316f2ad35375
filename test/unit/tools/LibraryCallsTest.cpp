//===- LibraryCallsTest.cpp - what compiled graphs leave to libraries -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/LibraryCalls.h"
#include "run/join/AttributionPlan.h"
#include "torch/CallsWithoutProvenance.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

TEST(LibraryCalls, OfALineOfOutputCode) {
  for (const auto &[Line, Called] :
       {std::pair("aten.scatter_reduce_.two(buf0,0,arg0_1,buf1, reduce='sum')",
                  "aten.scatter_reduce_.two"),
        {"torch.ops.aten.bernoulli_.float(buf0, 0.3)", "torch.ops.aten.bernoulli_.float"},
        {"buf1 = extern_kernels.mm(buf0, arg1_1)", "extern_kernels.mm"},
        {"buf2.copy_(arg0_1, False)", "aten.copy_"},
        {"aoti_torch_cpu_scatter_reduce_two_out(buf0, buf0, 0, arg0_1, buf1, \"sum\", 1);",
         "aoti_torch_cpu_scatter_reduce_two_out"},
        {"AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_copy_(buf1, arg0_1, 0));", "aoti_torch_copy_"},
        // What handles tensors and computes nothing.
        {"AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_new_tensor_handle(arg0_1, &x));", ""},
        {"buf0 = reinterpret_tensor(arg0_1, (4, ), (1, ), 0)", ""},
        {"torch.ops.inductor._alloc_from_pool(pool1, 0)", ""},
        {"aten = torch.ops.aten", ""}})
    EXPECT_EQ(libraryCalledIn(Line), Called) << Line;
}

TEST(LibraryCalls, OperatorsOfCppFunctionsHaveTheirOverloadInTheName) {
  EXPECT_EQ(operatorOfExtern("aoti_torch_index_put_out"), "aten::index_put");
  EXPECT_EQ(operatorOfExtern("aoti_torch_cpu_sort_stable"), "aten::sort_stable");
  EXPECT_TRUE(runsOperator("aoti_torch_cpu_sort_stable", "aten::sort"));
  EXPECT_TRUE(runsOperator("torch.ops.aten.sort.stable", "aten::sort"));
  EXPECT_FALSE(runsOperator("aoti_torch_cpu_sort_stable", "aten::so"));
  EXPECT_TRUE(fallsBackToAten("aten.index_put_"));
  EXPECT_TRUE(fallsBackToAten("torch.ops.aten.sort.stable"));
  EXPECT_TRUE(fallsBackToAten("aoti_torch_cpu_sort_stable"));
  EXPECT_FALSE(fallsBackToAten("extern_kernels.mm"));
  EXPECT_FALSE(fallsBackToAten("torch.ops.mylib.twice.default"));
}

/// y = zeros.scatter_add(0, i, relu(x)), of which Inductor fuses zeros and relu.
CompiledGraph scatter(const char *Call) {
  CompiledGraph Graph;
  Graph.Id = "0/0";
  Graph.PreGrad = std::make_shared<const FxGraph>(parseFxGraph(R"(class GraphModule(Module):
    def forward(self, L_i_: "i64[9, 4][4, 1]cpu", L_x_: "f32[9, 4][4, 1]cpu"):
        l_i_ = L_i_
        l_x_ = L_x_
        zeros: "f32[5, 4][4, 1]cpu" = torch.zeros(5, 4)
        relu: "f32[9, 4][4, 1]cpu" = torch.relu(l_x_);  l_x_ = None
        scatter_add: "f32[5, 4][4, 1]cpu" = zeros.scatter_add(0, l_i_, relu);  zeros = relu = None
        return (scatter_add,)
)"));
  Graph.PostGrad = parseFxGraph(R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "i64[9, 4][4, 1]cpu", arg1_1: "f32[9, 4][4, 1]cpu"):
        full_default: "f32[5, 4][4, 1]cpu" = torch.ops.aten.full.default([5, 4], 0)
        relu: "f32[9, 4][4, 1]cpu" = torch.ops.aten.relu.default(arg1_1);  arg1_1 = None
        scatter_add: "f32[5, 4][4, 1]cpu" = torch.ops.aten.scatter_add.default(full_default, 0, arg0_1, relu)
        return (scatter_add,)
)");
  Graph.Code = parseOutputCode(std::string(R"(
cpp_fused_relu_scatter_add_zeros_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* p) {}
''')
def call(args):
    # [Provenance debug handles] cpp_fused_relu_scatter_add_zeros_0:1
    cpp_fused_relu_scatter_add_zeros_0(arg1_1, buf0, buf1)
    )") + Call + "\n    return (buf0, )\n");
  // Inductor lists the node with the kernel before the call alone.
  Graph.Map.KernelToPost = {
      {"cpp_fused_relu_scatter_add_zeros_0:1", {"scatter_add", "full_default", "relu"}}};
  Graph.Map.PostToPre = {
      {"full_default", {"zeros"}}, {"relu", {"relu"}}, {"scatter_add", {"scatter_add"}}};
  return Graph;
}

PlannedGraph planOf(CompiledGraph Graph) {
  CompileLog Log;
  Log.Graphs.push_back(std::move(Graph));
  const TorchRun Run{CompiledGraphs(std::move(Log)), {}, {}, {}};
  return planGraphs(Run, Trace()).at(0);
}

TEST(LibraryCalls, WhatIsChangedInPlaceBelongsToTheCallThatDoesIt) {
  for (const auto &[Call, Operator] :
       {std::pair("aten.scatter_reduce_.two(buf0,0,arg0_1,buf1, reduce='sum', include_self=True)",
                  "aten::scatter_reduce_"),
        {"aoti_torch_cpu_scatter_reduce_two_out(buf0, buf0, 0, arg0_1, buf1, \"sum\", 1);",
         "aten::scatter_reduce_two"}}) {
    const PlannedGraph Plan = planOf(scatter(Call));
    ASSERT_EQ(Plan.Calls.size(), 2u) << Call;
    EXPECT_EQ(Plan.Calls[1].Operator, Operator);
    std::map<std::string, int64_t> Owners;
    for (const ShapedOp &Op : Plan.Eager)
      Owners[Op.Name] = Op.Owner;
    const std::map<std::string, int64_t> Wanted = {
        {"aten::zeros", 0}, {"aten::relu", 0}, {"aten::scatter_add", 1}};
    EXPECT_EQ(Owners, Wanted) << Call;
    EXPECT_TRUE(Plan.Shared.empty());
  }
}

TEST(LibraryCalls, PairUpInOrderAndOnlyWithoutDoubt) {
  const FxGraph Graph = parseFxGraph(R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "i64[9][1]cpu", arg1_1: "f32[9, 4][4, 1]cpu", arg2_1: "i64[9][1]cpu"):
        a: "f32[5, 4][4, 1]cpu" = torch.ops.aten.full.default([5, 4], 0)
        p: "f32[5, 4][4, 1]cpu" = torch.ops.aten.index_put.default(a, [arg0_1], arg1_1, True)
        q: "f32[5, 4][4, 1]cpu" = torch.ops.aten._unsafe_index_put.default(p, [arg2_1], arg1_1)
        r: "f32[5, 4][4, 1]cpu" = torch.ops.aten.bernoulli.p(q, 0.5)
        return (r,)
)");
  Provenance Map;
  Map.KernelToPost["cpp_fused_0:1"] = {"a"};
  const auto Nodes = [&](const char *Calls) {
    std::map<uint32_t, std::string> Names;
    const OutputCode Code = parseOutputCode(Calls);
    for (const auto &[Call, Node] : nodesWithoutProvenance(Code, Graph, Map))
      Names[Call] = Graph.Nodes[Node].Name;
    return Names;
  };
  using Names = std::map<uint32_t, std::string>;
  EXPECT_EQ(Nodes("aten.index_put_(buf0, [arg0_1], arg1_1, True)\n"
                  "aten.index_put_(buf0, [arg2_1], arg1_1, False)\n"
                  "torch.ops.aten.bernoulli_.float(buf0, 0.5)\n"),
            (Names{{0, "p"}, {1, "q"}, {2, "r"}}));
  // The first has generated code: what the second reads tells it.
  EXPECT_EQ(Nodes("aten.index_put_(buf0, [arg2_1], arg1_1, False)\n"), (Names{{0, "q"}}));
  // Either may be meant.
  EXPECT_EQ(Nodes("aten.index_put_(buf0, [buf2], arg1_1, False)\n"), Names());
  Map.KernelToPost.clear(); // nothing is known of any call
  EXPECT_EQ(Nodes("torch.ops.aten.bernoulli_.float(buf0, 0.5)\n"), Names());
}

} // namespace
} // namespace seamscope::tools
