//===- FusedWorkTest.cpp - work of fused kernels, from their graphs -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/FusedWork.h"
#include "run/join/NodeWork.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

/// A graph with one input `x` of 8 by 4 floats and the given nodes.
FxGraph graphOf(const std::string &Nodes) {
  return parseFxGraph(
      "class <lambda>(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[8, 4][4, 1]cpu\", t: \"f32[100, 4][4, 1]cpu\", "
      "i: \"i64[8][1]cpu\", y: \"f32[s77, 4][4, 1]cpu\"):\n" +
      Nodes);
}

NodeFlop flopOf(const std::string &Type, const std::string &Call) {
  const FxGraph Graph =
      graphOf(fmt::format("        n: \"{}\" = torch.ops.{};  x = None\n", Type, Call));
  return flopOfNode(Graph, *Graph.find("n"));
}

TEST(NodeWork, ByTheFormulasOfOperators) {
  constexpr const char *Same = "f32[8, 4][4, 1]cpu";
  EXPECT_EQ(flopOf(Same, "aten.add.Tensor(x, 1)").Flop, 32);
  EXPECT_EQ(flopOf(Same, "aten.add.Tensor(x, x, alpha = 2)").Flop, 64);
  EXPECT_EQ(flopOf(Same, "aten.clamp.default(x, max = 6.0)").Flop, 32);
  EXPECT_EQ(flopOf(Same, "aten.rsqrt.default(x)").Flop, 64);
  EXPECT_EQ(flopOf("f32[8, 1]", "aten.sum.dim_IntList(x, [-1], True)").Flop, 32);
  EXPECT_EQ(flopOf("f32[8]", "aten.mean.dim(x, [1])").Flop, 32 + 8);
  EXPECT_EQ(flopOf("f32[]", "aten.mean.default(x)").Flop, 32 + 1);
  EXPECT_EQ(flopOf("", "aten.var_mean.correction(x, [1], correction = 0, keepdim = True)").Flop,
            4 * 32 + 2 * 8);
  EXPECT_EQ(flopOf("f32[8, 8]", "aten.mm.default(x, x)").Flop, std::nullopt); // 4 is not 8
  EXPECT_EQ(flopOf("f32[16, 4]", "aten.cat.default([x, x])").Flop, 0);
  EXPECT_EQ(flopOf("bf16[8, 4]", "prims.convert_element_type.default(x, torch.bfloat16)").Flop, 0);
  EXPECT_EQ(flopOf("f32[4, 8]", "aten.permute.default(x, [1, 0])").Flop, 0);
}

TEST(NodeWork, ReasonsNameTheOperator) {
  EXPECT_EQ(flopOf("f32[8]", "aten.frobnicate.default(x)").Why,
            "aten::frobnicate: no formula for this operator");
  EXPECT_EQ(flopOf("", "aten.sort.default(x)").Why,
            "aten::sort: the number of operations depends on the algorithm");
  EXPECT_EQ(flopOf("f32[s77, 4]", "aten.add.Tensor(y, 1)").Why,
            "aten::add: the size s77 is not known");
}

/// Two kernels of C++; `cpp_fused_1` reads `buf0`, as much as it says.
struct Compiled {
  CompiledGraphs Graphs;
  GraphWork Of;
  GraphFusedWork All;

  static CompiledGraphs read(const std::string &Nodes, const std::string &Code,
                             const std::string &Map) {
    CompileLog Log;
    CompiledGraph &Graph = Log.Graphs.emplace_back();
    Graph.PostGrad = graphOf(Nodes);
    Graph.Code = parseOutputCode(Code);
    EXPECT_TRUE(parseNodeMappings(Map, Graph.Map)) << Map;
    return CompiledGraphs(std::move(Log));
  }
  Compiled(const std::string &Nodes, const std::string &Code, const std::string &Map)
      : Graphs(read(Nodes, Code, Map)), Of(Graphs, 0, {}), All(Of) {}

  FusedWork work(size_t Call = 0) const { return All.of(Call); }
};

