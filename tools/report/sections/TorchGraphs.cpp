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

void addBreakTable(Section &To, const Context &In) {
  const std::vector<GraphBreak> &Breaks = In->Input.Torch->Graphs.log().Breaks;
  Fields<GraphBreak> Columns = {
      {Column("where", "Graph break", Unit::Name, "line that broke the graph").in(ForPeople),
       [](const GraphBreak &B) { return shortPlace(B.Where); }}};
  append(Columns, fieldsOf<GraphBreak>(lineFields(), &GraphBreak::Where));
  append(
      Columns,
      {{Column("graph_ids", "Graphs", Unit::Text, "compile ids that met it")
            .left()
            .cut(24)
            .in(ForPeople),
        [](const GraphBreak &B) { return fmt::format("{}", fmt::join(B.Graphs, ", ")); }},
       {Column("reason", "Reason", Unit::Name, "why").left().cut(ReasonWidth), &GraphBreak::Reason},
       {{"explanation", Unit::Name, "torch's explanation"}, orNull(&GraphBreak::Explanation)},
       {{"hints", Unit::List, "torch's hints"},
        [](const GraphBreak &B) { return listOf(B.Hints); }},
       {{"graphs", Unit::List, "compile ids that met it"},
        [](const GraphBreak &B) { return listOf(B.Graphs); }},
       rowsField("stack", "of the program, outermost first", lineFields(), &GraphBreak::Stack)});
  Table Rows =
      shownIfAny(makeTable("graph_breaks", "Graph breaks", std::span(Breaks), std::move(Columns)));
  Rows.Top = In->Input.rowsOf(20);
  Rows.Notes = [&Breaks](size_t Row) {
    std::vector<std::string> Lines;
    if (!Breaks[Row].Where.Code.empty())
      Lines.push_back(fit(Breaks[Row].Where.Code, CodeWidth));
    return Lines;
  };
  const size_t Shown = std::min(Rows.Top, Breaks.size());
  To.add(std::move(Rows));
  // As sentences, since a table would be as wide as the longest.
  for (const GraphBreak &Each : std::span(Breaks).first(Shown))
    if (!Each.Explanation.empty())
      To.say(fmt::format("note: {}: {}{}", shortPlace(Each.Where), escaped(Each.Explanation),
                         Each.action().empty()
                             ? std::string()
                             : fmt::format(" (hint: {})", escaped(Each.action()))));
}

std::string limitText(const Recompile &Last) {
  const size_t Slash = Last.Graph.rfind('/');
  return fmt::format("note: torch's recompilation limit is reached for {} ({}), compiled {} times: "
                     "other calls of it run in eager mode",
                     escaped(Last.Where.Function), shortPlace(Last.Where),
                     escaped(Slash == std::string::npos ? "?" : Last.Graph.substr(Slash + 1)));
}

void addRecompiles(Section &To, const Context &In) {
  const std::vector<Recompile> &Recompiles = In->Input.Torch->Graphs.log().Recompiles;
  Fields<Recompile> Columns = fieldsOf<Recompile>(lineFields(), &Recompile::Where);
  append(Columns,
         {{{"graph", Unit::Text, "compile id of the new graph"}, &Recompile::Graph},
          rowsField("failed", "guards",
                    Fields<FailedGuard>{
                        {{"graph", Unit::Text, "the older graph"}, orNull(&FailedGuard::Graph)},
                        {{"reason", Unit::Name, "what did not hold"}, &FailedGuard::Reason}},
                    &Recompile::Failed),
          {{"limit_reached", Unit::Flag, "nothing more is compiled"}, &Recompile::LimitReached}});
  To.add(forJson(makeTable("recompiles", "", std::span(Recompiles), std::move(Columns))));
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
  To.add(std::move(Rows));
  for (const Recompile &Again : Recompiles)
    if (Again.LimitReached)
      To.say(limitText(Again));
}

} // namespace

void addGraphs(Section &To, const Context &In) {
  const CompiledGraphs *const Graphs = &In->Input.Torch->Graphs;
  const CompileLog &Log = Graphs->log();
  To.fact({"torch", "torch", Unit::Text, "version of torch"}, textOrNull(Log.TorchVersion));
  using Graph = const CompiledGraph *;
  std::vector<Graph> All;
  for (const CompiledGraph &Each : Log.Graphs)
    All.push_back(&Each);
  To.add(forJson(makeTable<Graph>(
      "graphs", "Graphs", std::move(All),
      {{{"id", Unit::Text, "compile id"}, orNull(&CompiledGraph::Id)},
       {{"direction", Unit::Text, "inference, forward or backward"},
        [](const Graph &G) { return textOrNull(nameOf(G->Code.Direction)); }},
       {{"process", Unit::Count, "that compiled it"}, &CompiledGraph::Process},
       {{"key", Unit::Text, "of torch's cache of graphs"}, orNull(&CompiledGraph::CacheKey)},
       {{"cached", Unit::Flag, "it was taken from there"}, &CompiledGraph::FromCache},
       rowsField<Graph>(
           "calls", "its calls, in their order", useFields(Graphs), [Graphs](const Graph &G) {
             std::vector<const KernelUse *> Uses;
             const auto Number = static_cast<uint32_t>(G - Graphs->log().Graphs.data());
             for (const KernelUse &Use : Graphs->usesIn(Number))
               Uses.push_back(&Use);
             return Uses;
           })})));
}

void addBreaks(Section &To, const Context &In) {
  addBreakTable(To, In);
  addRecompiles(To, In);
}

void addCompileTimes(Section &To, const Context &In) {
  constexpr size_t PhasesShown = 8;
  const CompileLog &Log = In->Input.Torch->Graphs.log();
  To.fact({"compile.total_ns", "Compilation", Unit::Ns, "of all phases"}, Log.CompileNs);
  Table Phases = shownIfAny(makeTable<CompilePhase>(
      "compile.phases", "Compilation", std::span(Log.Phases),
      {{column::name("Compilation"), &CompilePhase::Name},
       {Column("ns", "Time", Unit::Ns, "of all processes").sum(), &CompilePhase::Ns},
       {column::percent("percent", "%", "of all phases").sum(),
        [&Log](const CompilePhase &P) { return percentOf(P.Ns, Log.CompileNs); }}}));
  Phases.Top = PhasesShown;
  const auto Cached = std::ranges::count_if(Log.Graphs, &CompiledGraph::FromCache);
  Phases.Summaries.push_back(
      {fmt::format("[{} graphs, {} from the cache]", Log.Graphs.size(), Cached),
       {{"ns", Log.CompileNs}, {"percent", 100.0}}});
  To.add(std::move(Phases));
  Fields<FrameCompile> Frames = fieldsOf<FrameCompile>(lineFields(), &FrameCompile::Function);
  append(Frames, {{{"graph", Unit::Text, "compile id"}, &FrameCompile::Id},
                  {{"backward", Unit::Flag, "of the backward pass"}, &FrameCompile::Backward},
                  {{"entire_ns", Unit::Ns, "all of it"}, &FrameCompile::EntireNs},
                  {{"inductor_ns", Unit::Ns, "of which Inductor"}, &FrameCompile::InductorNs},
                  {{"failure", Unit::Name, "why there is no compiled code"},
                   orNull(&FrameCompile::Failure)}});
  To.add(forJson(makeTable("compile.functions", "", std::span(Log.Frames), std::move(Frames))));
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
  To.fact({"torch_notes", Unit::List, "what was odd in torch's logs"}, listOf(Notes));
  for (const std::string &Text : Notes)
    To.say("note: " + escaped(Text));
}

} // namespace seamscope::tools
