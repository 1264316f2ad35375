//===- CompileLogTest.cpp - torch's logs, graphs and output code -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestFile.h"
#include "torch/CompiledGraphs.h"
#include "torch/EagerOps.h"
#include "torch/LogReader.h"
#include "torch/NestedNodes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

constexpr const char *Captured = R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 64][64, 1]cpu", L_w_: "f32[64, s77][64, 1]cpu"):
        l_x_ = L_x_
        l_w_ = L_w_

        # File: /src/a b.py:7 in forward, code: h = relu(x @ w), "in code: x"
        matmul: "f32[8, 64][64, 1]cpu" = l_x_ @ l_w_;  l_w_ = None
        h: "f32[8, 64][64, 1]cpu" = torch.nn.functional.relu(matmul, inplace = True);  matmul = None

        # File: /src/a b.py:8 in forward, code: h += x
        h += l_x_;  h_1: "f32[8, 64][64, 1]cpu" = h;  h = l_x_ = None

        # File: /src/a b.py:9 in forward, code: q, k = h.chunk(2, -1)
        chunk = h_1.chunk(2, -1)
        q: "f32[8, 32][64, 1]cpu" = chunk[0]
        part: "f32[8, 1, 16][64, 32, 1]cpu" = q[(slice(None, None, None), None, slice(None, 16, None))];  q = None
        sub: "f32[8, 1, 16][16, 16, 1]cpu" = 1 - part;  part = None

        # No stacktrace found for following nodes
        mask: "f32[8, 1, 16][16, 16, 1]cpu" = sub.masked_fill("a;  b = (", 1.0);  sub = None
        return (mask, chunk)
)";

TEST(FxGraph, ReadsNodes) {
  const FxGraph Graph = parseFxGraph(Captured);
  ASSERT_EQ(Graph.Nodes.size(), 12u);
  const auto Node = [&](const char *Name) { return Graph.Nodes[Graph.find(Name).value()]; };
  EXPECT_EQ(Node("l_x_").Kind, FxNodeKind::Placeholder);
  EXPECT_EQ(Node("l_x_").Type, "f32[8, 64][64, 1]cpu");
  EXPECT_EQ(Node("matmul").Target, "@");
  EXPECT_EQ(Node("matmul").shape(), "f32[8, 64]");
  EXPECT_EQ(Node("L_w_").shape(), "f32[64, s77]");
  EXPECT_EQ(Node("matmul").Inputs,
            (std::vector<uint32_t>{*Graph.find("l_x_"), *Graph.find("l_w_")}));
  EXPECT_EQ(Node("h").Target, "torch.nn.functional.relu");
  EXPECT_EQ(Node("h_1").Target, "+=");
  EXPECT_EQ(Node("h_1").Inputs, (std::vector<uint32_t>{*Graph.find("h"), *Graph.find("l_x_")}));
  EXPECT_EQ(Node("chunk").Kind, FxNodeKind::Method);
  EXPECT_EQ(Node("chunk").Target, "chunk");
  EXPECT_EQ(Node("q").Kind, FxNodeKind::Item);
  EXPECT_EQ(Node("mask").Target, "masked_fill");
  EXPECT_EQ(Graph.Outputs, (std::vector<std::string>{"mask", "chunk"}));
  const SourceLine *Line = Graph.lineOf(*Graph.find("h"));
  ASSERT_TRUE(Line);
  EXPECT_EQ(Line->File, "/src/a b.py");
  EXPECT_EQ(Line->Line, 7u);
  EXPECT_EQ(Line->Function, "forward");
  EXPECT_EQ(Line->Code, "h = relu(x @ w), \"in code: x\"");
  EXPECT_EQ(Graph.lineOf(*Graph.find("h_1"))->Line, 8u);
  EXPECT_FALSE(Graph.lineOf(*Graph.find("mask")));
  EXPECT_FALSE(Graph.lineOf(*Graph.find("l_x_")));
}

TEST(FxGraph, KnowsEagerOps) {
  const FxGraph Graph = parseFxGraph(Captured);
  const auto Ops = [&](const char *Name) { return eagerOps(Graph, *Graph.find(Name)); };
  using Names = std::vector<std::string>;
  EXPECT_EQ(Ops("matmul"), Names{"aten::matmul"});
  EXPECT_EQ(Ops("h"), Names{"aten::relu_"});
  EXPECT_EQ(Ops("h_1"), Names{"aten::add_"});
  EXPECT_EQ(Ops("chunk"), Names{"aten::chunk"});
  EXPECT_EQ(Ops("q"), Names{}); // of a tuple
  EXPECT_EQ(Ops("part"), (Names{"aten::unsqueeze", "aten::slice"}));
  EXPECT_EQ(Ops("sub"), Names{"aten::rsub"});
  EXPECT_EQ(Ops("l_x_"), Names{});
}

