//===- CompiledGraphs.cpp - Python lines of compiled kernels --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/CompiledGraphs.h"
#include "torch/CallsWithoutProvenance.h"
#include "torch/EagerOps.h"
#include "torch/NestedNodes.h"
#include "torch/PythonText.h"
#include "torch/Recomputed.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The entry for a call, under its key with or without a handle; null if there is none.
template <typename Map> auto *lookUp(const Map &Names, const CodeCall &Call) {
  auto Found = Names.find(fmt::format("{}:{}", Call.Kernel, Call.Handle));
  if (Found == Names.end() && !Call.Handle)
    Found = Names.find(Call.Kernel);
  return Found == Names.end() ? nullptr : &Found->second;
}

void sortUnique(std::vector<uint32_t> &Numbers) {
  std::ranges::sort(Numbers);
  Numbers.erase(std::unique(Numbers.begin(), Numbers.end()), Numbers.end());
}

/// Returns whether \p Line is new.
bool addOnce(std::vector<SourceLine> &Lines, const SourceLine &Line) {
  // If one line belongs to several functions (a comprehension, a resumed frame), one entry is
  // enough.
  const auto Same = [&](const SourceLine &Known) {
    return Known.File == Line.File && Known.Line == Line.Line;
  };
  const bool New = std::ranges::none_of(Lines, Same);
  if (New)
    Lines.push_back(Line);
  return New;
}

/// If one of Inductor's patterns replaced nodes by one that returns a tuple, the map lacks that
/// node. The entries of the tuple have it.
void mapTuples(const FxGraph &PostGrad, Provenance &Map) {
  Provenance::Names More;
  for (const FxNode &Node : PostGrad.Nodes) {
    const auto Known = Map.PostToPre.find(Node.fullName());
    if (Node.Kind != FxNodeKind::Item || Node.Inputs.empty() || Known == Map.PostToPre.end())
      continue;
    const std::string Tuple = PostGrad.Nodes[Node.Inputs[0]].fullName();
    if (!Map.PostToPre.contains(Tuple))
      More[Tuple].insert(More[Tuple].end(), Known->second.begin(), Known->second.end());
  }
  Map.PostToPre.merge(More);
}

} // namespace

bool isSourceOf(std::string_view Kernel, std::string_view File) {
  const std::string_view Text = trimmed(Kernel);
  return !Text.empty() && trimmed(File).starts_with(Text);
}

std::string_view templateOf(std::string_view Source) {
  // Attention uses the same small products as a GEMM.
  if (Source.find("kvSplitSize") != Source.npos)
    return "attention";
  // Of Triton's templates, only flex attention modifies scores.
  if (Source.find("triton_heuristics.template(") != Source.npos)
    return Source.find("flex_attention") != Source.npos ? "attention"
           : Source.find("tl.dot(") != Source.npos      ? "gemm"
                                                        : "";
  return Source.find("_micro_gemm") != Source.npos ? "gemm" : "";
}

CompiledGraphs::CompiledGraphs(CompileLog Read) : Log(std::move(Read)) {
  for (CompiledGraph &Graph : Log.Graphs)
    if (Graph.PreGrad) {
      mapNestedNodes(*Graph.PreGrad, Graph.PostGrad, Graph.Map);
      mapTuples(Graph.PostGrad, Graph.Map);
    }
  readOldLines();
  for (uint32_t Graph = 0; Graph < Log.Graphs.size(); ++Graph) {
    FirstUse.push_back(Uses.size());
    const CompiledGraph &Compiled = Log.Graphs[Graph];
    const auto Bare = nodesWithoutProvenance(Compiled.Code, Compiled.PostGrad, Compiled.Map);
    for (uint32_t Call = 0; Call < Compiled.Code.Calls.size(); ++Call)
      if (const auto *Names = lookUp(Compiled.Map.KernelToPost, Compiled.Code.Calls[Call]))
        addUse(Graph, Call, *Names);
      else if (const auto Node = Bare.find(Call); Node != Bare.end())
        addUse(Graph, Call, {Compiled.PostGrad.Nodes[Node->second].fullName()});
      else
        addUse(Graph, Call, {});
    FirstUse.push_back(Uses.size());
    addEagerOps(Graph);
    FirstUse.pop_back();
  }
  FirstUse.push_back(Uses.size());
}

