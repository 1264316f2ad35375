//===- TorchJson.cpp - what torch compiled, for scripts -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys are docs/formats.md's.
//
//===----------------------------------------------------------------------===//
#include "report/CompiledFiles.h"
#include "report/Torch.h"

#include <algorithm>
#include <map>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

Json textOrNull(std::string_view Text) { return Text.empty() ? Json() : Json(Text); }

Json lineJson(const SourceLine &Line) {
  return {{"file", textOrNull(Line.File)},
          {"line", Line.Line ? Json(Line.Line) : Json()},
          {"function", textOrNull(Line.Function)},
          {"code", textOrNull(Line.Code)}};
}

/// A kernel's line of Python and what called it, innermost first.
Json calledLineJson(const KernelUse &Use, size_t Number) {
  Json Line = lineJson(Use.Python[Number]);
  Line["callers"] = Json::array();
  for (const SourceLine &Caller : Use.Callers[Number])
    Line["callers"].push_back(lineJson(Caller));
  return Line;
}

Json modulesJson(const std::vector<ModulePath> &Modules) {
  Json Rows = Json::array();
  for (const ModulePath &Each : Modules)
    Rows.push_back({{"path", Each.Path}, {"class", textOrNull(Each.Class)}});
  return Rows;
}

Json nodeJson(const FxGraph &Graph, uint32_t Number) {
  const FxNode &Node = Graph.Nodes[Number];
  return {
      {"name", Node.Name}, {"target", textOrNull(Node.Target)}, {"type", textOrNull(Node.Type)}};
}

Json nodesJson(const FxGraph &Graph, const std::vector<uint32_t> &Numbers) {
  Json Nodes = Json::array();
  for (const uint32_t Number : Numbers)
    Nodes.push_back(nodeJson(Graph, Number));
  return Nodes;
}

/// Operators by name, in the order of first appearance.
class OperatorCounts {
public:
  void add(const std::vector<EagerOp> &Operators) {
    for (const EagerOp &Op : Operators) {
      const auto [Known, New] = Index.try_emplace(Op.Name, Rows.size());
      if (New)
        Rows.push_back({Op.Name, 0, 0, 0});
      ++Rows[Known->second].Calls;
      Rows[Known->second].Partial += Op.Partial;
      Rows[Known->second].Recomputed += Op.Recomputed;
    }
  }
  Json json() const {
    Json Ops = Json::array();
    for (const Row &Each : Rows)
      Ops.push_back({{"name", Each.Name},
                     {"calls", Each.Calls},
                     {"partial", Each.Partial},
                     {"recomputed", Each.Recomputed}});
    return Ops;
  }

private:
  struct Row {
    std::string Name;
    uint64_t Calls, Partial, Recomputed;
  };
  std::map<std::string, size_t> Index;
  std::vector<Row> Rows;
};

Json useJson(const CompiledGraphs &Graphs, const KernelUse &Use) {
  const CompiledGraph &Graph = Graphs.graphOf(Use);
  Json Lines = Json::array();
  for (size_t I = 0; I < Use.Python.size(); ++I)
    Lines.push_back(calledLineJson(Use, I));
  OperatorCounts Ops, Gradients;
  Ops.add(Use.Eager);
  Gradients.add(Use.GradientsOf);
  const uint32_t Handle = Graphs.callOf(Use).Handle;
  Json Row = callJson(Graphs, Use);
  Row["handle"] = Handle ? Json(Handle) : Json();
  Row["nodes"] = nodesJson(Graph.PostGrad, Use.PostNodes);
  Row["captured"] = Graph.PreGrad ? nodesJson(*Graph.PreGrad, Use.PreNodes) : Json::array();
  Row["eager_ops"] = Ops.json();
  Row["gradients_of"] = Gradients.json();
  Row["python"] = std::move(Lines);
  Row["modules"] = modulesJson(Use.Modules);
  Row["old_lines"] = Use.OldLines;
  return Row;
}

void addKernel(Json &Kernel, const TorchRun &Run, const GeneratedKernel *Known) {
  Json Lines = Json::array(), Nodes = Json::array(), Uses = Json::array();
  std::vector<SourceLine> Seen;
  std::vector<ModulePath> Modules;
  OperatorCounts Ops;
  std::string Graph;
  bool OneGraph = true;
  if (Known)
    for (const uint32_t Number : Known->Uses) {
      const KernelUse &Use = Run.Graphs.uses()[Number];
      for (size_t I = 0; I < Use.Python.size(); ++I)
        if (std::ranges::find(Seen, Use.Python[I]) == Seen.end()) {
          Seen.push_back(Use.Python[I]);
          Lines.push_back(calledLineJson(Use, I));
        }
      for (const ModulePath &Each : Use.Modules)
        addOnce(Modules, Each);
      for (const uint32_t Node : Use.PostNodes)
        Nodes.push_back(nodeJson(Run.Graphs.graphOf(Use).PostGrad, Node));
      Ops.add(Use.Eager);
      Uses.push_back(useJson(Run.Graphs, Use));
      const std::string &Id = Run.Graphs.graphOf(Use).Id;
      OneGraph = OneGraph && (Graph.empty() || Graph == Id);
      Graph = Id;
    }
  Kernel["python"] = std::move(Lines);
  Kernel["modules"] = modulesJson(Modules);
  Kernel["nodes"] = std::move(Nodes);
  Kernel["eager_ops"] = Ops.json();
  Kernel["graph"] = OneGraph ? textOrNull(Graph) : Json();
  Kernel["generated"] = {{"file", Known ? textOrNull(Known->File) : Json()},
                         {"line", Known && Known->Line ? Json(Known->Line) : Json()}};
  Kernel["template"] = Known ? textOrNull(Known->Template) : Json();
  Kernel["uses"] = std::move(Uses);
}

} // namespace