TEST(FxGraph, ItemsThatAreSet) {
  const FxGraph Graph = parseFxGraph(R"(
        result: "f32[8, 8]" = x.clone()
        result[(slice(1, -1, None), 0)] = add;  setitem = result;  add = setitem = None
        result[(rows, slice(None, None, None))] = 1.5;  setitem_1 = result;  rows = setitem_1 = None
        result[2] = 1.5;  setitem_2 = result;  setitem_2 = None
)");
  using Names = std::vector<std::string>;
  EXPECT_EQ(eagerOps(Graph, Graph.find("setitem").value()),
            (Names{"aten::slice", "aten::select", "aten::copy_"}));
  EXPECT_EQ(eagerOps(Graph, Graph.find("setitem_1").value()), Names{"aten::index_put_"});
  EXPECT_EQ(eagerOps(Graph, Graph.find("setitem_2").value()),
            (Names{"aten::select", "aten::fill_"}));
}

TEST(FxGraph, SignatureOverSeveralLines) {
  const FxGraph Graph =
      parseFxGraph("class inner_f(torch.nn.Module):\n"
                   "    def forward(\n"
                   "        self,\n"
                   "        primals_1: \"f32[2][1]cpu\",  # PlainAOTInput(idx=0)\n"
                   "        s1: \"Sym(s1)\",\n"
                   "    ):\n"
                   "        neg: \"f32[2][1]cpu\" = torch.ops.aten.neg.default(primals_1)\n"
                   "        return (neg,)\n");
  ASSERT_EQ(Graph.Nodes.size(), 3u);
  EXPECT_EQ(Graph.Nodes[1].Type, "Sym(s1)");
  EXPECT_EQ(eagerOps(Graph, 2), std::vector<std::string>{"aten::neg"});
}

TEST(FxGraph, ANestedGraphStandsWhereItRuns) {
  const FxGraph Graph = parseFxGraph(R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4]", L_y_: "f32[4]"):
        l_x_ = L_x_
        # File: /m.py:3 in f, code: return Square.apply(x.sin(), y)
        arg: "f32[4]" = l_x_.sin();  l_x_ = None
        fwd_body_0 = self.fwd_body_0
        bwd_body_0 = self.bwd_body_0
        apply = torch.ops.higher_order.autograd_function_apply(fwd_body_0, bwd_body_0, arg, L_y_, dim = [0]);  fwd_body_0 = bwd_body_0 = arg = None
        getitem: "f32[4]" = apply[0];  apply = None
        cos: "f32[4]" = getitem.cos();  getitem = None
        wrap_body_0 = self.wrap_body_0
        once = torch.ops.higher_order.wrap(wrap_body_0, cos)
        twice = torch.ops.higher_order.wrap(wrap_body_0, cos);  wrap_body_0 = None
        then_0 = self.then_0
        either = torch.ops.higher_order.cond(cos, then_0, then_0, (cos,))
        return (once, twice, either)

    class fwd_body_0(torch.nn.Module):
        def forward(self, ctx, sin: "f32[4]",
                    dim: "f32[4]"):
            # File: /m.py:9 in forward, code: p = x.clamp(0)
            apply: "f32[4]" = sin.clamp(dim = 0);  sin = None
            # File: /m.py:10 in forward, code: p *= y
            apply *= dim;  outs: "f32[4]" = apply;  apply = dim = None
            return ((outs,), (outs,))

    class bwd_body_0(torch.nn.Module):
        def forward(self, grad: "f32[4]"):
            mul: "f32[4]" = 2 * grad
            return (mul,)

    class wrap_body_0(torch.nn.Module):
        def forward(self, cos: "f32[4]"):
            exp: "f32[4]" = cos.exp()
            return (exp,)

    class then_0(torch.nn.Module):
        def forward(self, cos: "f32[4]"):
            neg: "f32[4]" = -cos
            return (neg,)
)");
  std::string Names;
  for (const FxNode &Node : Graph.Nodes)
    if (Node.Kind == FxNodeKind::Method || Node.Kind == FxNodeKind::Operator)
      Names += Node.Name + ' ';
  EXPECT_EQ(Names, "arg fwd_body_0__apply fwd_body_0__outs cos wrap_body_0__exp "
                   "wrap_body_0__2__exp neg ");
  const FxNode &Clamp = Graph.Nodes.at(Graph.find("fwd_body_0__apply").value());
  EXPECT_EQ(Clamp.Text, "arg.clamp(dim = 0)");
  EXPECT_EQ(Clamp.Within, "apply");
  EXPECT_EQ(Graph.lineOf(*Graph.find("fwd_body_0__apply"))->Line, 9u);
  const FxNode &Product = Graph.Nodes.at(Graph.find("fwd_body_0__outs").value());
  EXPECT_EQ(Product.Inputs,
            (std::vector<uint32_t>{*Graph.find("fwd_body_0__apply"), *Graph.find("L_y_")}));
  EXPECT_EQ(Graph.lineOf(*Graph.find("fwd_body_0__outs"))->Line, 10u);
  // The call stands for what its graph returns, and is no operator itself.
  const uint32_t Apply = Graph.find("apply").value();
  EXPECT_EQ(Graph.Nodes[Apply].Inputs, std::vector<uint32_t>{*Graph.find("fwd_body_0__outs")});
  EXPECT_TRUE(eagerOps(Graph, Apply).empty());
  // The lines behind it are the outer graph's again.
  EXPECT_EQ(Graph.lineOf(*Graph.find("cos"))->Line, 3u);
  EXPECT_TRUE(Graph.Nodes[*Graph.find("cos")].Within.empty());
  EXPECT_EQ(Graph.Outputs, (std::vector<std::string>{"once", "twice", "either"}));
}