void CompiledGraphs::readOldLines() {
  for (const CompiledGraph &Graph : Log.Graphs) {
    if (!Graph.FromCache || !Graph.PreGrad)
      continue;
    auto &Known = NewLines[{Graph.Process, Graph.Id}];
    for (const auto &[PostName, PreNames] : Graph.Map.PostToPre) {
      const auto Post = Graph.PostGrad.find(PostName);
      const SourceLine *Old = Post ? Graph.PostGrad.lineOf(*Post) : nullptr;
      // A node merged from several lines does not identify one.
      if (!Old || PreNames.size() != 1)
        continue;
      const auto Pre = Graph.PreGrad->find(PreNames[0]);
      const SourceLine *New = Pre ? Graph.PreGrad->lineOf(*Pre) : nullptr;
      if (!New)
        continue;
      const auto [Entry, First] = Known.try_emplace(*Old, *New);
      if (!First && Entry->second != *New)
        Entry->second = {};
    }
  }
}

const SourceLine *CompiledGraphs::newLine(const CompiledGraph &Graph, const SourceLine &Old) const {
  const auto Known = NewLines.find({Graph.Process, Graph.Id});
  if (Known == NewLines.end())
    return nullptr;
  const auto Found = Known->second.find(Old);
  return Found == Known->second.end() || !Found->second.Line ? nullptr : &Found->second;
}

void CompiledGraphs::addUse(uint32_t GraphNumber, uint32_t CallNumber,
                            const std::vector<std::string> &Nodes) {
  const CompiledGraph &Graph = Log.Graphs[GraphNumber];
  const CodeCall &Call = Graph.Code.Calls[CallNumber];
  KernelUse Use;
  Use.Graph = GraphNumber;
  Use.Call = CallNumber;
  std::vector<std::string> PreNames;
  for (const std::string &Name : Nodes) {
    // Several nested graphs may have a node of that name.
    auto Node = Graph.PostGrad.find(Call.Within + "." + Name);
    if (!Node)
      Node = Graph.PostGrad.find(Name);
    if (Node)
      Use.PostNodes.push_back(*Node);
    else
      Use.Unknown.push_back(Name);
    if (const auto Pre =
            Graph.Map.PostToPre.find(Node ? Graph.PostGrad.Nodes[*Node].fullName() : Name);
        Pre != Graph.Map.PostToPre.end())
      PreNames.insert(PreNames.end(), Pre->second.begin(), Pre->second.end());
  }
  sortUnique(Use.PostNodes);
  addLines(Use, PreNames);
  addLinesOfProgram(Use);
  Use.Callers.resize(Use.Python.size());
  const auto Number = static_cast<uint32_t>(Uses.size());
  ByName[Call.Kernel].push_back(Number);
  const auto Source = std::ranges::find(Graph.Code.Kernels, Call.Kernel, &KernelSource::Name);
  if (Source != Graph.Code.Kernels.end()) {
    BySource[{GraphNumber, Source - Graph.Code.Kernels.begin()}].push_back(Number);
    for (const std::string &Symbol : Source->Symbols)
      ByName[Symbol].push_back(Number);
  }
  Uses.push_back(std::move(Use));
}

