//===- UnrolledLoops.cpp - loops of Python that became copies in a graph --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/UnrolledLoops.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr uint64_t ManyCopies = 16;
constexpr double MostOfGraph = 0.5;
constexpr int64_t LongCompileNs = 5'000'000'000;

/// A line with its callers, and the module that it ran in.
using Place = std::pair<std::vector<std::pair<std::string, uint32_t>>, std::string>;
/// An expression: its stack, which has columns if Python records them, and its operator.
using Expression = std::pair<size_t, std::string>;

/// How often a line ran: the count that most of its expressions have; of two, the lower one. An
/// operator that a line has twice counts twice if columns are unknown.
uint64_t copiesOf(const std::map<Expression, uint64_t> &Expressions) {
  std::map<uint64_t, size_t> Votes;
  for (const auto &[Which, Count] : Expressions)
    ++Votes[Count];
  return std::ranges::max_element(Votes, {}, [](const auto &Vote) { return Vote.second; })->first;
}

const SourceLine *lineOfProgram(const std::vector<SourceLine> &Stack) {
  const auto Own = std::find_if(Stack.rbegin(), Stack.rend(),
                                [](const SourceLine &Line) { return !isOfLibrary(Line.File); });
  return Own == Stack.rend() ? nullptr : &*Own;
}

/// The time of compiling a graph, forward and backward.
int64_t compileNs(const CompileLog &Log, const std::string &Id, uint32_t Process) {
  int64_t Ns = 0;
  for (const FrameCompile &Frame : Log.Frames)
    if (Frame.Id == Id && Frame.Process == Process)
      Ns += Frame.EntireNs;
  return Ns;
}

} // namespace

std::optional<UnrolledLine> unrolledLine(const FxGraph &Graph, const NodeOrigins &Origins,
                                         uint64_t Least) {
  struct Line {
    const SourceLine *Where;
    size_t Nodes = 0;
    std::map<Expression, uint64_t> Expressions = {};
  };
  std::map<Place, Line> Lines;
  UnrolledLine Most;
  for (const FxNode &Node : Graph.Nodes) {
    if (Node.Kind == FxNodeKind::Placeholder)
      continue;
    ++Most.GraphNodes;
    const NodeOrigin *const Origin = Origins.find(Node.Name);
    if (!Origin || !Origin->Stack)
      continue;
    const std::vector<SourceLine> &Stack = Origins.Stacks[*Origin->Stack];
    const SourceLine *const Where = lineOfProgram(Stack);
    if (!Where)
      continue;
    Place Key = {{}, Origin->Module.Path};
    for (const SourceLine &Frame : Stack)
      Key.first.emplace_back(Frame.File, Frame.Line);
    Line &Of = Lines.try_emplace(std::move(Key), Line{Where}).first->second;
    ++Of.Nodes;
    ++Of.Expressions[{*Origin->Stack, Node.Target}];
  }
  for (const auto &[Key, Of] : Lines) {
    const uint64_t Copies = copiesOf(Of.Expressions);
    if (Copies < Least)
      continue;
    Most.AllNodes += Of.Nodes;
    if (Of.Nodes > Most.Nodes) {
      Most.Where = *Of.Where;
      Most.Copies = Copies;
      Most.Nodes = Of.Nodes;
    }
  }
  return Most.Nodes ? std::optional(Most) : std::nullopt;
}

std::vector<Advice> adviseOnUnrolledLoops(const CompileLog &Log) {
  std::vector<Advice> Found;
  std::set<std::pair<uint32_t, std::string>> Seen; // forward and backward are of one graph
  for (const CompiledGraph &Graph : Log.Graphs) {
    if (!Graph.PreGrad || !Graph.Origins || !Seen.emplace(Graph.Process, Graph.Id).second)
      continue;
    const int64_t Ns = compileNs(Log, Graph.Id, Graph.Process);
    if (Ns < LongCompileNs)
      continue;
    const auto Line = unrolledLine(*Graph.PreGrad, *Graph.Origins, ManyCopies);
    const double Share =
        Line ? static_cast<double>(Line->AllNodes) / static_cast<double>(Line->GraphNodes) : 0;
    if (Share < MostOfGraph)
      continue;
    Advice One = {
        "unrolled-loop",
        fmt::format("{}: line {} became {} copies in graph {}; copies are {:.0f} % of its {} "
                    "nodes, and compiling it took {:.1f} s",
                    std::filesystem::path(Line->Where.File).filename().string(), Line->Where.Line,
                    Line->Copies, Graph.Id, 100 * Share, Line->GraphNodes,
                    static_cast<double>(Ns) / 1e9),
        "replace the loop by an operator over the whole sequence or by "
        "torch._higher_order_ops.scan or associative_scan, or compile its body alone",
        Ns};
    One.InWindow = false;
    Found.push_back(std::move(One));
  }
  return Found;
}

} // namespace seamscope::tools