TEST(FxGraph, GraphsThatNestWithoutEndEnd) {
  std::string Text = "class G(torch.nn.Module):\n";
  for (const char *Class : {"", "class b(torch.nn.Module):\n"})
    Text += std::string(Class) + "def forward(self, x):\nb = self.b\n"
                                 "y = torch.ops.higher_order.wrap(b, x)\n"
                                 "z = torch.ops.higher_order.wrap(b, y)\nreturn (z,)\n";
  EXPECT_LT(parseFxGraph(Text).Nodes.size(), 200'000u);
}

TEST(NestedNodes, AreFoundByTheirLineAndOperator) {
  const FxGraph Pre = parseFxGraph(R"(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        b = self.b
        # File: /m.py:3 in f, code: return checkpoint(g, x) * 3
        y = torch.ops.higher_order.tag_activation_checkpoint(b, x, use_reentrant = False)
        item: "f32[4]" = y[0]
        outer: "f32[4]" = item * 3
        return (outer,)

    class b(torch.nn.Module):
        def forward(self, x: "f32[4]"):
            # File: /m.py:7 in g, code: return gelu(x) + x.exp()
            gelu: "f32[4]" = torch._C._nn.gelu(x)
            exp: "f32[4]" = x.exp()
            add: "f32[4]" = gelu + exp
            return (add,)
)");
  const FxGraph Post = parseFxGraph(R"(def forward(self, arg0_1: "f32[4]"):
        # File: /m.py:7 in g, code: return gelu(x) + x.exp()
        erf: "f32[4]" = torch.ops.aten.erf.default(arg0_1)
        exp: "f32[4]" = torch.ops.aten.exp.default(arg0_1)
        # File: /m.py:3 in f, code: return checkpoint(g, x) * 3
        mul: "f32[4]" = torch.ops.aten.mul.Tensor(exp, 3)
        known: "f32[4]" = torch.ops.aten.mul.Tensor(mul, 3)
)");
  Provenance Map;
  Map.PostToPre["known"] = {"outer"};
  mapNestedNodes(Pre, Post, Map);
  // Of a decomposed operator the line alone is known, and which operators of it are not.
  EXPECT_EQ(Map.PostToPre.at("erf"), (std::vector<std::string>{"b__gelu", "b__add"}));
  EXPECT_EQ(Map.PostToPre.at("exp"), std::vector<std::string>{"b__exp"});
  EXPECT_FALSE(Map.PostToPre.contains("mul")) << "a line of no nested graph";
  EXPECT_EQ(Map.PostToPre.at("known"), std::vector<std::string>{"outer"});
}

TEST(FxGraph, BadTextIsHarmless) {
  for (const char *Text :
       {"def forward(", "= = =", " = x", "a = ", "a: \"f32", "a = b[", "x += ", "a = (((((",
        "return", "# File: ", "# File: a:99999999999 in b", "a += b;  = ;"})
    parseFxGraph(Text);
}

constexpr const char *Code = R"(# AOT ID: ['3_forward']
cpp_fused_relu_0 = async_compile.cpp_pybinding(['float*'], r'''
#include <x>
extern "C"  void  kernel(float* p) { cpp_fused_relu_0(1); }
''')

def call(self, args):
    # Topologically Sorted Source Nodes: [a], Original ATen: [aten.t, aten.addmm]
    # [Provenance debug handles] extern_kernels.addmm:1
    extern_kernels.addmm(a, b, out=buf0)
    # [Provenance debug handles] cpp_fused_relu_0:2
    cpp_fused_relu_0(buf0)
    # [Provenance debug handles] cpp_fused_relu_0:3
    cpp_fused_relu_0(buf1)
)";

