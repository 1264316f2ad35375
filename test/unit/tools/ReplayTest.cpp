//===- ReplayTest.cpp - a kernel alone, and in its program ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/Ablation.h"
#include "run/replay/CallLog.h"
#include "run/replay/EagerNodes.h"
#include "run/replay/ReplayFolder.h"
#include "run/replay/ReplayResult.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace seamscope::tools;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json goodCall() {
  return Json::parse(R"({"kernel": "cpp_fused_add_0", "call": 1, "library": "/c/ab/cab.main.so",
    "code": "extern \"C\"  void  kernel(const float* in_ptr0,\n  const int64_t* in_ptr1, float* out_ptr0, const int64_t ks0)\n{}",
    "command": ["/x/clang++", "i", "-D", "A=1", "-O3", "-shared", "-I/v/torch/include", "-I/py", "-o", "o.so",
                "-ltorch", "-L/v/torch/lib", "-L/py/lib"],
    "torch": "2.13.0", "threads": 2, "captured": null,
    "arguments": [
      {"type": "const float*", "dtype": "float32", "shape": [4, 8], "strides": [8, 1], "offset": 64,
       "bytes": 1024, "storage": 0, "limits": null},
      {"type": "const int64_t*", "dtype": "int64", "shape": [3], "strides": [1], "offset": 0, "bytes": 24,
       "storage": 1, "limits": [-5, 9]},
      {"type": "float*", "dtype": "float32", "shape": [4, 8], "strides": [8, 1], "offset": 0, "bytes": 1024,
       "storage": 0},
      {"type": "const int64_t", "value": 17}]})");
}

/// A folder with a log of these lines, which its destructor removes.
class LogFolder {
public:
  explicit LogFolder(const std::vector<std::string> &Lines) {
    std::string Name = (fs::temp_directory_path() / "seamscope-replay-XXXXXX").string();
    Path = mkdtemp(Name.data());
    std::ofstream File(callLogIn(Path));
    for (const std::string &Each : Lines)
      File << Each << '\n';
  }
  ~LogFolder() { fs::remove_all(Path); }
  LogFolder(const LogFolder &) = delete;
  LogFolder &operator=(const LogFolder &) = delete;

  std::string Path;
};

TEST(CallLog, ReadsCalls) {
  const LogFolder Folder({goodCall().dump()});
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log);
  ASSERT_EQ(Log->Calls.size(), 1u);
  const KernelCall &Call = Log->Calls[0];
  EXPECT_EQ(Call.Kernel, "cpp_fused_add_0");
  EXPECT_EQ(Call.Threads, 2);
  ASSERT_EQ(Call.Arguments.size(), 4u);
  EXPECT_EQ(Call.storages(), 2u);
  EXPECT_EQ(Call.Arguments[0].Name, "in_ptr0");
  EXPECT_EQ(Call.Arguments[0].usedBytes(), 128u);
  EXPECT_FALSE(Call.Arguments[0].Writes);
  EXPECT_EQ(Call.Arguments[1].Limits, (std::pair<int64_t, int64_t>{-5, 9}));
  EXPECT_TRUE(Call.Arguments[2].Writes);
  EXPECT_FALSE(Call.Arguments[2].Reads);
  EXPECT_EQ(Call.Arguments[3].Value, "17");
}

/// A remark of clang on a loop.
std::string remark(const char *Kind, const char *Name, const char *Place, const char *Function,
                   const char *Text) {
  return std::string("--- !") + Kind +
         "\nPass:            loop-vectorize\nName:            " + Name + "\nDebugLoc:        { " +
         Place + " }\nFunction:        " + Function +
         "\nArgs:\n  - String:          'loop not vectorized: '\n  - String:          " + Text +
         "\n...\n";
}

/// \p Call as a line, with another value at \p Where.
std::string changed(Json Call, const char *Where, const char *With) {
  Call[Json::json_pointer(Where)] = Json::parse(With);
  return Call.dump();
}

