//===- LoopNodesTest.cpp - the nodes that a loop of a generated kernel computes ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/LoopNodes.h"

#include <gtest/gtest.h>

#include <memory>

using namespace seamscope::tools;

namespace {

/// "FIRST-LAST:BUFFER,BUFFER" of each loop.
std::vector<std::string> loopsIn(std::string_view Source) {
  std::vector<std::string> Texts;
  for (const CodeLoop &Loop : codeLoops(Source)) {
    std::string Text = std::to_string(Loop.First) + "-" + std::to_string(Loop.Last);
    for (size_t I = 0; I < Loop.Buffers.size(); ++I)
      Text += (I ? "," : ":") + std::to_string(Loop.Buffers[I]);
    Texts.push_back(std::move(Text));
  }
  return Texts;
}

using Texts = std::vector<std::string>;

/// A reduction, then what uses it, as of a softmax, in a parallel region.
constexpr std::string_view Softmax = R"(#pragma omp parallel
{
    #pragma omp for
    for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(8L); x0+=1)
    {
        {
            float tmp_acc0 = 0;
            for(int64_t x1=0; x1<100; x1+=16)
            {
                if(C10_LIKELY(x1 >= 0 && x1 < 96))
                {
                    auto tmp4 = tmp3.exp(); // [seamscope 0]
                    tmp_acc0_vec = tmp_acc0_vec + tmp4; // [seamscope 1]
                }
                if(C10_UNLIKELY(x1 >= 96 && x1 < 100))
                {
                    auto tmp4 = tmp3.exp(); // [seamscope 0]
                    tmp_acc0_vec = sum_masked_reduce(tmp_acc0_vec, tmp4, 4); // [seamscope 1]
                }
            }
            tmp_acc0 = tmp_acc0 + vec_reduce_all<float, 1>([](V& x, V& y) { return x + y; }, tmp_acc0_vec); // [seamscope 1]
            out_ptr1[x0] = static_cast<float>(tmp_acc0); // [seamscope 1]
        }
        for(int64_t x1=0; x1<100; x1+=16)
        {
            tmp5.store(out_ptr2 + x1); // [seamscope 2]
        }
    }
    #pragma omp for
    for(int64_t x0=0; x0<8; x0+=1)
    {
        out_ptr3[x0] = tmp0; // [seamscope 3]
    }
}
)";

const char *const Mappings = R"({
  "cppCodeToPost": {"cpp_fused_0:1": ["sub", "exp", "sum_1", "div", "relu"]},
  "postToPre": {"exp": ["s"], "sub": ["s"], "sum_1": ["s"], "div": ["s"], "relu": ["y"]},
  "seamscopeStatements": {"cpp_fused_0:1": [["exp", "sub"], ["sum_1"], ["div"], ["elsewhere"]]}})";

constexpr std::string_view Post = R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 100]"):
        sub: "f32[8, 100]" = torch.ops.aten.sub.Tensor(arg0_1, 1)
        exp: "f32[8, 100]" = torch.ops.aten.exp.default(sub)
        sum_1: "f32[8, 1]" = torch.ops.aten.sum.dim_IntList(exp, [-1], True)
        div: "f32[8, 100]" = torch.ops.aten.div.Tensor(exp, sum_1)
        relu: "f32[8, 100]" = torch.ops.aten.relu.default(div)
        elsewhere: "f32[8, 100]" = torch.ops.aten.relu.default(relu)
        return (relu, elsewhere)
)";

constexpr std::string_view Pre = R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 100]"):
        s: "f32[8, 100]" = torch.softmax(L_x_, -1)
        y: "f32[8, 100]" = torch.relu(s)
        return (y,)
)";

CompiledGraphs graphs(const char *Map = Mappings) {
  CompileLog Log;
  CompiledGraph &Graph = Log.Graphs.emplace_back();
  Graph.PostGrad = parseFxGraph(Post);
  Graph.PreGrad = std::make_shared<const FxGraph>(parseFxGraph(Pre));
  Graph.Code = parseOutputCode("cpp_fused_0 = async_compile.cpp_pybinding([], r'''\n''')\n"
                               "# [Provenance debug handles] cpp_fused_0:1\n"
                               "cpp_fused_0(arg0_1, buf0)\n");
  EXPECT_TRUE(parseNodeMappings(Map, Graph.Map));
  return CompiledGraphs(std::move(Log));
}

std::string nodesAt(const CompiledGraphs &Graphs, uint32_t Line) {
  const auto Nodes = nodesOfLoop(Graphs, Graphs.uses()[0], codeLoops(Softmax), Line);
  if (!Nodes)
    return "unknown";
  std::string Text;
  for (const uint32_t Node : Nodes->PostNodes)
    Text += Graphs.log().Graphs[0].PostGrad.Nodes[Node].Name + ' ';
  for (const uint32_t Node : Nodes->PreNodes)
    Text += "<" + Graphs.log().Graphs[0].PreGrad->Nodes[Node].Name;
  return Text;
}

} // namespace

TEST(LoopNodes, NestedAndTailsOfVectors) {
  EXPECT_EQ(loopsIn(Softmax), (Texts{"3-28:0,1,2", "8-20:0,1", "24-27:2", "29-33:3"}));
}

