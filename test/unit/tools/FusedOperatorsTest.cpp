//===- FusedOperatorsTest.cpp - what operators in a fused kernel executed --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/FusedOperators.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

/// exp is computed by two loops, and by their loops for the rest; the load of line 5 is shared.
constexpr std::string_view Source = R"(#include <vec.h>
void kernel()
{
for (int64_t x0=static_cast<int64_t>(0L); x0<96; x0+=16) {
  auto tmp0 = load(in_ptr0 + x0); // [seamscope ]
  auto tmp1 = tmp0.exp(); // [seamscope 0:0]
  tmp_acc0 = tmp_acc0 + tmp1; // [seamscope 0:1]
}
for (int64_t x0=static_cast<int64_t>(96L); x0<100; x0+=1) {
  auto tmp1 = tmp0.exp(); // [seamscope 0:0]
}
for (int64_t x0=0; x0<96; x0+=16) {
  auto tmp1 = tmp0.exp(); // [seamscope 1:0]
  auto tmp2 = tmp1 / tmp_acc0; // [seamscope 1:2]
  if (C10_UNLIKELY(x0)) {
    for (int64_t x1=0; x1<4; x1+=1) {
      auto tmp1 = tmp0.exp(); // [seamscope 1:0]
    }
  }
}
}
)";

constexpr std::string_view Post = R"(class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[100]"):
        exp: "f32[100]" = torch.ops.aten.exp.default(arg0_1)
        sum_1: "f32[]" = torch.ops.aten.sum.default(exp)
        div: "f32[100]" = torch.ops.aten.div.Tensor(exp, sum_1)
        return (div,)
)";

CompiledGraph graph(const char *Operators, const char *Direction = "") {
  CompiledGraph Graph;
  Graph.Id = "0/0";
  Graph.PostGrad = parseFxGraph(Post);
  Graph.Code = parseOutputCode("cpp_fused_0 = async_compile.cpp_pybinding([], r'''\n''')\n"
                               "# [Provenance debug handles] cpp_fused_0:1\n"
                               "cpp_fused_0(arg0_1, buf0)\n"
                               "# [Provenance debug handles] cpp_fused_0:2\n"
                               "cpp_fused_0(arg0_1, buf1)\n");
  if (*Direction == 'f')
    Graph.Code.Direction = GraphDirection::Forward;
  if (*Direction == 'b')
    Graph.Code.Direction = GraphDirection::Backward;
  const std::string Map = std::string("{\"cppCodeToPost\": {\"cpp_fused_0:1\": [\"exp\"], "
                                      "\"cpp_fused_0:2\": [\"exp\"]}, \"seamscopeOperators\": ") +
                          Operators + "}";
  EXPECT_TRUE(parseNodeMappings(Map, Graph.Map));
  return Graph;
}

LineWork line(uint32_t Number, const char *Key, uint64_t Count, const char *File = "k.cpp") {
  LineWork Of{File, Number, {}};
  Of.Work.Counts[Key] = {Count, Count};
  return Of;
}

KernelWork work() {
  KernelWork Of;
  Of.Lines = {line(1, "f32.add", 100, "vec.h"), line(5, "read", 40),
              line(6, "call.expf", 96),         line(7, "f32.add", 96),
              line(10, "call.expf", 4),         line(13, "call.expf", 192),
              line(14, "f32.div", 96),          line(17, "call.expf", 8)};
  for (const LineWork &Each : Of.Lines)
    Of.All.add(Each.Work);
  return Of;
}

struct Known {
  CompiledGraphs Graphs;
  KernelWork Work = work();
  std::optional<FusedKernel> Found;

  explicit Known(std::vector<CompiledGraph> All, std::vector<uint32_t> Uses = {0},
                 std::string_view Template = {})
      : Graphs([&] {
          CompileLog Log;
          Log.Graphs = std::move(All);
          return Log;
        }()) {
    GeneratedKernel Kernel;
    Kernel.Uses = std::move(Uses);
    Kernel.Source = Source;
    Kernel.Template = Template;
    Found = fusedOperators(Graphs, Kernel, Work, "k.cpp");
  }
};

constexpr const char *Once = R"({"cpp_fused_0:1": [["exp"], ["sum_1"], ["div"]]})";

} // namespace

TEST(FusedOperators, AddUpToTheKernel) {
  const Known Of({graph(Once)});
  ASSERT_TRUE(Of.Found);
  ASSERT_EQ(Of.Found->Operators.size(), 4u);
  EXPECT_EQ(Of.Found->Operators[0].Work.mathCalls().at("expf").Most, 300u);
  EXPECT_EQ(Of.Found->Operators[1].Work.flop().Most, 96u);
  EXPECT_EQ(Of.Found->Operators[2].Nodes, (std::vector<std::vector<uint32_t>>{{3}}));
  // Lines of other files, and without a number, belong to none.
  const FusedOperator &Rest = Of.Found->Operators[3];
  EXPECT_TRUE(Rest.isRest());
  EXPECT_EQ(Rest.Work.flop().Most, 100u);
  EXPECT_EQ(Rest.Work.bytesRead().Most, 40u);
  ExecutedWork Sum;
  for (const FusedOperator &Each : Of.Found->Operators)
    Sum.add(Each.Work);
  for (const auto &[Key, Count] : Of.Work.All.Counts)
    EXPECT_EQ(Sum.count(Key).Most, Count.Most) << Key;
}