/// A call that the runtime captured.
Json goodImage() {
  return Json::parse(
      R"({"kernel": "ns::f", "call": 3, "entry": "seamscope_replay_0", "options": "-O3 -march=native",
    "llvm": "22", "threads": 2, "captured": "12-kernel-1",
    "memory": [[8192, 4096, 1, 0], [12288, 131072, 0, 1], [1048576, 8192, 0, 1], [2097152, 4096, 1, 1]],
    "data": [["count", 8200, 1], ["lost", 0, 1], ["_ZN1A1fEv", 4194320, 2]]})");
}

TEST(CallLog, ReadsCapturedCalls) {
  const LogFolder Folder({goodImage().dump()});
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log && Log->Calls.size() == 1);
  const KernelCall &Call = Log->Calls[0];
  EXPECT_EQ(Call.Kernel, "ns::f");
  ASSERT_TRUE(Call.Image);
  EXPECT_EQ(Call.Image->Options, (std::vector<std::string>{"-O3", "-march=native"}));
  EXPECT_EQ(Call.Image->Memory.size(), 4u);
  // What the program has lost is not among them.
  EXPECT_EQ(Call.Image->Data, (std::vector<std::pair<std::string, uint64_t>>{{"count", 8200}}));
  EXPECT_EQ(Call.Image->Functions,
            (std::vector<std::pair<std::string, uint64_t>>{{"_ZN1A1fEv", 4194320}}));
  EXPECT_EQ(Call.bytes(), (std::pair<uint64_t, uint64_t>{8192, 143360}));
}

/// A call of a kernel of Triton.
Json goodTriton() {
  return Json::parse(
      R"({"kernel": "triton_poi_fused_0", "call": 2, "triton": "import triton\n", "function": "triton_poi_fused_0",
    "symbol": "triton_poi_fused_0", "device": "cuda:0", "changed": ["in_out_ptr0"], "torch": "2.13.0",
    "captured": null, "config": {"kwargs": {"XBLOCK": 64}, "num_warps": 4, "num_stages": 1},
    "arguments": [
      {"name": "in_out_ptr0", "dtype": "float32", "shape": [4, 8], "strides": [8, 1], "offset": 0, "bytes": 128,
       "storage": 0, "limits": null},
      {"name": "in_ptr0", "dtype": "int64", "shape": [3], "strides": [1], "offset": 0, "bytes": 24, "storage": 1,
       "limits": [0, 9]},
      {"name": "ks0", "value": 17}, {"name": "none", "value": null}]})");
}

TEST(CallLog, ReadsCallsOfTriton) {
  const LogFolder Folder({goodTriton().dump()});
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log && Log->Calls.size() == 1);
  const KernelCall &Call = Log->Calls[0];
  ASSERT_TRUE(Call.Triton);
  EXPECT_EQ(Call.Code, "import triton\n");
  EXPECT_EQ(Call.Triton->Symbol, "triton_poi_fused_0");
  EXPECT_EQ(Call.Triton->Device, "cuda:0");
  EXPECT_EQ(Call.storages(), 2u);
  EXPECT_TRUE(Call.Arguments[0].Writes);
  EXPECT_FALSE(Call.Arguments[1].Writes);
  const Json Text = Json::parse(Call.Triton->Text);
  EXPECT_FALSE(Text.contains("triton"));
  EXPECT_EQ(Text["arguments"], goodTriton()["arguments"]);
}

