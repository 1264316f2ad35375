//===- TorchGraphs.cpp - graphs, breaks, recompilations and compile times ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"
#include "report/sections/TorchRecords.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t CodeWidth = 60;
constexpr size_t ReasonWidth = 72;

Value textList(const std::vector<std::string> &Texts) {
  return Value(Value::List(Texts.begin(), Texts.end()));
}

void addBreakTable(Section &To, const Context &In) {
  const std::vector<GraphBreak> &Breaks = In->Input.Torch->Graphs.log().Breaks;
  Fields<GraphBreak> Columns = {
      {Column("where", "Graph break", Unit::Name, "line that broke the graph").in(ForPeople),
       [](const GraphBreak &B) { return shortPlace(B.Where); }}};
  append(Columns, fieldsOf<GraphBreak>(lineFields(), [](const GraphBreak &B) -> const SourceLine & {
           return B.Where;
         }));
  append(Columns,
         {{Column("graph_ids", "Graphs", Unit::Text, "compile ids that met it")
               .left()
               .cut(24)
               .in(ForPeople),
           [](const GraphBreak &B) { return fmt::format("{}", fmt::join(B.Graphs, ", ")); }},
          {Column("reason", "Reason", Unit::Name, "why").left().cut(ReasonWidth),
           [](const GraphBreak &B) { return B.Reason; }},
          {{"explanation", "", Unit::Name, "torch's explanation"},
           [](const GraphBreak &B) { return textOrNull(B.Explanation); }},
          {{"hints", "", Unit::List, "torch's hints"},
           [](const GraphBreak &B) { return textList(B.Hints); }},
          {{"graphs", "", Unit::List, "compile ids that met it"},
           [](const GraphBreak &B) { return textList(B.Graphs); }},
          rowsField<GraphBreak>("stack", "of the program, outermost first", lineFields(),
                                [](const GraphBreak &B) { return std::span(B.Stack); })});
  Table Rows = makeTable("graph_breaks", "Graph breaks", std::span(Breaks), std::move(Columns));
  Rows.In = ForJson | (Breaks.empty() ? 0 : ForPeople);
  Rows.Top = In->Input.rowsOf(20);
  Rows.Notes = [&Breaks](size_t Row) {
    std::vector<std::string> Lines;
    if (!Breaks[Row].Where.Code.empty())
      Lines.push_back(fit(Breaks[Row].Where.Code, CodeWidth));
    return Lines;
  };
  To.Items.emplace_back(std::move(Rows));
}

std::string limitText(const Recompile &Last) {
  const size_t Slash = Last.Graph.rfind('/');
  return fmt::format("note: torch's limit of recompilations is reached for {} ({}), compiled {} "
                     "times: other calls of it run in eager mode",
                     escaped(Last.Where.Function), shortPlace(Last.Where),
                     escaped(Slash == std::string::npos ? "?" : Last.Graph.substr(Slash + 1)));
}

void addRecompiles(Section &To, const Context &In) {
  const std::vector<Recompile> &Recompiles = In->Input.Torch->Graphs.log().Recompiles;
  Fields<Recompile> Columns = fieldsOf<Recompile>(
      lineFields(), [](const Recompile &R) -> const SourceLine & { return R.Where; });
  append(Columns,
         {{{"graph", "", Unit::Text, "compile id of the new graph"},
           [](const Recompile &R) { return R.Graph; }},
          rowsField<Recompile>(
              "failed", "guards",
              Fields<FailedGuard>{{{"graph", "", Unit::Text, "the older graph"},
                                   [](const FailedGuard &G) { return textOrNull(G.Graph); }},
                                  {{"reason", "", Unit::Name, "what did not hold"},
                                   [](const FailedGuard &G) { return G.Reason; }}},
              [](const Recompile &R) { return std::span(R.Failed); }),
          {{"limit_reached", "", Unit::Flag, "nothing more is compiled"},
           [](const Recompile &R) { return R.LimitReached; }}});
  Table Data = makeTable("recompiles", "", std::span(Recompiles), std::move(Columns));
  Data.In = ForJson;
  To.Items.emplace_back(std::move(Data));
  if (Recompiles.empty())
    return;
  std::vector<TreeLine> Lines;
  for (const Recompile &Again : Recompiles)
    for (size_t I = 0; I < Again.Failed.size(); ++I)
      Lines.push_back(
          {I ? "" : fmt::format("{} {}", shortPlace(Again.Where), fit(Again.Where.Function, 32)),
           {{"graph", I                    ? ""
                      : Again.LimitReached ? "[none: limit]"
                                           : Again.Graph},
            {"instead", Again.Failed[I].Graph},
            {"guard", Again.Failed[I].Reason}}});
  Table Rows = treeTable(
      "recompilations", "Recompilations",
      {Column("where", "Recompiled", Unit::Name, "the function"),
       Column("graph", "Graph", Unit::Text, "compile id of the new graph").left(),
       Column("instead", "Instead of", Unit::Text, "compile id of the older one").left(),
       Column("guard", "Failed guard", Unit::Name, "what did not hold").left().cut(ReasonWidth)},
      std::move(Lines));
  Rows.Top = In->Input.rowsOf(20);
  To.Items.emplace_back(std::move(Rows));
  for (const Recompile &Again : Recompiles)
    if (Again.LimitReached)
      To.Items.emplace_back(Sentence{limitText(Again)});
}

} // namespace