void CompiledGraphs::addLines(KernelUse &Use, const std::vector<std::string> &PreNames) {
  const CompiledGraph &Graph = Log.Graphs[Use.Graph];
  bool AllFound = !PreNames.empty();
  for (const std::string &Name : PreNames) {
    const auto Node = Graph.PreGrad ? Graph.PreGrad->find(Name) : std::nullopt;
    if (Node)
      Use.PreNodes.push_back(*Node);
    else
      AllFound = false;
  }
  sortUnique(Use.PreNodes);
  // The captured graph is of this run, but the lines in a cached graph are as old as the cache.
  for (const uint32_t Node : Use.PreNodes)
    addOrigin(Use, Node);
  // The gradient of an autograd.Function is in the program too, but not in the captured graph.
  if (std::ranges::any_of(
          Use.PreNodes, [&](uint32_t Node) { return !Graph.PreGrad->Nodes[Node].Within.empty(); }))
    for (const uint32_t Node : Use.PostNodes)
      if (!Graph.Map.PostToPre.contains(Graph.PostGrad.Nodes[Node].fullName()))
        addPostLine(Use, Node);
  if (AllFound && !Use.Python.empty())
    return;
  for (const uint32_t Node : Use.PostNodes)
    addPostLine(Use, Node);
  if (Use.Python.empty())
    addLinesOfUsers(Use);
  if (Use.Python.empty())
    if (const auto *Stacks = lookUp(Graph.Map.Stacks, Graph.Code.Calls[Use.Call]))
      for (const auto &Stack : *Stacks) {
        addOnce(Use.Python, Stack.back());
        Use.OldLines = Graph.FromCache;
      }
  // A torch module that is compiled directly has only the line of its call.
  if (!Use.Python.empty())
    return;
  std::vector<SourceLine> Chain = Graph.Callers;
  // Code without a frame of its own has the line of its call.
  const bool IsCall = !Chain.empty() && Chain[0].File == Graph.Function.File &&
                      Chain[0].Line == Graph.Function.Line;
  if (Graph.Function.Line && !IsCall && !isOfTorch(Graph.Function.File))
    Chain.insert(Chain.begin(), Graph.Function);
  auto Line = std::ranges::find_if_not(Chain, isOfLibrary, &SourceLine::File);
  if (Line == Chain.end())
    Line = Chain.begin();
  if (Line == Chain.end())
    return;
  Use.Python.push_back(*Line);
  Use.Callers.emplace_back(Line + 1, Chain.end());
}

void CompiledGraphs::addOrigin(KernelUse &Use, uint32_t Node) const {
  const CompiledGraph &Graph = Log.Graphs[Use.Graph];
  const FxNode &Captured = Graph.PreGrad->Nodes[Node];
  // For nodes of a nested graph, dynamo's notes have the call.
  const std::string &Name = Captured.Within.empty() ? Captured.Name : Captured.Within;
  if (const SourceLine *Line = Graph.PreGrad->lineOf(Node); Line && addOnce(Use.Python, *Line)) {
    if (Graph.Origins)
      Use.Callers.push_back(Captured.Within.empty() ? Graph.Origins->callersOf(Name, *Line)
                                                    : Graph.Origins->stackOf(Name));
    Use.Callers.resize(Use.Python.size());
    auto &Chain = Use.Callers.back();
    Chain.insert(Chain.end(), Graph.Callers.begin(), Graph.Callers.end());
  }
  const NodeOrigin *Origin = Graph.Origins ? Graph.Origins->find(Name) : nullptr;
  if (Origin && Origin->Module != ModulePath())
    addOnce(Use.Modules, Origin->Module);
}

const SourceLine *lineOfProgram(const KernelUse &Use, size_t Number) {
  if (!isOfLibrary(Use.Python[Number].File))
    return &Use.Python[Number];
  const auto &Chain = Use.Callers[Number];
  const auto Own = std::ranges::find_if_not(Chain, isOfLibrary, &SourceLine::File);
  return Own == Chain.end() ? nullptr : &*Own;
}

void CompiledGraphs::addLinesOfProgram(KernelUse &Use) const {
  const CompiledGraph &Graph = Log.Graphs[Use.Graph];
  const auto IsInTorch = [](const SourceLine &Line) { return isOfTorch(Line.File); };
  if (Graph.FromCache || !std::ranges::all_of(Use.Python, IsInTorch))
    return;
  const auto *Stacks = lookUp(Graph.Map.Stacks, Graph.Code.Calls[Use.Call]);
  if (!Stacks)
    return;
  for (const auto &Stack : *Stacks)
    for (auto Frame = Stack.rbegin(); Frame != Stack.rend(); ++Frame)
      if (!IsInTorch(*Frame)) {
        if (addOnce(Use.Python, *Frame)) {
          Use.Callers.resize(Use.Python.size());
          auto &Chain = Use.Callers.back();
          Chain.assign(Frame + 1, Stack.rend());
          Chain.insert(Chain.end(), Graph.Callers.begin(), Graph.Callers.end());
        }
        break;
      }
}