Json callJson(const CompiledGraphs &Graphs, const KernelUse &Use) {
  const CompiledGraph &Graph = Graphs.graphOf(Use);
  const CodeCall &Call = Graphs.callOf(Use);
  return {{"graph", textOrNull(Graph.Id)}, {"direction", textOrNull(nameOf(Graph.Code.Direction))},
          {"process", Graph.Process},      {"call", Use.Call},
          {"kernel", Call.Kernel},         {"extern", Call.Extern}};
}

void addTorchJson(Json &Report, const ReportInput &Input) {
  if (!Input.Torch)
    return;
  const TorchRun &Run = *Input.Torch;
  const CompileLog &Log = Run.Graphs.log();
  Json &Kernels = Report["kernels"];
  for (size_t I = 0; I < Kernels.size(); ++I) {
    const SiteId Site = Input.Numbers->Kernels[I].Site;
    addKernel(Kernels[I], Run, Run.kernel(Site));
    Kernels[I]["category"] = categoryName(categoryOf(&Run, *Input.Source, Site));
    const CompilerTime *Compiled =
        Run.kernel(Site) ? Run.Compiler.of(Input.Source->text(Input.Source->Sites[Site].File))
                         : nullptr;
    Kernels[I]["compile_ns"] = Compiled ? Json(Compiled->Ns) : Json();
  }

  Json Graphs = Json::array(), Breaks = Json::array(), Recompiles = Json::array(),
       Phases = Json::array(), Functions = Json::array();
  for (uint32_t Number = 0; Number < Log.Graphs.size(); ++Number) {
    const CompiledGraph &Graph = Log.Graphs[Number];
    Json Calls = Json::array();
    for (const KernelUse &Use : Run.Graphs.usesIn(Number))
      Calls.push_back(useJson(Run.Graphs, Use));
    Graphs.push_back({{"id", textOrNull(Graph.Id)},
                      {"direction", textOrNull(nameOf(Graph.Code.Direction))},
                      {"process", Graph.Process},
                      {"key", textOrNull(Graph.CacheKey)},
                      {"cached", Graph.FromCache},
                      {"calls", std::move(Calls)}});
  }
  for (const GraphBreak &Break : Log.Breaks) {
    Json Stack = Json::array();
    for (const SourceLine &Frame : Break.Stack)
      Stack.push_back(lineJson(Frame));
    Json Row = lineJson(Break.Where);
    Row["reason"] = Break.Reason;
    Row["explanation"] = textOrNull(Break.Explanation);
    Row["hints"] = Break.Hints;
    Row["graphs"] = Break.Graphs;
    Row["stack"] = std::move(Stack);
    Breaks.push_back(std::move(Row));
  }
  for (const Recompile &Again : Log.Recompiles) {
    Json Failed = Json::array();
    for (const FailedGuard &Guard : Again.Failed)
      Failed.push_back({{"graph", textOrNull(Guard.Graph)}, {"reason", Guard.Reason}});
    Json Row = lineJson(Again.Where);
    Row["graph"] = Again.Graph;
    Row["failed"] = std::move(Failed);
    Row["limit_reached"] = Again.LimitReached;
    Recompiles.push_back(std::move(Row));
  }
  for (const CompilePhase &Phase : Log.Phases)
    Phases.push_back({{"name", Phase.Name}, {"ns", Phase.Ns}});
  for (const FrameCompile &Frame : Log.Frames) {
    Json Row = lineJson(Frame.Function);
    Row["graph"] = Frame.Id;
    Row["backward"] = Frame.Backward;
    Row["entire_ns"] = Frame.EntireNs;
    Row["inductor_ns"] = Frame.InductorNs;
    Row["failure"] = textOrNull(Frame.Failure);
    Functions.push_back(std::move(Row));
  }
  Report["torch"] = textOrNull(Log.TorchVersion);
  Report["graphs"] = std::move(Graphs);
  Report["graph_breaks"] = std::move(Breaks);
  Report["recompiles"] = std::move(Recompiles);
  Report["compile"] = {{"total_ns", Log.CompileNs},
                       {"phases", std::move(Phases)},
                       {"functions", std::move(Functions)},
                       {"files", compiledFilesJson(Input)}};
  Report["torch_notes"] = Log.Notes;
}

} // namespace seamscope::tools