void addGraphs(Section &To, const Context &In) {
  const CompiledGraphs *const Graphs = &In->Input.Torch->Graphs;
  const CompileLog &Log = Graphs->log();
  To.Items.emplace_back(
      Fact{{"torch", "torch", Unit::Text, "version of torch"}, textOrNull(Log.TorchVersion)});
  using Graph = const CompiledGraph *;
  std::vector<Graph> All;
  for (const CompiledGraph &Each : Log.Graphs)
    All.push_back(&Each);
  Table Rows = makeTable<Graph>(
      "graphs", "Graphs", std::move(All),
      {{{"id", "", Unit::Text, "compile id"}, [](const Graph &G) { return textOrNull(G->Id); }},
       {{"direction", "", Unit::Text, "inference, forward or backward"},
        [](const Graph &G) { return textOrNull(nameOf(G->Code.Direction)); }},
       {{"process", "", Unit::Count, "that compiled it"},
        [](const Graph &G) { return G->Process; }},
       {{"key", "", Unit::Text, "of torch's cache of graphs"},
        [](const Graph &G) { return textOrNull(G->CacheKey); }},
       {{"cached", "", Unit::Flag, "it was taken from there"},
        [](const Graph &G) { return G->FromCache; }},
       rowsField<Graph>(
           "calls", "its calls, in their order", useFields(Graphs), [Graphs](const Graph &G) {
             std::vector<const KernelUse *> Uses;
             const auto Number = static_cast<uint32_t>(G - Graphs->log().Graphs.data());
             for (const KernelUse &Use : Graphs->usesIn(Number))
               Uses.push_back(&Use);
             return Uses;
           })});
  Rows.In = ForJson;
  To.Items.emplace_back(std::move(Rows));
}

void addBreaks(Section &To, const Context &In) {
  addBreakTable(To, In);
  addRecompiles(To, In);
}

void addCompileTimes(Section &To, const Context &In) {
  constexpr size_t PhasesShown = 8;
  const CompileLog &Log = In->Input.Torch->Graphs.log();
  To.Items.emplace_back(
      Fact{{"compile.total_ns", "Compilation", Unit::Ns, "of all phases"}, Log.CompileNs});
  Table Phases = makeTable<CompilePhase>(
      "compile.phases", "Compilation", std::span(Log.Phases),
      {{column::name("Compilation"), [](const CompilePhase &P) { return P.Name; }},
       {Column("ns", "Time", Unit::Ns, "of all processes").sum(),
        [](const CompilePhase &P) { return P.Ns; }},
       {column::percent("percent", "%", "of all phases").sum(),
        [&Log](const CompilePhase &P) { return percentOf(P.Ns, Log.CompileNs); }}});
  Phases.In = ForJson | (Log.Phases.empty() ? 0 : ForPeople);
  Phases.Top = PhasesShown;
  const auto Cached = std::ranges::count_if(Log.Graphs, &CompiledGraph::FromCache);
  Phases.Summaries.push_back(
      {fmt::format("[{} graphs, {} from the cache]", Log.Graphs.size(), Cached),
       {{"ns", Log.CompileNs}, {"percent", 100.0}}});
  To.Items.emplace_back(std::move(Phases));
  Fields<FrameCompile> Frames = fieldsOf<FrameCompile>(
      lineFields(), [](const FrameCompile &F) -> const SourceLine & { return F.Function; });
  append(
      Frames,
      {{{"graph", "", Unit::Text, "compile id"}, [](const FrameCompile &F) { return F.Id; }},
       {{"backward", "", Unit::Flag, "of the backward pass"},
        [](const FrameCompile &F) { return F.Backward; }},
       {{"entire_ns", "", Unit::Ns, "all of it"}, [](const FrameCompile &F) { return F.EntireNs; }},
       {{"inductor_ns", "", Unit::Ns, "of which Inductor"},
        [](const FrameCompile &F) { return F.InductorNs; }},
       {{"failure", "", Unit::Name, "why there is no compiled code"},
        [](const FrameCompile &F) { return textOrNull(F.Failure); }}});
  Table Functions = makeTable("compile.functions", "", std::span(Log.Frames), std::move(Frames));
  Functions.In = ForJson;
  To.Items.emplace_back(std::move(Functions));
}

void addTorch(Section &To, const Context &In) {
  if (!In->Input.Torch)
    return;
  addTorchKernels(To, In);
  addGraphs(To, In);
  addBreaks(To, In);
  addCompileTimes(To, In);
  addCompiledFiles(To, In);
  const std::vector<std::string> &Notes = In->Input.Torch->Graphs.log().Notes;
  To.Items.emplace_back(
      Fact{{"torch_notes", "", Unit::List, "what was odd in torch's logs"}, textList(Notes)});
  for (const std::string &Text : Notes)
    To.Items.emplace_back(Sentence{"note: " + escaped(Text)});
}

} // namespace seamscope::tools