TEST(CallLog, RefusesCallsOfTritonThatDoNotFit) {
  const Json Good = goodTriton();
  const LogFolder Folder(
      {changed(Good, "/captured", R"("../..")"), changed(Good, "/function", R"("a.b")"),
       changed(Good, "/config", "1"), changed(Good, "/changed", "null"),
       changed(Good, "/arguments/0/bytes", "-1"),
       changed(Good, "/arguments/0/dtype", R"("float8")"),
       changed(Good, "/arguments/0/storage", "7"), changed(Good, "/arguments/2/value", "[1]"),
       changed(Good, "/refused", R"("it is called with grid")")});
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log);
  EXPECT_TRUE(Log->Calls.empty());
  ASSERT_EQ(Log->Refused.size(), 9u);
  EXPECT_EQ(Log->Refused[8],
            (std::pair<std::string, std::string>("triton_poi_fused_0", "it is called with grid")));
}

TEST(CallLog, RefusesCapturedCallsThatDoNotFit) {
  const auto Change = [](const char *Where, const char *With) {
    return changed(goodImage(), Where, With);
  };
  const std::vector<std::string> Lines = {
      Change("/entry", "\"f(); int x\""),
      Change("/entry", "\"\""),
      Change("/options", "\"-O3 -fplugin=x.so\""),
      Change("/options", "\"-O3 -march=a;b\""),
      Change("/options", "\"\""),
      Change("/llvm", "\"22; rm\""),
      Change("/captured", "\"../x\""),
      Change("/captured", "null"),
      Change("/threads", "-2"),
      Change("/memory", "[]"),
      Change("/memory", "7"),
      Change("/memory/0", "[8192, 4096, 1]"),
      Change("/memory/0/0", "0"),
      Change("/memory/0/0", "8193"),
      Change("/memory/0/1", "8192"),
      Change("/memory/0/1", "0"),
      Change("/memory/0/1", "1e30"),
      Change("/memory/3/0", "18446744073709547520"),
      Change("/memory/3/2", "2"),
      Change("/data", "null"),
      Change("/data/0/0", R"("a\"; .incbin \"/etc/passwd")"),
      Change("/data/0/0", "\"a\\nb\""),
      Change("/data/0/1", "-1"),
      Change("/data/0/2", "3"),
      Change("/data/0", "[]"),
  };
  const LogFolder Folder(Lines);
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log);
  for (const KernelCall &Each : Log->Calls)
    ADD_FAILURE() << Each.Image->Entry << " " << Each.Captured;
  EXPECT_EQ(Log->Refused.size(), Lines.size());
}

constexpr const char *Generated = R"(extern "C" void kernel(const float* in_ptr0)
{
    for(int64_t x0=0; x0<8; x0+=1)
    {
        auto tmp0 = in_ptr0[x0];
        auto tmp1 = static_cast<float>(2.0); // [seamscope 0]
        auto tmp2 = decltype(tmp0)(tmp0 * tmp1); // [seamscope 0]
        auto tmp3 = std::exp(tmp2); // [seamscope 1]
        tmp_acc0 = tmp_acc0 + tmp3;
    }
    for(int64_t x0=0; x0<8; x0+=8)
    {
        auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr0 + x0, 8);
        auto tmp3 = tmp2.exp();
        {
            auto tmp3 = std::exp(tmp12);
            auto tmp4 = [&]
            {
                auto tmp5 = tmp3;
            }
        }
    }
    auto tmp9 = std::exp(tmp8);
}
)";

/// x (an input) -> a -> b, c = a + b is returned; d uses b and is another kernel's.
FxGraph smallGraph() {
  FxGraph Graph;
  const auto Add = [&](const char *Name, const char *Type, const char *Text,
                       std::vector<uint32_t> Inputs) {
    FxNode &Node = Graph.Nodes.emplace_back();
    Node.Name = Name;
    Node.Type = Type;
    Node.Text = Text;
    Node.Inputs = std::move(Inputs);
  };
  Add("x", "f32[4, 8][8, 1]cpu", "", {});
  Add("a", "f32[4, 8][8, 1]cpu", "torch.ops.aten.exp.default(x)", {0});
  Add("b", "f32[4, 8][8, 1]cpu", "torch.ops.aten.neg.default(a)", {1});
  Add("c", "f32[4, 8][8, 1]cpu", "torch.ops.aten.add.Tensor(a, b)", {1, 2});
  Add("d", "f32[4, 8][8, 1]cpu", "torch.ops.aten.mm.default(b, b)", {2, 2});
  Graph.Outputs = {"c", "d"};
  return Graph;
}