std::string kernel(const std::string &Name, const std::string &Parameters,
                   const std::string &Body = "") {
  return fmt::format("{} = async_compile.cpp_pybinding(['float*'], r'''\n"
                     "extern \"C\"  void  kernel({})\n{{\n{}\n}}\n''')\n",
                     Name, Parameters, Body);
}

std::string call(const std::string &Key, const std::string &Arguments) {
  return fmt::format("        # [Provenance debug handles] {}\n        {}({})\n", Key,
                     Key.substr(0, Key.find(':')), Arguments);
}

constexpr const char *Begin = "def call(args):\n"
                              "        x, t, i, y = args\n"
                              "        assert_size_stride(x, (8, 4), (4, 1), 'input')\n";
constexpr const char *Buffer = "        buf{} = empty_strided_cpu((8, 4), (4, 1), torch.float32)\n";

std::string buffer(int Number) { return fmt::format(fmt::runtime(Buffer), Number); }

constexpr const char *Chain =
    "        mul: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(x, 2)\n"
    "        add: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(mul, x)\n"
    "        sub: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.sub.Tensor(add, mul)\n";

TEST(FusedWork, NodesAndBuffersOfTheKernel) {
  const Compiled C(Chain,
                   kernel("cpp_fused_0", "const float* in_ptr0, float* out_ptr0") + Begin +
                       buffer(0) + call("cpp_fused_0:1", "x, buf0"),
                   R"({"cppCodeToPost": {"cpp_fused_0:1": ["mul", "add", "sub"]}})");
  // Three operations for each of 32 elements; x is used three times, but read once.
  EXPECT_EQ(C.work().Flop, 3 * 32);
  EXPECT_EQ(C.work().Bytes, 2 * 32 * 4);
  EXPECT_EQ(C.work().Compute, DType::Float32);
}

/// The second kernel gets `buf0`, in which the first one left a node.
Compiled shared(const std::string &Map, const std::string &Second = "buf0, buf1") {
  return Compiled(Chain,
                  kernel("cpp_fused_0", "const float* in_ptr0, float* out_ptr0") +
                      kernel("cpp_fused_1", "const float* in_ptr0, float* out_ptr0") + Begin +
                      buffer(0) + call("cpp_fused_0:1", "x, buf0") + buffer(1) +
                      call("cpp_fused_1:2", Second),
                  R"({"cppCodeToPost": {"cpp_fused_0:1": ["mul", "add"], )"
                  R"("cpp_fused_1:2": ["mul", "add", "sub"]})" +
                      Map + "}");
}

TEST(FusedWork, WhatIsReadIsNotComputed) {
  const std::string Buffers = R"(, "seamscopeBuffers": {"buf0": "add", "buf1": "sub"})";
  EXPECT_EQ(shared(Buffers).work(0).Flop, 2 * 32);
  // It reads add, but computes mul again.
  EXPECT_EQ(shared(Buffers).work(1).Flop, 2 * 32);
  EXPECT_EQ(shared(Buffers).work(1).Bytes, 2 * 32 * 4);
}

TEST(FusedWork, UnknownWhetherReadOrComputed) {
  const FusedWork Work = shared("").work(1);
  EXPECT_EQ(Work.Flop, std::nullopt);
  EXPECT_EQ(Work.FlopWhy, "it computes or reads mul");
  EXPECT_EQ(Work.Bytes, 2 * 32 * 4);
  // A kernel that reads nothing of the first computes all.
  EXPECT_EQ(shared("", "x, buf1").work(1).Flop, 3 * 32);
}