TEST(OutputCode, ReadsKernelsAndCalls) {
  const OutputCode Read = parseOutputCode(Code);
  EXPECT_EQ(Read.Direction, GraphDirection::Forward);
  ASSERT_EQ(Read.Kernels.size(), 1u);
  EXPECT_EQ(Read.Kernels[0].Name, "cpp_fused_relu_0");
  EXPECT_EQ(Read.Kernels[0].Line, 2u);
  EXPECT_TRUE(isSourceOf(Read.sourceOf(Read.Kernels[0]),
                         "#include <x>\nextern \"C\"  void  kernel(float* p) { "
                         "cpp_fused_relu_0(1); }\n\n// Python bindings"));
  EXPECT_FALSE(isSourceOf(Read.sourceOf(Read.Kernels[0]), "#include <y>"));
  EXPECT_FALSE(isSourceOf("", "x"));
  ASSERT_EQ(Read.Calls.size(), 3u);
  EXPECT_EQ(Read.Calls[0].Kernel, "extern_kernels.addmm");
  EXPECT_TRUE(Read.Calls[0].Extern);
  EXPECT_EQ(Read.Calls[0].OriginalAten, "aten.t, aten.addmm");
  EXPECT_EQ(Read.Calls[0].Line, 10u);
  EXPECT_EQ(Read.Calls[1].Handle, 2u);
  EXPECT_FALSE(Read.Calls[1].Extern);
  EXPECT_EQ(Read.Calls[2].Handle, 3u);
  EXPECT_EQ(Read.Calls[2].Statement, "cpp_fused_relu_0(buf1)");
}

TEST(OutputCode, ReadsKernelsOfTriton) {
  const OutputCode Read = parseOutputCode(R"(# AOT ID: ['0_inference']
triton_poi_fused_add_0 = async_compile.triton('triton_poi_fused_add_0', '''
@triton_heuristics.pointwise(size_hints={'x': 64})
def triton_poi_fused_add_0(in_ptr0, out_ptr0, xnumel): pass
''', device_str='cuda')

scale_kernel_0 = async_compile.triton('scale_kernel', '''
def scale_kernel(p): pass
''', device_str='cuda')
triton_red_fused_1 = async_compile.triton('triton_red_fused_1', ''' ''')
triton_per_fused_1 = async_compile.triton('triton_per_fused_1', ''' ''')
multi_kernel_0 = async_compile.multi_kernel('multi_kernel_0', [triton_red_fused_1, triton_per_fused_1])
triton_tem_fused_mm_2 = async_compile.triton('triton_tem_fused_mm_2', '''
@triton_heuristics.template(num_stages=3)
acc = tl.dot(a, b)
''', device_str='cuda')

def call(self, args):
    with torch.cuda._DeviceGuard(0):
        # [Provenance debug handles] triton_poi_fused_add_0:1
        raw_stream0 = get_raw_stream(0)
        workspace_0 = empty_strided_cuda((64, ), (1, ), torch.uint8)
        triton_poi_fused_add_0.run(arg0_1, buf0, workspace_0, 64, stream=raw_stream0)
        # [Provenance debug handles] scale_kernel_0:2
        scale_kernel_0.run(buf0, stream=stream0)
        # [Provenance debug handles] multi_kernel_0:3
        multi_kernel_0.run(buf0, stream=stream0)
        # [Provenance debug handles] extern_kernels.mm:4
        extern_kernels.mm(buf0, arg1_1, out=buf1)
)");
  ASSERT_EQ(Read.Kernels.size(), 6u);
  EXPECT_TRUE(Read.Kernels[0].Symbols.empty());
  EXPECT_EQ(Read.Kernels[1].Name, "scale_kernel_0");
  EXPECT_EQ(Read.Kernels[1].Symbols, std::vector<std::string>{"scale_kernel"});
  EXPECT_EQ(Read.Kernels[4].Name, "multi_kernel_0");
  EXPECT_EQ(Read.Kernels[4].Symbols,
            (std::vector<std::string>{"triton_red_fused_1", "triton_per_fused_1"}));
  EXPECT_EQ(templateOf(Read.sourceOf(Read.Kernels[5])), "gemm");
  EXPECT_EQ(templateOf(Read.sourceOf(Read.Kernels[0])), "");
  EXPECT_EQ(Read.Kernels[5].Line, 13u);
  ASSERT_EQ(Read.Calls.size(), 4u);
  EXPECT_EQ(Read.Calls[0].Handle, 1u);
  EXPECT_EQ(Read.Calls[0].Line, 23u) << "behind what the call needs";
  EXPECT_TRUE(Read.Calls[0].Statement.starts_with("triton_poi_fused_add_0.run("));
  EXPECT_EQ(Read.Calls[1].Kernel, "scale_kernel_0");
  EXPECT_EQ(Read.Calls[2].Handle, 3u);
  EXPECT_FALSE(Read.Calls[2].Extern);
  EXPECT_TRUE(Read.Calls[3].Extern);
}