void CompiledGraphs::addPostLine(KernelUse &Use, uint32_t Node) const {
  const CompiledGraph &Graph = Log.Graphs[Use.Graph];
  const SourceLine *Line = Graph.PostGrad.lineOf(Node);
  if (!Line)
    return;
  const SourceLine *New = Graph.FromCache ? newLine(Graph, *Line) : Line;
  Use.OldLines = Use.OldLines || !New;
  addOnce(Use.Python, New ? *New : *Line);
}

void CompiledGraphs::addLinesOfUsers(KernelUse &Use) const {
  const FxGraph &Graph = Log.Graphs[Use.Graph].PostGrad;
  if (std::ranges::any_of(Use.PostNodes, [&](uint32_t Node) {
        return Graph.Nodes[Node].Kind != FxNodeKind::Placeholder;
      }))
    return;
  const std::set<uint32_t> Wanted(Use.PostNodes.begin(), Use.PostNodes.end());
  for (uint32_t Node = 0; Node < Graph.Nodes.size(); ++Node)
    if (std::ranges::any_of(Graph.Nodes[Node].Inputs,
                            [&](uint32_t Input) { return Wanted.contains(Input); }))
      addPostLine(Use, Node);
}

void CompiledGraphs::addEagerOps(uint32_t Number) {
  const CompiledGraph &Graph = Log.Graphs[Number];
  if (!Graph.PreGrad)
    return;
  const bool Backward = Graph.Code.Direction == GraphDirection::Backward;
  std::vector<uint32_t> Parts(Graph.PreGrad->Nodes.size());
  for (const KernelUse &Use : usesIn(Number))
    for (const uint32_t Node : Use.PreNodes)
      ++Parts[Node];
  for (size_t I = FirstUse[Number]; I < Uses.size(); ++I)
    for (const uint32_t Node : Uses[I].PreNodes)
      for (std::string &Name : eagerOps(*Graph.PreGrad, Node))
        (Backward ? Uses[I].GradientsOf : Uses[I].Eager)
            .push_back({std::move(Name), Node, Parts[Node] > 1});
  markRecomputed(Number);
  if (const auto Forward = forwardOf(Number))
    markRecomputedInBackward(*Forward, Number);
}

std::map<uint32_t, std::vector<size_t>> CompiledGraphs::computedBy(uint32_t Number) const {
  const CompiledGraph &Graph = Log.Graphs[Number];
  const std::span<const KernelUse> Calls = usesIn(Number);
  std::map<uint32_t, std::vector<size_t>> Kernels;
  for (size_t I = 0; I < Calls.size(); ++I) {
    const KernelSource *Source = sourceOf(Calls[I]);
    const std::string_view Text = Source ? Graph.Code.sourceOf(*Source) : std::string_view();
    if (Text.empty() || !templateOf(Text).empty())
      continue;
    for (const uint32_t Post : Calls[I].PostNodes)
      if (const FxNode &Node = Graph.PostGrad.Nodes[Post];
          isPointwise(Node) && canCompute(Text, Node))
        Kernels[Post].push_back(I);
  }
  return Kernels;
}

std::vector<uint32_t> nodesFor(const CompiledGraph &Graph, uint32_t Post) {
  std::vector<uint32_t> Nodes;
  const auto Names = Graph.Map.PostToPre.find(Graph.PostGrad.Nodes[Post].fullName());
  if (Names != Graph.Map.PostToPre.end() && Graph.PreGrad)
    for (const std::string &Name : Names->second)
      if (const auto Node = Graph.PreGrad->find(Name))
        Nodes.push_back(*Node);
  return Nodes;
}

std::map<uint32_t, std::vector<uint32_t>>
CompiledGraphs::postNodes(const CompiledGraph &Graph) const {
  std::map<uint32_t, std::vector<uint32_t>> Nodes;
  for (uint32_t Post = 0; Post < Graph.PostGrad.Nodes.size(); ++Post)
    for (const uint32_t Node : nodesFor(Graph, Post))
      Nodes[Node].push_back(Post);
  return Nodes;
}