TEST(FusedWork, PartsOfAReductionAreNotKnown) {
  // The first kernel adds up blocks, the second one their sums. No node has the first one's result.
  const Compiled C("        sum_1: \"f32[]cpu\" = torch.ops.aten.sum.default(x)\n",
                   kernel("cpp_fused_0", "const float* in_ptr0, float* out_ptr0") +
                       kernel("cpp_fused_1", "const float* in_ptr0, float* out_ptr0") + Begin +
                       "        buf0 = empty_strided_cpu((4, ), (1, ), torch.float32)\n" +
                       call("cpp_fused_0:1", "x, buf0") +
                       "        buf1 = empty_strided_cpu((), (), torch.float32)\n" +
                       call("cpp_fused_1:2", "buf0, buf1"),
                   R"({"cppCodeToPost": {"cpp_fused_0:1": ["sum_1"], "cpp_fused_1:2": ["sum_1"]}, )"
                   R"("seamscopeBuffers": {"buf1": "sum_1"}})");
  for (const size_t Call : {0, 1}) {
    EXPECT_EQ(C.work(Call).Flop, std::nullopt);
    EXPECT_EQ(C.work(Call).FlopWhy, "several kernels run a part of sum_1");
  }
  EXPECT_EQ(C.work(0).Bytes, 32 * 4 + 4 * 4);
  EXPECT_EQ(C.work(1).Bytes, 4 * 4 + 4);
}

TEST(FusedWork, BuffersInPlace) {
  const std::string Map =
      R"({"cppCodeToPost": {"cpp_fused_0:1": ["mul"], "cpp_fused_1:2": ["add"]}})";
  const auto Second = [&](const std::string &Body) {
    return Compiled(Chain,
                    kernel("cpp_fused_0", "const float* in_ptr0, float* out_ptr0") +
                        kernel("cpp_fused_1", "float* in_out_ptr0, const float* in_ptr0", Body) +
                        Begin + buffer(0) + call("cpp_fused_0:1", "x, buf0") +
                        "        buf1 = buf0; del buf0  # reuse\n" +
                        call("cpp_fused_1:2", "buf1, x"),
                    Map)
        .work(1)
        .Bytes;
  };
  EXPECT_EQ(Second(""), 3 * 32 * 4); // read and written
  EXPECT_EQ(Second("auto in_ptr1 = in_out_ptr0;"), 3 * 32 * 4);
  // The kernel changes its own result: what was there before is not read.
  EXPECT_EQ(Second("auto out_ptr0 = in_out_ptr0;"), 2 * 32 * 4);
}

TEST(FusedWork, OwnScratchIsWrittenOnly) {
  // cat: both halves are parts of buf0, which is then read in the same kernel.
  const Compiled C(Chain,
                   kernel("cpp_fused_0",
                          "const float* in_ptr0, const float* in_ptr1, float* out_ptr0, "
                          "float* out_ptr1, float* out_ptr2") +
                       Begin + "        buf0 = empty_strided_cpu((8, 8), (8, 1), torch.float32)\n" +
                       "        buf1 = reinterpret_tensor(buf0, (8, 4), (8, 1), 0)  # alias\n" +
                       "        buf2 = reinterpret_tensor(buf0, (8, 4), (8, 1), 4)  # alias\n" +
                       buffer(3) + call("cpp_fused_0:1", "x, buf0, buf1, buf2, buf3"),
                   R"({"cppCodeToPost": {"cpp_fused_0:1": ["mul", "add"]}})");
  EXPECT_EQ(C.work().Bytes, 4 * 32 * 4);
}

/// One kernel, which reads x and another input and computes \p Nodes into buf0, of 32 floats.
FusedWork reading(const std::string &Nodes, const std::string &Names, const std::string &Inputs) {
  return Compiled(Nodes,
                  kernel("cpp_fused_0",
                         Inputs.find(',') == Inputs.npos
                             ? "const float* in_ptr0, float* out_ptr0"
                             : "const float* in_ptr0, const int64_t* in_ptr1, float* out_ptr0") +
                      Begin + buffer(0) + call("cpp_fused_0:1", Inputs + ", buf0"),
                  R"({"cppCodeToPost": {"cpp_fused_0:1": [)" + Names + "]}}")
      .work();
}

constexpr const char *Slices =
    "        a: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(t, 0, 0, 8)\n"
    "        b: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(t, 0, {}, 16)\n"
    "        add: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(a, b)\n";

