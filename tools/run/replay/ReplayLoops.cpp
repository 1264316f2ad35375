//===- ReplayLoops.cpp - which loops of a kernel are vector code ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/ReplayLoops.h"
#include "run/folder/LoopRemarks.h"
#include "torch/LoopNodes.h"

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

/// The name behind the @ at the begin of \p Text: `@f` or `@"a b"`.
std::string_view nameAt(std::string_view Text) {
  if (Text.size() > 1 && Text[1] == '"')
    return Text.substr(2, Text.find('"', 2) - 2);
  const size_t End = Text.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-", 1);
  return Text.substr(1, End == Text.npos ? End : End - 1);
}

/// The functions of LLVM's code that \p Entry reaches, by names in their text.
std::set<std::string, std::less<>> reachedFrom(std::string_view Entry, std::string_view Code) {
  std::map<std::string_view, std::string_view> Bodies;
  constexpr std::string_view Begin = "\ndefine ", End = "\n}";
  for (size_t At = 0; (At = Code.find(Begin, At)) != Code.npos;) {
    const size_t Name = Code.find('@', At), Stop = std::min(Code.find(End, At), Code.size());
    if (Name == Code.npos)
      break;
    Bodies[nameAt(Code.substr(Name))] = Code.substr(Name, Stop - Name);
    At = Stop;
  }
  std::set<std::string, std::less<>> Reached;
  std::vector<std::string_view> Next = {Entry};
  while (!Next.empty()) {
    const auto Body = Bodies.find(Next.back());
    Next.pop_back();
    if (Body == Bodies.end() || !Reached.emplace(Body->first).second)
      continue;
    for (size_t At = 0; (At = Body->second.find('@', At)) != Body->second.npos; ++At)
      Next.push_back(nameAt(Body->second.substr(At)));
  }
  return Reached;
}

/// The loop of generated code that begins at \p Line, or else the smallest around it.
const CodeLoop *loopAt(const std::vector<CodeLoop> &Loops, uint32_t Line) {
  const CodeLoop *Found = nullptr;
  for (const CodeLoop &Each : Loops)
    if (Each.First <= Line && Line <= Each.Last &&
        (!Found || Each.Last - Each.First <= Found->Last - Found->First))
      Found = &Each;
  return Found;
}

/// Lines \p First to \p Last of \p Code.
std::string_view linesOf(std::string_view Code, uint32_t First, uint32_t Last) {
  size_t Begin = 0;
  for (uint32_t Line = 1; Line < First && Begin != Code.npos; ++Line)
    Begin = Code.find('\n', Begin + (Line > 1));
  size_t End = Begin;
  for (uint32_t Line = First; Line <= Last && End != Code.npos; ++Line)
    End = Code.find('\n', End + 1);
  return Begin == Code.npos ? std::string_view() : Code.substr(Begin, End - Begin);
}

} // namespace

std::vector<ReplayLoop> replayLoops(std::string_view Yaml, const KernelCall &Of,
                                    std::string_view Code) {
  std::set<std::string, std::less<>> Reached;
  std::vector<CodeLoop> Written;
  if (Of.Image)
    Reached = reachedFrom(Of.Image->Entry, Code);
  else
    Written = codeLoops(Code);
  std::map<std::pair<std::string, uint32_t>, ReplayLoop> Found;
  for (const LoopRemark &Each : loopRemarks(Yaml, Of.Image ? "" : "kernel.cpp")) {
    if (Of.Image && !Reached.contains(Each.Function))
      continue;
    ReplayLoop &Loop = Found[{Each.File, Each.Line}];
    Loop.File = Of.Image ? Each.File.substr(Each.File.rfind('/') + 1) : "kernel.cpp";
    Loop.Line = Each.Line;
    // Of the copies of a loop, such as that for the rest of its iterations, one is enough.
    if (Each.Vectorized)
      Loop.Code = "vector";
    if (Loop.Code == "vector")
      continue;
    const CodeLoop *const In = loopAt(Written, Each.Line);
    const bool IsWritten =
        In && linesOf(Code, In->First, In->Last).find("at::vec::") != std::string_view::npos;
    Loop.Code = IsWritten ? "written" : "scalar";
    if (!IsWritten && Loop.Why.empty())
      Loop.Why = Each.Why;
  }
  std::vector<ReplayLoop> Loops;
  for (auto &[Place, Loop] : Found) {
    if (Loop.Code == "vector")
      Loop.Why.clear();
    Loops.push_back(std::move(Loop));
  }
  return Loops;
}

void nameNodes(std::vector<ReplayLoop> &Loops, const CompiledGraphs &Graphs,
               const GeneratedKernel &Kernel, std::string_view Code) {
  if (Kernel.Uses.empty())
    return;
  const KernelUse &Use = Graphs.uses()[Kernel.Uses[0]];
  const std::vector<CodeLoop> Written = codeLoops(Code);
  for (ReplayLoop &Each : Loops) {
    const CodeLoop *const In = loopAt(Written, Each.Line);
    const auto Nodes = In ? nodesOfLoop(Graphs, Use, Written, In->First) : std::nullopt;
    if (Nodes)
      Each.Nodes = nodeNames(Graphs.graphOf(Use).PostGrad, Nodes->PostNodes);
  }
}

} // namespace seamscope::tools