TEST(OutputCode, KnowsPythonFromCpp) {
  EXPECT_FALSE(parseOutputCode(Code).Cpp) << "what a kernel includes does not count";
  EXPECT_TRUE(parseOutputCode("cpp_wrapper_src = (\nr'''\n#include <torch/csrc/x.h>\n").Cpp);
}

TEST(OutputCode, CallsAreFoundWithoutHandles) {
  std::string Plain;
  for (std::string_view Rest = Code; !Rest.empty();)
    if (const std::string_view Line = takeLine(Rest); Line.find("[Prov") == Line.npos)
      Plain += std::string(Line) + "\n";
  const OutputCode Read = parseOutputCode(Plain);
  ASSERT_EQ(Read.Calls.size(), 3u);
  EXPECT_EQ(Read.Calls[0].Kernel, "extern_kernels.addmm");
  EXPECT_EQ(Read.Calls[2].Kernel, "cpp_fused_relu_0");
  EXPECT_EQ(Read.Calls[2].Handle, 0u);
}

TEST(GraphBreak, ReadsBothWordings) {
  const GraphBreak New = parseGraphBreak(R"(Graph break in user code at /a:b/c.py:12
Graph Break Reason: Encountered graph break when attempting to trace CALL:

Failed to trace builtin operator
  Explanation: It is not known.
  Hint: One.
  Hint: Two.

User code traceback:
  File "/a:b/c.py", line 15, in <module>
    g(1)
  File "/a:b/c.py", line 12, in brk
    print("break")

Traceback (most recent call last):
  File "/torch/x.py", line 1, in y)");
  EXPECT_EQ(New.Where, (SourceLine{"/a:b/c.py", 12, "brk", "print(\"break\")"}));
  EXPECT_EQ(New.Reason, "Failed to trace builtin operator");
  EXPECT_EQ(New.Explanation, "It is not known.");
  EXPECT_EQ(New.Hints.size(), 2u);
  EXPECT_EQ(New.Stack.size(), 2u);
  const GraphBreak Old =
      parseGraphBreak("Graph break in user code at c.py:12\n"
                      "Reason: Unsupported: builtin: print\n"
                      "User code traceback:\n  File \"c.py\", line 12, in brk\n");
  EXPECT_EQ(Old.Reason, "Unsupported: builtin: print");
  EXPECT_EQ(Old.Where.Function, "brk");
  EXPECT_EQ(parseGraphBreak("").Reason, "");
}

TEST(GraphBreak, FailedGuards) {
  const auto Lines = parseFailedGuards("1/0: tensor 'x' size mismatch\n1/1: L['n'] == 3\n");
  ASSERT_EQ(Lines.size(), 2u);
  EXPECT_EQ(Lines[0].Graph, "1/0");
  EXPECT_EQ(Lines[1].Reason, "L['n'] == 3");
  const auto Stack = parseFailedGuards("1/0: flag == True\nUser stack trace:\n"
                                       "File \"c.py\", line 12, in f\nif flag:\n1/1: other\n");
  ASSERT_EQ(Stack.size(), 2u);
  EXPECT_EQ(Stack[0].Reason, "flag == True");
  EXPECT_EQ(Stack[1].Graph, "1/1");
  const auto List = parseFailedGuards(R"(["tensor: other"])");
  ASSERT_EQ(List.size(), 1u);
  EXPECT_EQ(List[0].Graph, "");
  EXPECT_EQ(List[0].Reason, "tensor: other");
}