TEST(EagerNodes, GiveUpValuesAfterTheirLastUse) {
  const uint32_t Nodes[] = {1, 2, 3};
  const EagerNodes Found = eagerNodes(smallGraph(), Nodes);
  EXPECT_EQ(Found.Problem, "");
  ASSERT_EQ(Found.Inputs.size(), 1u);
  EXPECT_EQ(Found.Inputs[0].Name, "x");
  EXPECT_EQ(Found.Inputs[0].Type, "f32");
  EXPECT_EQ(Found.Inputs[0].Sizes, (std::vector<int64_t>{4, 8}));
  EXPECT_EQ(Found.Inputs[0].Strides, (std::vector<int64_t>{8, 1}));
  EXPECT_EQ(Found.Statements,
            (std::vector<std::string>{"a = torch.ops.aten.exp.default(x)",
                                      "b = torch.ops.aten.neg.default(a)",
                                      "c = torch.ops.aten.add.Tensor(a, b); del a"}));
  EXPECT_EQ(Found.Outputs, (std::vector<std::string>{"b", "c"}));
  const Json Call = Json::parse(callText(Found));
  EXPECT_EQ(Call["outputs"], Json::parse(R"(["b", "c"])"));
}

TEST(EagerNodes, SizesMustBeKnown) {
  for (const char *Type :
       {"", "Sym(s0)", "f32[s0, 8][8, 1]cpu", "f32[4, 8][8]cpu", "f32[4, 8][8, 1]cuda:0",
        "f32[4, 8", "f32[4 8][8, 1]cpu", "f32[99999999999999999999][1]cpu"}) {
    FxGraph Graph = smallGraph();
    Graph.Nodes[0].Type = Type;
    const uint32_t Nodes[] = {1, 2, 3};
    EXPECT_NE(eagerNodes(Graph, Nodes).Problem, "") << Type;
  }
  FxGraph Graph = smallGraph();
  Graph.Nodes[0].Type = "f32[][]cpu";
  const uint32_t Nodes[] = {1};
  EXPECT_EQ(eagerNodes(Graph, Nodes).Problem, "");
  EXPECT_TRUE(eagerNodes(Graph, {}).Statements.empty());
}

TEST(Ablation, OperatorsAreStatementsOfVariables) {
  const std::vector<KernelOperator> Found = operatorsIn(Generated);
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].Code, "decltype(tmp0)(tmp0 * tmp1)");
  EXPECT_EQ(Found[0].Lines, std::vector<uint32_t>{7});
  EXPECT_EQ(Found[1].Lines, std::vector<uint32_t>{8});
  // The variable of the other nest is another one; its two statements belong together.
  EXPECT_EQ(Found[2].Code, "tmp2.exp()");
  EXPECT_EQ(Found[2].Lines, (std::vector<uint32_t>{14, 16}));
  EXPECT_TRUE(operatorsIn("").empty());
  EXPECT_TRUE(operatorsIn("auto tmp1 = tmp0 + 1;").empty());
}

TEST(Ablation, LeavesTheFirstInput) {
  const std::vector<KernelOperator> Found = operatorsIn(Generated);
  ASSERT_EQ(Found.size(), 3u);
  const KernelOperator *const Both[] = {&Found[0], &Found[2]};
  const std::string Text = without(Generated, Both);
  EXPECT_EQ(std::ranges::count(Text, '\n'), std::ranges::count(std::string(Generated), '\n'));
  EXPECT_NE(
      Text.find(
          "\n        auto tmp2 = tmp0;\n        auto tmp3 = std::exp(tmp2); // [seamscope 1]\n"),
      Text.npos)
      << Text;
  EXPECT_NE(Text.find("\n        auto tmp3 = tmp2;\n"), Text.npos) << Text;
  EXPECT_NE(Text.find("\n            auto tmp3 = tmp12;\n"), Text.npos) << Text;
  EXPECT_EQ(without(Generated, {}), Generated);
}