TEST(FusedWork, PartsOfInputs) {
  const auto Two = [](int From) {
    return reading(fmt::format(fmt::runtime(Slices), From), R"("a", "b", "add")", "t");
  };
  EXPECT_EQ(Two(8).Flop, 32);
  EXPECT_EQ(Two(8).Bytes, 3 * 32 * 4);
  EXPECT_EQ(Two(7).BytesWhy, "it reads parts of t that may overlap");
  EXPECT_EQ(Two(7).Bytes, std::nullopt);
  // A lookup counts the requested rows, each time.
  const FusedWork Lookup =
      reading("        e: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.embedding.default(t, i)\n"
              "        add: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(e, 1)\n",
              R"("e", "add")", "t, i");
  EXPECT_EQ(Lookup.Bytes, 2 * 32 * 4 + 8 * 8);
  EXPECT_EQ(Lookup.Flop, 32);
}

TEST(FusedWork, PartOfAComputedNodeIsNotKnown) {
  const std::string Cut =
      "        exp: \"f32[100, 4][4, 1]cpu\" = torch.ops.aten.exp.default(t)\n"
      "        a: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(exp, 0, 0, 8)\n"
      "        add: \"f32[8, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(a, 1)\n";
  const FusedWork Work = reading(Cut, R"("exp", "a", "add")", "t");
  EXPECT_EQ(Work.Flop, std::nullopt);
  EXPECT_EQ(Work.FlopWhy, "aten::slice takes a part of exp");
  EXPECT_EQ(Work.Bytes, std::nullopt);
}

TEST(FusedWork, DataDecides) {
  const FusedWork Work = reading(
      "        p: \"f32[100, 4][4, 1]cpu\" = torch.ops.aten.index_put.default(t, [i], x, True)\n",
      R"("p")", "x, i");
  EXPECT_EQ(Work.Bytes, std::nullopt);
  EXPECT_EQ(Work.BytesWhy, "aten::index_put: shapes do not say what it reads and writes");
  EXPECT_EQ(Work.Flop, std::nullopt);
}

TEST(FusedWork, UnknownSizes) {
  const FusedWork Work = reading(
      "        add: \"f32[s77, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(y, 1)\n", R"("add")", "y");
  EXPECT_EQ(Work.FlopWhy, "aten::add: the size s77 is not known");
  EXPECT_EQ(Work.BytesWhy, "the size of y is not known");
}

TEST(FusedWork, KernelsInTriton) {
  const Compiled C(
      Chain,
      "triton_poi_fused_add_0 = async_compile.triton('triton_poi_fused_add_0', '''\n"
      "    triton_meta={'signature': {'in_ptr0': '*fp32', 'out_ptr0': '*bf16', 'xnumel': 'i32'}},\n"
      "def triton_poi_fused_add_0(in_ptr0, out_ptr0, xnumel, XBLOCK : tl.constexpr):\n"
      "    pass\n''', device_str='cuda')\n" +
          std::string(Begin) +
          "        buf0 = empty_strided_cuda((8, 4), (4, 1), torch.bfloat16)\n"
          "        # [Provenance debug handles] triton_poi_fused_add_0:1\n"
          "        triton_poi_fused_add_0.run(x, buf0, 32, stream=stream0)\n",
      R"({"cppCodeToPost": {"triton_poi_fused_add_0:1": ["mul", "add"]}})");
  EXPECT_EQ(C.work().Bytes, 32 * 4 + 32 * 2);
  EXPECT_EQ(C.work().Flop, 2 * 32);
}

TEST(FusedWork, AKernelWithoutNodesHasReasons) {
  const Compiled C(Chain,
                   kernel("cpp_fused_0", "const float* in_ptr0, float* out_ptr0") + Begin +
                       buffer(0) + "        cpp_fused_0(x, buf0)\n",
                   "{}");
  EXPECT_EQ(C.work().FlopWhy, "torch did not log which nodes it runs");
  EXPECT_EQ(C.work().Flop, std::nullopt);
}

} // namespace
} // namespace seamscope::tools