TEST(CompileTimes, PhasesAddUp) {
  CompileTimes Times;
  const auto Event = [&](const char *Name, char Phase, int Us) {
    EXPECT_TRUE(Times.add("{\"name\": \"" + std::string(Name) + "\", \"ph\": \"" + Phase +
                          "\", \"ts\": " + std::to_string(Us) + ".0}"));
  };
  Event("dynamo", 'B', 100);
  Event("wait", 'B', 110);
  Event("compile", 'B', 120); // of another thread: ends after its parent
  Event("wait", 'E', 150);
  Event("compile", 'E', 160);
  Event("dynamo", 'E', 200);
  Event("dynamo", 'B', 300);
  Event("dynamo", 'E', 310);
  Event("never begun", 'E', 320);
  EXPECT_EQ(Times.totalNs(), 110000);
  const auto Phases = Times.phases();
  ASSERT_EQ(Phases.size(), 3u);
  EXPECT_EQ(Phases[0].Name, "dynamo");
  EXPECT_EQ(Phases[0].Ns, 60000);
  EXPECT_EQ(Phases[1].Name, "compile");
  EXPECT_EQ(Phases[1].Ns, 40000);
  EXPECT_EQ(Phases[2].Ns, 10000);
  EXPECT_FALSE(Times.add("[]"));
  EXPECT_FALSE(Times.add("{\"name\": 1}"));
  EXPECT_FALSE(Times.add(R"({"name": "x", "ph": "B", "ts": 1e300})"));
}

std::string record(const std::string &Json, const std::string &Payload = "") {
  std::string Text = "V0130 08:26:16.891000 28899 torch/x.py:1] " + Json + "\n";
  for (std::string_view Rest = Payload; !Rest.empty();)
    Text += "\t" + std::string(takeLine(Rest)) + "\n";
  return Text;
}

std::string wholeLog(const char *Ids) {
  const std::string Tail = std::string(", ") + Ids + "}";
  return record(R"({"str": ["/src/m.py", 0]})") +
         record(R"({"dynamo_start": {"stack": [{"line": 5, "name": "forward", "filename": 0}]})" +
                Tail) +
         "noise\n" + record(R"({"new_kind": {})" + Tail, "a\nb") +
         record(R"({"dynamo_output_graph": {})" + Tail, Captured) + "noise\n\tstray payload\n" +
         record(R"({"artifact": {"name": "inductor_post_grad_graph"})" + Tail,
                "class G(torch.nn.Module):\n    def forward(self, a: \"f32[2]\"):\n"
                "        # File: /src/old.py:1 in forward, code: old\n"
                "        addmm: \"f32[2]\" = torch.ops.aten.addmm.default(a, a, a)\n"
                "        relu: \"f32[2]\" = torch.ops.aten.relu.default(addmm)\n"
                "        relu_1: \"f32[2]\" = torch.ops.aten.relu.default(relu)\n") +
         record(R"({"inductor_output_code": {"filename": "/cache/ab/cab.py"})" + Tail, Code) +
         record(
             R"({"artifact": {"name": "inductor_provenance_tracking_node_mappings"})" + Tail,
             R"({"preToPost": {}, "postToPre": {"addmm": ["matmul"], "relu": ["h", "h_1"], "relu_1": ["h_1"]}, "cppCodeToPost": {"extern_kernels.addmm:1": ["addmm"], "cpp_fused_relu_0:2": ["relu", "gone"], "cpp_fused_relu_0:3": ["relu_1"]}})") +
         record(R"({"artifact": {"name": "fx_graph_cache_hit"})" + Tail, R"({"key": "fkey"})") +
         record(R"({"artifact": {"name": "recompile_reasons"})" + Tail, "0/0: because") +
         "V0130 08:26:16.891000 28899 torch/x.py:1] {\"artifact\": {\"name\": \"cut off";
}