TEST(Ablation, PartsAddUp) {
  ReplayAblation Of;
  Of.Floor.Ns = {400, 420, 410};
  Of.Floor.Ratios = {0.4, 0.42, 0.41};
  Of.Operators.resize(2);
  ReplayVaried &First = Of.Operators[0];
  First.add(1000, 700);
  First.add(1010, 740);
  First.add(1000, 650);
  Of.Operators[1].Problem = "does not compile";
  EXPECT_EQ(Of.kernelNs(), 1000);
  const auto Part = First.part();
  ASSERT_TRUE(Part);
  EXPECT_EQ(Part->Median, 300);
  EXPECT_EQ(Part->Low, 270);
  EXPECT_EQ(Part->High, 350);
  EXPECT_EQ(Of.overlappedNs(), 1000 - 410 - 300);
  EXPECT_EQ(Of.Operators[1].part().has_value(), false);
  EXPECT_FALSE(ReplayAblation().kernelNs().has_value());
  EXPECT_FALSE(ReplayAblation().overlappedNs().has_value());
}

TEST(ReplayLoops, OfOneKernelAndWithoutCopies) {
  KernelCall Call;
  Call.Image.emplace().Entry = "seamscope_replay_0";
  const std::string Code =
      "\ndefine void @seamscope_replay_0(ptr %a) {\n  call void @f(ptr @\"g h\")\n}\n"
      "\ndefine internal void @f(ptr %a) {\n  ret void\n}\n"
      "\ndefine void @\"g h\"(ptr %a) {\n  ret void\n}\n"
      "\ndefine void @other(ptr %a) {\n  call void @f(ptr null)\n}\n";
  const std::string Yaml =
      remark("Analysis", "X", "File: a/b.c, Line: 3, Column: 1", "f", "first") +
      remark("Missed", "MissedDetails", "File: a/b.c, Line: 3, Column: 1", "f", "x") +
      remark("Passed", "Vectorized", "File: a/b.c, Line: 5, Column: 1", "g h", "x") +
      remark("Missed", "MissedDetails", "File: a/b.c, Line: 5, Column: 1", "g h", "the rest") +
      remark("Missed", "MissedDetails", "File: a/b.c, Line: 9, Column: 1", "other", "x");
  const std::vector<ReplayLoop> Loops = replayLoops(Yaml, Call, Code);
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0].File, "b.c");
  EXPECT_EQ(Loops[0].Line, 3u);
  EXPECT_EQ(Loops[0].Code, "scalar");
  EXPECT_EQ(Loops[0].Why, "first");
  EXPECT_EQ(Loops[1].Line, 5u);
  EXPECT_EQ(Loops[1].Code, "vector");
  EXPECT_EQ(Loops[1].Why, "");
  EXPECT_TRUE(replayLoops("", Call, "").empty());
  EXPECT_TRUE(replayLoops(Yaml, Call, "\ndefine void @\"unfinished").empty());
}