TEST(LoopNodes, MaskedStatements) {
  EXPECT_EQ(
      loopsIn(
          "for(int i=0; i<4; i+=1)\n{\n"
          "  auto tmp1 = [&] // [seamscope 4]\n  {\n    auto tmp2 = f(x); // [seamscope 4]\n"
          "    return tmp2;\n  }\n  ;\n"
          "  auto tmp3 = tmp0 ? tmp1() : g([&]\n  {\n    return h(tmp2, [](int a) { return a; });\n"
          "  }); // [seamscope 5]\n}\n"),
      Texts{"1-13:4,5"});
}

TEST(LoopNodes, DirectivesBelongToTheLoopBehindThem) {
  EXPECT_EQ(loopsIn("#pragma omp parallel for collapse(2)\nfor (;;)\n{\n  for (;;)\n  {\n  }\n}\n"
                    "#pragma omp simd\nfor (;;)\n{\n}\n#define f for (;;) {\n"),
            (Texts{"1-7", "4-6", "9-11"}));
}

TEST(LoopNodes, BracesInTextAreNone) {
  EXPECT_EQ(
      loopsIn("for (;;) { // {{ for(;;) { [seamscope 1]\n  /* { \n */ f(\"{for(\", '{', 1'000, "
              "R\"x(}\n})x\"); // [seamscope 7]\n}\n"),
      Texts{"1-5:7"});
}

TEST(LoopNodes, WhatCannotBeToldIsNoLoop) {
  // One statement; two on a line; names that only begin so.
  EXPECT_EQ(loopsIn("for (;;)\n  f(); // [seamscope 0]\nforty(1);\n{\n}\n"), Texts{});
  EXPECT_EQ(loopsIn("for (;;) { a(); } for (;;) { b(); }\nfor (;;)\n{\n}\n"), Texts{"2-4"});
  for (const char *Broken : {"for (;;) {\n", "}\nfor (;;)\n{\n}\n", "for (;;)\n{\n( }\n",
                             "for (;;)\n{\n \"\n}\n", "/* for (;;) {}", "R\"x(", ")"})
    EXPECT_EQ(loopsIn(Broken), Texts{}) << Broken;
}

TEST(LoopNodes, NodesOfEachLoop) {
  const CompiledGraphs Graphs = graphs();
  EXPECT_EQ(nodesAt(Graphs, 8), "sub exp sum_1 <s");
  EXPECT_EQ(nodesAt(Graphs, 24), "div <s");
  EXPECT_EQ(nodesAt(Graphs, 3), "sub exp sum_1 div <s");
}

TEST(LoopNodes, UnknownIsNeverGuessed) {
  EXPECT_EQ(nodesAt(graphs(), 29), "unknown"); // a node that the kernel does not have
  EXPECT_EQ(nodesAt(graphs(), 9), "unknown");  // no loop begins there
  EXPECT_EQ(nodesAt(graphs(R"({"cppCodeToPost": {"cpp_fused_0:1": ["sub", "exp"]}})"), 8),
            "unknown");
  EXPECT_EQ(nodesAt(graphs(R"({"cppCodeToPost": {"cpp_fused_0:1": ["sub", "exp"]},
                              "seamscopeStatements": {"cpp_fused_0:1": [["exp", "sub"], 7]}})"),
                    8),
            "unknown");
  EXPECT_EQ(nodesAt(graphs(R"({"cppCodeToPost": {"cpp_fused_0:1": ["sub", "exp"]},
                              "seamscopeStatements": {"cpp_fused_0:1": [["exp", "sub"]]}})"),
                    8),
            "unknown");
}

TEST(LoopNodes, StatementsHaveNumbersOfTheirOwn) {
  constexpr std::string_view Code = "for (;;)\n{\n  a = load(p); // [seamscope :3]\n"
                                    "  b = a + a; // [seamscope 1:12]\n  c = b; // [seamscope 2]\n"
                                    "  d = c; // [seamscope 2:x]\n}\n";
  EXPECT_EQ(loopsIn(Code), Texts{"1-7:1,2"});
  EXPECT_EQ(markedLines(Code), (std::map<uint32_t, uint32_t>{{3, 3}, {4, 12}}));
}

TEST(LoopNodes, InnermostLoopsAndThoseOfRests) {
  const std::vector<CodeLoop> Loops = codeLoops(Softmax);
  EXPECT_EQ(innermostLoop(Loops, 11)->First, 8u);
  EXPECT_EQ(innermostLoop(Loops, 21)->First, 3u);
  EXPECT_EQ(innermostLoop(Loops, 34), nullptr);
  for (const auto &[Code, IsRest] :
       {std::pair("for (int64_t x=static_cast<int64_t>(0L); x<9; x+=1)\n{\n}\n", false),
        {"for (int64_t x=static_cast<int64_t>(16L); x<19; x+=1)\n{\n}\n", true},
        {"for (int64_t x=16L; x<19; x+=1)\n{\n}\n", true},
        {"for (int64_t x=n; x<19; x+=1)\n{\n}\n", false},
        {"{\nif(C10_LIKELY(x >= 0)) {\nfor (;;)\n{\n}\n}\n}", false},
        {"{\nif(C10_UNLIKELY(x >= 0)) {\nfor (;;)\n{\n}\n}\n}", true}})
    EXPECT_EQ(codeLoops(Code).at(0).IsRest, IsRest) << Code;
}

TEST(LoopNodes, MarksAreNotShown) {
  EXPECT_EQ(withoutMark("  a = b; // [seamscope :3]"), "  a = b;");
  EXPECT_EQ(withoutMark("  a = b; // [seamscope 12]"), "  a = b;");
  EXPECT_EQ(withoutMark("a = b; // mine"), "a = b; // mine");
}