TEST(CompileLog, WhatTorchWrapsIsNamedAsTheProgramDoes) {
  const char *Ids = R"(, "frame_id": 3, "frame_compile_id": 1})";
  const auto LogOf = [&](const char *Function) {
    const std::string Origins = fmt::format(R"({{"stacks": [], "nodes": {{}}{}}})", Function);
    const TestFolder Folder;
    return *readCompileLog({Folder.file(
        "torch.log",
        record(R"({"str": ["/src/m.py", 0]})") +
            record(R"({"str": ["/x/torch/_dynamo/external_utils.py", 1]})") +
            record(R"({"dynamo_start": {"stack": [{"line": 9, "name": "<module>", "filename": 0},)"
                   R"( {"line": 67, "name": "inner", "filename": 1}]})" +
                   std::string(Ids)) +
            record(R"({"artifact": {"name": "recompile_reasons"})" + std::string(Ids), "3/0: no") +
            record(R"({"artifact": {"name": "seamscope_node_origins"})" + std::string(Ids),
                   Origins) +
            record(R"({"compilation_metrics": {"co_name": "inner", "co_filename": )"
                   R"("/x/torch/_dynamo/external_utils.py", "co_firstlineno": 66})" +
                   std::string(Ids)))});
  };
  const auto Named = [&](const char *Function, const SourceLine &Where) {
    const CompileLog Log = LogOf(Function);
    EXPECT_EQ(Log.Recompiles.at(0).Where, Where) << Function;
    EXPECT_EQ(Log.Frames.at(0).Function, Where) << Function;
  };
  Named(R"(, "function": {"name": "C", "file": "/src/c.py", "line": 4})",
        {"/src/c.py", 4, "C", ""});
  Named(R"(, "function": {"name": "gelu"})", {"/src/m.py", 9, "gelu", ""});
  Named("", {"/src/m.py", 9, "<module>", ""});
}

TEST(CompileLog, TheLimitOfRecompilationsIsNamed) {
  const auto Of = [](const char *Kind, const char *Body, int Number, const char *Payload = "") {
    const std::string Head =
        fmt::format(R"({{"{}": {}, "frame_id": 3, "frame_compile_id": {}}})", Kind, Body, Number);
    return *Payload ? record(Head, Payload) : record(Head);
  };
  const char *Start = R"({"stack": [{"line": 5, "name": "forward", "filename": 0}]})";
  const char *Reasons = R"({"name": "recompile_reasons"})";
  const char *Done = R"({"co_name": "forward", "co_filename": "/src/m.py", "co_firstlineno": 5})";
  const std::string Two = record(R"({"str": ["/src/m.py", 0]})") + Of("dynamo_start", Start, 0) +
                          Of("compilation_metrics", Done, 0) +
                          Of("artifact", Reasons, 1, "3/0: rank mismatch") +
                          Of("dynamo_start", Start, 1) + Of("compilation_metrics", Done, 1);
  const std::string Third = Of("artifact", Reasons, 2, "3/1: rank mismatch");
  const TestFolder Folder;
  const auto LogOf = [&](const std::string &Text) {
    return *readCompileLog({Folder.file("torch.log", Text)});
  };
  EXPECT_FALSE(LogOf(Two).Recompiles.at(0).LimitReached);
  EXPECT_FALSE(LogOf(Two + Third).Recompiles.at(1).LimitReached) << "killed before it went on";
  const CompileLog Stopped = LogOf(
      Two + Third + Of("compilation_metrics", R"({"co_name": null, "co_filename": null})", 2));
  ASSERT_EQ(Stopped.Recompiles.size(), 2u);
  EXPECT_FALSE(Stopped.Recompiles[0].LimitReached);
  EXPECT_TRUE(Stopped.Recompiles[1].LimitReached);
  EXPECT_EQ(Stopped.Recompiles[1].Where, (SourceLine{"/src/m.py", 5, "forward", ""}));
}

TEST(CompileLog, CodeForWhichNothingWasGenerated) {
  const auto Of = [](const char *Kind, const char *Body, int Number, const char *Payload = "") {
    const std::string Head =
        fmt::format(R"({{"{}": {}, "frame_id": {}, "frame_compile_id": 0}})", Kind, Body, Number);
    return *Payload ? record(Head, Payload) : record(Head);
  };
  const char *Graph = "class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: "
                      "\"f32[8]cpu\"):\n        l_x_ = L_x_\n        y = l_x_.detach()\n";
  const char *Done = R"({"co_name": "f"})";
  const TestFolder Folder;
  const std::string Log = Folder.file(
      "torch.log",
      Of("compilation_metrics", Done, 0) +            // Python alone
          Of("dynamo_output_graph", "{}", 1, Graph) + // captured, and not compiled
          Of("compilation_metrics", Done, 1) +
          Of("compilation_metrics", R"({"co_name": "f", "fail_reason": "no"})", 2) +
          Of("compilation_metrics", R"({"co_name": "f", "inductor_compile_time_s": 0.1})", 3));
  const auto Read = readCompileLog({Log});
  ASSERT_TRUE(Read);
  ASSERT_EQ(Read->Uncompiled.size(), 2u);
  EXPECT_EQ(Read->Uncompiled[0].Id, "1/0");
  EXPECT_TRUE(Read->Uncompiled[0].PreGrad);
  EXPECT_EQ(Read->Uncompiled[1].Id, "0/0");
  EXPECT_FALSE(Read->Uncompiled[1].PreGrad);
}