TEST(FusedOperators, LaterLoopsComputeAgain) {
  const Known Of({graph(Once)});
  const FusedOperator &Exp = Of.Found->Operators[0];
  EXPECT_TRUE(Exp.IsRecomputed);
  // Loops over rests may belong to either.
  EXPECT_EQ(Exp.Again->mathCalls().at("expf").Least, 192u);
  EXPECT_EQ(Exp.Again->mathCalls().at("expf").Most, 192u + 4 + 8);
  EXPECT_FALSE(Of.Found->Operators[2].IsRecomputed);
  EXPECT_TRUE(Of.Found->Operators[2].Again->Counts.empty());
  // Tiles of templates are no such loops.
  EXPECT_FALSE(Known({graph(Once)}, {0}, "gemm").Found->Operators[0].IsRecomputed);
}

TEST(FusedOperators, LaterKernelsComputeAgain) {
  constexpr const char *Twice = R"({"cpp_fused_0:1": [["div"], ["sum_1"], ["exp"]],
                                    "cpp_fused_0:2": [["div"], ["sum_1"], ["exp"]]})";
  const Known First({graph(Twice)}), Second({graph(Twice)}, {1}), Both({graph(Twice)}, {0, 1});
  EXPECT_TRUE(First.Found->Operators[2].IsRecomputed);
  EXPECT_TRUE(First.Found->Operators[2].Again->Counts.empty());
  EXPECT_EQ(Second.Found->Operators[2].Again->flop().Most, 96u);
  // One sum stands for a first and a second computation.
  EXPECT_FALSE(Both.Found->Operators[2].Again);
  // Each call adds up a part of a reduction.
  EXPECT_FALSE(Second.Found->Operators[1].IsRecomputed);
}

TEST(FusedOperators, BackwardPassesComputeAgain) {
  std::vector<CompiledGraph> Graphs = {graph(Once, "forward"), graph(Once, "backward")};
  const Known Forward(Graphs, {0}), Backward(Graphs, {2});
  EXPECT_TRUE(Forward.Found->Operators[2].IsRecomputed);
  EXPECT_TRUE(Forward.Found->Operators[2].Again->Counts.empty());
  EXPECT_EQ(Backward.Found->Operators[2].Again->flop().Most, 96u);
}

TEST(FusedOperators, JoinedInstructionsAreMarked) {
  constexpr std::string_view Code = R"(for (int64_t x0=0; x0<96; x0+=16) {
  auto tmp1 = at::vec::convert<double,2,float,1>(tmp0); // [seamscope 0:0]
  auto tmp2 = tmp1 / tmp3; // [seamscope 0:1]
  auto tmp4 = tmp2 + tmp1; // [seamscope 0:2]
}
)";
  const auto Joined = [&](std::vector<LineWork> Lines) {
    Known Of({graph(Once)});
    Of.Work = {};
    for (const LineWork &Each : Lines)
      Of.Work.All.add(Each.Work);
    Of.Work.Lines = std::move(Lines);
    GeneratedKernel Kernel;
    Kernel.Uses = {0};
    Kernel.Source = Code;
    std::string Text;
    const auto Found = fusedOperators(Of.Graphs, Kernel, Of.Work, "k.cpp");
    for (const FusedOperator &Each : Found->Operators)
      Text += Each.IsJoined ? 'x' : '-';
    return Text;
  };
  EXPECT_EQ(Joined({line(2, "f64.convert", 9), line(3, "f64.div", 9), line(4, "f64.add", 9)}),
            "----");
  // The division is at the conversion, which cannot divide.
  EXPECT_EQ(Joined({line(2, "f64.div", 9), line(4, "f64.add", 9)}), "xx--");
  EXPECT_EQ(Joined({line(2, "f64.convert", 9), line(4, "f64.fma", 9)}), "-xx-");
  EXPECT_EQ(Joined({line(2, "f64.convert", 9), line(3, "read", 9), line(4, "f64.mul", 9)}), "-xx-");
  // The conversion has one division and one addition for each value, and these statements none.
  LineWork All = line(2, "f64.convert", 9);
  All.Work.Counts["f64.div"] = All.Work.Counts["f64.add"] = {9, 9};
  EXPECT_EQ(Joined({All}), "----");
  // The second addition, or that of the third statement.
  All.Work.Counts["f64.add"] = {18, 18};
  EXPECT_EQ(Joined({All}), "xxx-");
  All.Work.Counts["f64.add"] = {9, 9};
  EXPECT_EQ(Joined({All, line(4, "f64.add", 9)}), "xx--");
  // Division by a power of two.
  EXPECT_EQ(Joined({line(2, "f64.convert", 9), line(3, "f64.mul", 9), line(4, "f64.add", 9)}),
            "----");
  // A division that is nowhere was left out.
  EXPECT_EQ(Joined({line(2, "f64.convert", 9), line(4, "f64.add", 9)}), "----");
}

TEST(FusedOperators, UnknownIsNeverGuessed) {
  EXPECT_FALSE(Known({graph("{}")}).Found);
  EXPECT_FALSE(Known({graph(R"({"cpp_fused_0:1": [["exp"], ["sum_1"]]})")}).Found);
  EXPECT_FALSE(Known({graph(R"({"cpp_fused_0:1": [["exp"], ["sum_1"], ["other"]]})")}).Found);
  EXPECT_FALSE(Known({graph(R"({"cpp_fused_0:1": [["exp"], 3, ["div"]]})")}).Found);
}

TEST(FusedOperators, UnknownWorkMayBeInEach) {
  Known Of({graph(Once)});
  Of.Work.All.Unknown = {"a call of f"};
  GeneratedKernel Kernel;
  Kernel.Uses = {0};
  Kernel.Source = Source;
  const auto Found = fusedOperators(Of.Graphs, Kernel, Of.Work, "k.cpp");
  for (const FusedOperator &Each : Found->Operators)
    EXPECT_FALSE(Each.Work.isExact());
}