void CompiledGraphs::markRecomputed(uint32_t Number) {
  const CompiledGraph &Graph = Log.Graphs[Number];
  for (const auto &[Post, Calls] : computedBy(Number))
    if (Calls.size() > 1)
      for (const uint32_t Node : nodesFor(Graph, Post))
        for (const size_t Call : Calls)
          for (EagerOp &Op : Uses[FirstUse[Number] + Call].Eager)
            Op.Recomputed |= Op.Node == Node;
  const std::map<uint32_t, std::vector<uint32_t>> Posts = postNodes(Graph);
  for (size_t I = FirstUse[Number]; I < Uses.size(); ++I)
    for (EagerOp &Op : Uses[I].Eager)
      if (const auto All = Posts.find(Op.Node); Op.Recomputed && All != Posts.end())
        Op.Partial = !std::ranges::includes(Uses[I].PostNodes, All->second);
}

void CompiledGraphs::markRecomputedInBackward(uint32_t Forward, uint32_t Backward) {
  const CompiledGraph &First = Log.Graphs[Forward], &Second = Log.Graphs[Backward];
  const std::map<uint32_t, std::vector<size_t>> Computed = computedBy(Forward);
  // Nodes of the forward graph, by call of the backward pass and node of PreGrad.
  std::map<size_t, std::map<uint32_t, std::vector<uint32_t>>> Added;
  for (const auto &[Post, Calls] : computedBy(Backward)) {
    // Both graphs were cut from one, and nodes keep their names.
    const FxNode &Recomputed = Second.PostGrad.Nodes[Post];
    const auto Original = First.PostGrad.find(Recomputed.Name);
    if (!Original || First.PostGrad.Nodes[*Original].Target != Recomputed.Target)
      continue;
    const auto By = Computed.find(*Original);
    for (const uint32_t Node : nodesFor(First, *Original)) {
      for (const size_t Call : Calls)
        Added[Call][Node].push_back(*Original);
      if (By != Computed.end())
        for (const size_t Call : By->second)
          for (EagerOp &Op : Uses[FirstUse[Forward] + Call].Eager)
            Op.Recomputed |= Op.Node == Node;
    }
  }
  const std::map<uint32_t, std::vector<uint32_t>> Posts = postNodes(First);
  for (const auto &[Call, Nodes] : Added)
    for (const auto &[Node, Recomputed] : Nodes)
      for (std::string &Name : eagerOps(*First.PreGrad, Node))
        Uses[FirstUse[Backward] + Call].Eager.push_back(
            {std::move(Name), Node, Recomputed.size() < Posts.at(Node).size(), true});
}

std::optional<uint32_t> CompiledGraphs::forwardOf(uint32_t Backward) const {
  const CompiledGraph &Graph = Log.Graphs[Backward];
  if (Graph.Code.Direction == GraphDirection::Backward)
    for (uint32_t Number = Backward; Number-- > 0;)
      if (const CompiledGraph &Each = Log.Graphs[Number];
          Each.Id == Graph.Id && Each.Process == Graph.Process &&
          Each.Code.Direction == GraphDirection::Forward)
        return Number;
  return std::nullopt;
}

const KernelSource *CompiledGraphs::sourceOf(const KernelUse &Use) const {
  for (const KernelSource &Source : graphOf(Use).Code.Kernels)
    if (Source.Name == callOf(Use).Kernel)
      return &Source;
  return nullptr;
}

std::vector<uint32_t> CompiledGraphs::usesOf(std::string_view Kernel) const {
  const auto Found = ByName.find(Kernel);
  return Found == ByName.end() ? std::vector<uint32_t>() : Found->second;
}

std::vector<uint32_t> CompiledGraphs::usesOfFile(std::string_view File,
                                                 std::string_view Kernel) const {
  std::vector<uint32_t> Result;
  for (const auto &[Place, Calls] : BySource) {
    const OutputCode &Code = Log.Graphs[Place.first].Code;
    const KernelSource &Source = Code.Kernels[Place.second];
    const std::string_view Text = Code.sourceOf(Source);
    if (Source.Function ? Source.Name == Kernel && File.find(Text) != File.npos
                        : isSourceOf(Text, File))
      Result.insert(Result.end(), Calls.begin(), Calls.end());
  }
  std::ranges::sort(Result);
  return Result;
}

const KernelUse *CompiledGraphs::find(uint32_t Graph, std::string_view Kernel,
                                      uint32_t Handle) const {
  for (const KernelUse &Use : usesIn(Graph))
    if (callOf(Use).Handle == Handle && callOf(Use).Kernel == Kernel)
      return &Use;
  return nullptr;
}

} // namespace seamscope::tools
