//===- UnrolledLoopsTest.cpp - loops of Python that became copies in a graph ==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/UnrolledLoops.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

struct Captured {
  std::string Graph = "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n";
  std::string Nodes, Stacks;
  size_t Lines = 0;

  /// A line of scan.py, \p Callers above it.
  size_t line(unsigned Number, const std::string &Callers = "") {
    Stacks +=
        fmt::format("{}\"{}  File \\\"/p/scan.py\\\", line {}, in forward\\n    h = a * h\\n\"",
                    Lines ? ", " : "", Callers, Number);
    return Lines++;
  }

  void node(const std::string &Name, const std::string &Function, size_t Stack,
            const std::string &Module = "L['self']") {
    Graph += fmt::format("        {} = torch.{}(x)\n", Name, Function);
    Nodes += fmt::format("{}\"{}\": {{\"module\": \"{}\", \"class\": \"M\", \"stack\": {}}}",
                         Nodes.empty() ? "" : ", ", Name, Module, Stack);
  }

  std::optional<UnrolledLine> find(uint64_t Least) const {
    const auto Origins =
        parseNodeOrigins(fmt::format(R"({{"stacks": [{}], "nodes": {{{}}}}})", Stacks, Nodes));
    return Origins ? unrolledLine(parseFxGraph(Graph), *Origins, Least) : std::nullopt;
  }

  CompileLog log(int64_t CompileNs) const {
    CompileLog Log;
    CompiledGraph &Of = Log.Graphs.emplace_back();
    Of.Id = "0/0";
    Of.PreGrad = std::make_shared<const FxGraph>(parseFxGraph(Graph));
    Of.Origins = std::make_shared<const NodeOrigins>(
        *parseNodeOrigins(fmt::format(R"({{"stacks": [{}], "nodes": {{{}}}}})", Stacks, Nodes)));
    FrameCompile &Frame = Log.Frames.emplace_back();
    Frame.Id = "0/0";
    Frame.EntireNs = CompileNs;
    return Log;
  }
};

Captured scan() {
  Captured Scan;
  const size_t First = Scan.line(3), Loop = Scan.line(15), After = Scan.line(16);
  Scan.node("exp", "exp", First);
  for (int I = 0; I < 64; ++I) {
    Scan.node(fmt::format("at_{}", 2 * I), "select", Loop);
    Scan.node(fmt::format("mul_{}", I), "mul", Loop);
    Scan.node(fmt::format("at_{}", 2 * I + 1), "select", Loop);
    Scan.node(fmt::format("add_{}", I), "add", Loop);
    Scan.node(fmt::format("sum_{}", I), "sum", After);
  }
  return Scan;
}

TEST(UnrolledLoops, CopiesOfALineAreCounted) {
  const auto Found = scan().find(16);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Where.Line, 15u);
  EXPECT_EQ(Found->Copies, 64u) << "select is in the line twice";
  EXPECT_EQ(Found->Nodes, 256u);
  EXPECT_EQ(Found->AllNodes, 320u);
  EXPECT_EQ(Found->GraphNodes, 321u);
  EXPECT_FALSE(scan().find(65));
}

TEST(UnrolledLoops, LayersAndHelpersAreNoCopies) {
  Captured Layers;
  const size_t Line = Layers.line(9);
  for (int I = 0; I < 64; ++I)
    Layers.node(fmt::format("tanh_{}", I), "tanh", Line, fmt::format("L['self'].h[{}]", I));
  EXPECT_FALSE(Layers.find(16));
  Captured Helper;
  for (unsigned I = 0; I < 64; ++I)
    Helper.node(fmt::format("tanh_{}", I), "tanh",
                Helper.line(9, fmt::format("  File \\\"/p/scan.py\\\", line {}, in f\\n    g(x)\\n",
                                           100 + I)));
  EXPECT_FALSE(Helper.find(16)) << "it is called from as many lines";
}

TEST(UnrolledLoops, AFindingOfWhatTookLongToCompile) {
  const std::vector<Advice> Found = adviseOnUnrolledLoops(scan().log(14'200'000'000));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Evidence,
            "scan.py: line 15 became 64 copies in graph 0/0; copies are 100 % of "
            "its 321 nodes, and compiling it took 14.2 s");
  EXPECT_FALSE(Found[0].InWindow);
  EXPECT_TRUE(adviseOnUnrolledLoops(scan().log(1'000'000'000)).empty());
}

} // namespace
} // namespace seamscope::tools