TEST(ReplayLoops, InductorsVectorCode) {
  const std::string Code =
      "extern \"C\" void kernel(float* a)\n{\n    for(int i=0; i<8; i+=1)\n    {\n"
      "        auto x = at::vec::Vectorized<float>(a[i]);\n    }\n"
      "    for(int i=0; i<8; i+=1)\n    {\n        a[i] = 1;\n    }\n}\n";
  const std::string Yaml =
      remark("Missed", "MissedDetails", "File: /x/kernel.cpp, Line: 3, Column: 1", "kernel", "x") +
      remark("Analysis", "X", "File: h.h, Line: 7, Column: 1", "kernel", "why") +
      remark("Missed", "MissedDetails", "File: /x/kernel.cpp, Line: 7, Column: 1", "kernel", "x") +
      remark("Missed", "MissedDetails", "File: /x/vec.h, Line: 7, Column: 1", "kernel", "x");
  const std::vector<ReplayLoop> Loops = replayLoops(Yaml, KernelCall(), Code);
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0].Code, "written");
  EXPECT_EQ(Loops[0].Why, "");
  EXPECT_EQ(Loops[1].Code, "scalar");
  EXPECT_EQ(Loops[1].Why, "why");
}

TEST(CallLog, RefusesWhatDoesNotFitTogether) {
  const auto Change = [](const char *Where, const char *With) {
    return changed(goodCall(), Where, With);
  };
  const std::vector<std::string> Lines = {
      "",
      "[]",
      "{",
      "{}",
      std::string(100000, '['),
      Change("/code", "\"int x;\""),
      Change("/code", R"x("void kernel(float* a);")x"),
      Change("/code", R"x("void kernel(, , , )")x"),
      Change("/command", "[]"),
      Change("/captured", "\"../elsewhere\""),
      Change("/threads", "-1"),
      Change("/arguments/0/dtype", "\"complex64\""),
      Change("/arguments/0/shape", "[4, 99999999999999]"),
      Change("/arguments/0/shape", "[1000000000, 1000000000, 1000000000]"),
      Change("/arguments/0/shape", "[-1]"),
      Change("/arguments/0/offset", "1025"),
      Change("/arguments/0/storage", "5"),
      Change("/arguments/0/storage", "18446744073709551615"),
      Change("/arguments/0/bytes", "1e300"),
      Change("/arguments/2/bytes", "2048"),
      Change("/arguments/1/limits", "[9, -5]"),
      Change("/arguments/3/value", "\"0); system(0\""),
  };
  const LogFolder Folder(Lines);
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log);
  for (const KernelCall &Each : Log->Calls)
    ADD_FAILURE() << Each.Code << " " << Each.Captured;
  EXPECT_EQ(Log->Refused.size(), Lines.size());
}

TEST(ReplayFolder, TakesCommandsApart) {
  const LogFolder Folder({goodCall().dump()});
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log && Log->Calls.size() == 1);
  const KernelBuild Build = buildOf(Log->Calls[0]);
  EXPECT_EQ(Build.Compiler, "/x/clang++");
  EXPECT_EQ(Build.Flags, (std::vector<std::string>{"-DA=1", "-O3"}));
  EXPECT_EQ(Build.Headers, (std::vector<std::string>{"/v/torch/include"}));
  EXPECT_EQ(Build.Libraries, (std::vector<std::string>{"/v/torch/lib"}));
}

TEST(ReplayFolder, WritesArguments) {
  const LogFolder Folder({goodCall().dump()});
  const auto Log = readCallLog(Folder.Path);
  ASSERT_TRUE(Log && Log->Calls.size() == 1);
  const std::string Text = callHeader(Log->Calls[0]);
  // One storage that is read and written, and one with limits.
  EXPECT_NE(Text.find("{1024u, Type::F32, true, true, 0LL, 1LL, nullptr}"), Text.npos) << Text;
  EXPECT_NE(Text.find("{24u, Type::I64, true, false, -5LL, 9LL, nullptr}"), Text.npos) << Text;
  EXPECT_NE(Text.find("{0, 64}"), Text.npos) << Text;
  EXPECT_NE(Text.find("void kernel(const void *in_ptr0, const void *in_ptr1, void *out_ptr0, "
                      "std::int64_t ks0)"),
            Text.npos)
      << Text;
  EXPECT_NE(Text.find("kernel(At[0], At[1], At[2], 17)"), Text.npos) << Text;
}