TEST(CompileLog, KernelToLine) {
  const TestFolder Folder;
  const std::string Log =
      Folder.file("torch.log", wholeLog("\"frame_id\": 0, \"frame_compile_id\": 1"));
  auto Read = readCompileLog({Log});
  ASSERT_TRUE(Read);
  const CompiledGraphs Graphs(std::move(*Read));
  ASSERT_EQ(Graphs.log().Graphs.size(), 1u);
  const CompiledGraph &Graph = Graphs.log().Graphs[0];
  EXPECT_EQ(Graph.Id, "0/1");
  EXPECT_EQ(Graph.Process, 28899u);
  EXPECT_EQ(Graph.CacheKey, "fkey");
  EXPECT_TRUE(Graph.FromCache);
  ASSERT_EQ(Graphs.log().Recompiles.size(), 1u);
  EXPECT_EQ(Graphs.log().Recompiles[0].Where, (SourceLine{"/src/m.py", 5, "forward", ""}));
  ASSERT_EQ(Graphs.uses().size(), 3u);
  const auto Uses = Graphs.usesOf("cpp_fused_relu_0");
  ASSERT_EQ(Uses, (std::vector<uint32_t>{1, 2}));
  const KernelUse &Use = Graphs.uses()[1];
  ASSERT_EQ(Use.PostNodes.size(), 1u);
  EXPECT_EQ(Use.Unknown, std::vector<std::string>{"gone"});
  // The captured graph's lines, not those that were cached.
  ASSERT_EQ(Use.Python.size(), 2u);
  EXPECT_EQ(Use.Python[0].Line, 7u);
  EXPECT_EQ(Use.Python[1].Line, 8u);
  EXPECT_FALSE(Use.OldLines);
  ASSERT_EQ(Use.Eager.size(), 2u);
  EXPECT_EQ(Use.Eager[0].Name, "aten::relu_");
  EXPECT_FALSE(Use.Eager[0].Partial);
  EXPECT_TRUE(Use.Eager[1].Partial); // h_1 is split over both calls
  EXPECT_EQ(Graphs.find(0, "cpp_fused_relu_0", 3), &Graphs.uses()[2]);
  EXPECT_FALSE(Graphs.find(0, "cpp_fused_relu_0", 4));
  EXPECT_TRUE(Graphs.sourceOf(Use));
  EXPECT_FALSE(Graphs.sourceOf(Graphs.uses()[0]));
}

TEST(CompileLog, RanksAndCompiledAutograd) {
  std::string Text = wholeLog("\"compiled_autograd_id\": 2");
  for (size_t At = 0; (At = Text.find("V0130", At)) != Text.npos; At += 14)
    Text.insert(At, "[rank3]:");
  const TestFolder Folder;
  auto Read = readCompileLog({Folder.file("torch.log", Text)});
  ASSERT_TRUE(Read);
  ASSERT_EQ(Read->Graphs.size(), 1u);
  EXPECT_EQ(Read->Graphs[0].Id, "!2");
  EXPECT_EQ(Read->Graphs[0].Rank, 3u);
}

TEST(CompileLog, EveryCutIsRead) {
  const std::string Whole = wholeLog("\"frame_id\": 0, \"frame_compile_id\": 0");
  for (size_t Size = 0; Size < Whole.size(); Size += 37) {
    const TestFolder Folder;
    const std::string Log = Folder.file("cut.log", Whole.substr(0, Size));
    auto Read = readCompileLog({Log});
    ASSERT_TRUE(Read) << Size;
    const CompiledGraphs Graphs(std::move(*Read));
    EXPECT_LE(Graphs.uses().size(), 3u);
  }
  EXPECT_FALSE(readCompileLog({"/no/such/file.log"}));
}

} // namespace