TEST(ReplayResult, MediansHaveIntervals) {
  std::vector<int64_t> Ns;
  for (int64_t I = 100; I > 0; --I)
    Ns.push_back(I);
  // Ranks 40 and 61 of 100: a binomial proportion is below or above them 5 % of the time.
  const ReplayTimes Of = replayTimes(Ns);
  EXPECT_EQ(Of.MedianNs, 51);
  EXPECT_EQ(Of.LowNs, 40);
  EXPECT_EQ(Of.HighNs, 61);
  EXPECT_EQ(Of.MinNs, 1);
  EXPECT_EQ(Of.Calls, 100u);
  EXPECT_EQ(replayTimes({7}).HighNs, 7);
}

Replayed with(ReplayTimes InPlace, std::vector<ReplayVariant> Variants) {
  Replayed Of;
  Of.InPlace = InPlace;
  Of.Variants = std::move(Variants);
  return Of;
}

TEST(ReplayResult, ACauseExplainsAtMostWhatThereIsToExplain) {
  Replayed Of = with({1000, 900, 1100, 800, 50}, {{"hot", {400, 390, 410, 380, 99}},
                                                  {"cold", {950, 940, 960, 930, 99}},
                                                  {"new", {5000, 4900, 5100, 4800, 99}}});

  Of.PreemptedNs = 3;
  Of.BlockedNs = 200;
  const std::vector<ReplayCause> Causes = explain(Of);
  ASSERT_EQ(Causes.size(), 3u);
  EXPECT_EQ(Causes[0].Ns, 600); // of 4600
  EXPECT_EQ(Causes[1].Ns, 550);
  EXPECT_EQ(Causes[2].Ns, 200);
  Of.WaitNs = 300;
  ASSERT_EQ(explain(Of).size(), 4u);
  EXPECT_EQ(explain(Of)[2].Cause, "threads waited for the slowest of their team");
  EXPECT_NE(verdict(Of).find("2.50 times as long as alone with hot caches, as with the memory "
                             "'cold' (2.38)"),
            std::string::npos)
      << verdict(Of);
}

TEST(ReplayResult, AChangeIsFasterIfAllRoundsAgree) {
  ReplayVaried Of{"-O2", "flags"};
  EXPECT_EQ(Of.verdict(), "-");
  EXPECT_EQ(Of.ratio(), std::nullopt);
  Of.add(100, 90);
  Of.add(200, 150);
  Of.add(100, 97);
  EXPECT_EQ(Of.verdict(), "faster");
  EXPECT_EQ(Of.medianNs(), 97);
  EXPECT_DOUBLE_EQ(Of.ratio()->Median, 0.9);
  Of.add(100, 99);
  EXPECT_EQ(Of.verdict(), "same");
  ReplayVaried Slower{"1 thread", "threads"};
  Slower.add(100, 103);
  EXPECT_EQ(Slower.verdict(), "slower");
}

TEST(ReplayResult, SaysWhatIsNotExplained) {
  const std::vector<ReplayVariant> Alone = {{"hot", {400, 390, 410, 380, 99}},
                                            {"cold", {500, 490, 510, 480, 99}}};
  EXPECT_NE(verdict(with({1000, 900, 1100, 800, 50}, Alone)).find("explains at most 1.25"),
            std::string::npos);
  EXPECT_NE(verdict(with({410, 400, 420, 390, 50}, Alone)).find("the same, to 10 %"),
            std::string::npos);
  EXPECT_NE(verdict(with({450, 448, 452, 390, 50}, Alone))
                .find("less than with the memory 'cold' (1.25)"),
            std::string::npos);
  EXPECT_NE(
      verdict(with({100, 90, 110, 80, 50}, Alone)).find("was the machine busy during the replay"),
      std::string::npos);
  EXPECT_EQ(verdict(Replayed()), "");
  EXPECT_TRUE(explain(Replayed()).empty());
}

} // namespace
