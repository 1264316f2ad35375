//===- TorchText.cpp - what torch compiled, for people --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/CompiledFiles.h"
#include "report/Table.h"
#include "report/Torch.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;
constexpr size_t CodeWidth = 60;
constexpr size_t OpsWidth = 48;
constexpr size_t ModuleWidth = 40;
constexpr size_t ReasonWidth = 72;
constexpr size_t PhasesShown = 8;

/// "add x3, mul, exp (recomputed)", in the order of first appearance.
std::string operatorsIn(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses,
                        std::vector<EagerOp> KernelUse::*Of) {
  std::vector<std::pair<std::string, unsigned>> Counts;
  for (const uint32_t Number : Uses)
    for (const EagerOp &Op : Graphs.uses()[Number].*Of) {
      std::string Name = Op.Name.starts_with("aten::") ? Op.Name.substr(6) : Op.Name;
      if (Op.Recomputed)
        Name += Op.Partial ? " (recomputed in part)" : " (recomputed)";
      const auto Known = std::ranges::find(Counts, Name, [](const auto &Row) { return Row.first; });
      if (Known == Counts.end())
        Counts.emplace_back(Name, 1);
      else
        ++Known->second;
    }
  std::string Text;
  for (const auto &[Name, Count] : Counts) {
    Text += Text.empty() ? "" : ", ";
    Text += Count > 1 ? fmt::format("{} x{}", Name, Count) : Name;
  }
  return Text;
}

void kernels(std::string &Text, const ReportInput &Input, bool Colours) {
  const TorchRun &Run = *Input.Torch;
  Table Rows({"Kernel", "Graph", "Eager operators", "Module", "Python"}, {1, 2, 3, 4});
  Rows.cut(0, NameWidth);
  Rows.cut(2, OpsWidth);
  Rows.cut(3, ModuleWidth);
  const size_t Most = Input.rowsOf(50);
  size_t Shown = 0;
  bool Any = false, Old = false;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const GeneratedKernel *Kernel = Run.kernel(Row.Site);
    if (!Kernel || Shown++ >= Most)
      continue;
    Any = true;
    std::vector<std::string> Lines, Graphs;
    std::vector<ModulePath> Modules;
    for (const uint32_t Number : Kernel->Uses) {
      const KernelUse &Use = Run.Graphs.uses()[Number];
      const CompiledGraph &Graph = Run.Graphs.graphOf(Use);
      std::string Id = Graph.Id;
      if (Graph.Code.Direction == GraphDirection::Backward)
        Id += " backward";
      if (std::ranges::find(Graphs, Id) == Graphs.end())
        Graphs.push_back(Id);
      for (const ModulePath &Each : Use.Modules)
        addOnce(Modules, Each);
      for (size_t I = 0; I < Use.Python.size(); ++I) {
        const SourceLine &Line = Use.Python[I];
        std::string Shown = fmt::format("{}{}  {}", shortPlace(Line), Use.OldLines ? "?" : "",
                                        fit(Line.Code, CodeWidth));
        if (const SourceLine *Own = lineOfProgram(Use, I); Own && Own != &Line)
          Shown += fmt::format("  (from {})", shortPlace(*Own));
        Old = Old || Use.OldLines;
        if (std::ranges::find(Lines, Shown) == Lines.end())
          Lines.push_back(std::move(Shown));
      }
    }
    if (Lines.empty())
      Lines.push_back("-");
    std::string Operators = escaped(operatorsOf(Run.Graphs, Kernel->Uses));
    if (Operators.empty())
      Operators = "-";
    std::string Name = Input.Source->Sites.empty()
                           ? ""
                           : escaped(Input.Source->text(Input.Source->Sites[Row.Site].Name));
    if (!Kernel->Template.empty())
      Name += fmt::format(" [{} template]", Kernel->Template);
    std::vector<std::string> Paths = groupedPaths(Modules);
    if (Paths.empty())
      Paths.push_back("-");
    for (size_t I = 0; I < std::max(Lines.size(), Paths.size()); ++I)
      Rows.add({I ? "" : Name, I ? "" : fit(fmt::format("{}", fmt::join(Graphs, ", ")), 24),
                I ? "" : Operators, I < Paths.size() ? escaped(Paths[I]) : "",
                I < Lines.size() ? Lines[I] : ""});
  }
  if (!Any)
    return;
  if (Shown > Most)
    Rows.add({fmt::format("[{} more]", Shown - Most)}, Emphasis::Faint);
  Text += '\n' + Rows.text(Colours, Input.Width);
  if (Old)
    Text += "? line as it was when the graph was cached\n";
}

void breaks(std::string &Text, const ReportInput &Input, bool Colours) {
  const CompileLog &Log = Input.Torch->Graphs.log();
  const size_t Most = Input.rowsOf(20);
  if (!Log.Breaks.empty()) {
    Table Rows({"Graph break", "Graphs", "Reason"}, {1, 2});
    for (const GraphBreak &Break : std::span(Log.Breaks).first(std::min(Most, Log.Breaks.size()))) {
      Rows.add({shortPlace(Break.Where), fit(fmt::format("{}", fmt::join(Break.Graphs, ", ")), 24),
                fit(Break.Reason, ReasonWidth)});
      if (!Break.Where.Code.empty())
        Rows.add({"  " + fit(Break.Where.Code, CodeWidth)}, Emphasis::Faint);
    }
    if (Log.Breaks.size() > Most)
      Rows.add({fmt::format("[{} more]", Log.Breaks.size() - Most)}, Emphasis::Faint);
    Text += '\n' + Rows.text(Colours);
  }
  if (Log.Recompiles.empty())
    return;
  Table Rows({"Recompiled", "Graph", "Instead of", "Failed guard"}, {1, 2, 3});
  size_t Guards = 0;
  for (const Recompile &Again : Log.Recompiles)
    for (size_t I = 0; I < Again.Failed.size(); ++I)
      if (++Guards <= Most)
        Rows.add(
            {I ? "" : fmt::format("{} {}", shortPlace(Again.Where), fit(Again.Where.Function, 32)),
             I                    ? ""
             : Again.LimitReached ? "[none: limit]"
                                  : escaped(Again.Graph),
             escaped(Again.Failed[I].Graph), fit(Again.Failed[I].Reason, ReasonWidth)});
  if (Guards > Most)
    Rows.add({fmt::format("[{} more]", Guards - Most)}, Emphasis::Faint);
  Text += '\n' + Rows.text(Colours);
  for (const Recompile &Again : Log.Recompiles)
    if (Again.LimitReached)
      Text += limitText(Again) + '\n';
}

void compileTime(std::string &Text, const CompileLog &Log, bool Colours) {
  if (Log.Phases.empty())
    return;
  Table Rows({"Compilation", "Time", "%"});
  int64_t Rest = 0;
  for (size_t I = 0; I < Log.Phases.size(); ++I) {
    if (I >= PhasesShown)
      Rest += Log.Phases[I].Ns;
    else
      Rows.add({fit(Log.Phases[I].Name, NameWidth), shownTime(Log.Phases[I].Ns),
                shownShare(Log.Phases[I].Ns, Log.CompileNs)});
  }
  if (Rest)
    Rows.add({fmt::format("[{} more]", Log.Phases.size() - PhasesShown), shownTime(Rest),
              shownShare(Rest, Log.CompileNs)},
             Emphasis::Faint);
  size_t Cached = 0;
  for (const CompiledGraph &Graph : Log.Graphs)
    Cached += Graph.FromCache;
  Rows.add({fmt::format("[{} graphs, {} from the cache]", Log.Graphs.size(), Cached),
            shownTime(Log.CompileNs), "100.0"},
           Emphasis::Faint);
  Text += '\n' + Rows.text(Colours);
}

} // namespace

std::string operatorsOf(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses) {
  const std::string Own = operatorsIn(Graphs, Uses, &KernelUse::Eager);
  const std::string Gradients = operatorsIn(Graphs, Uses, &KernelUse::GradientsOf);
  if (Gradients.empty())
    return Own;
  return Own + (Own.empty() ? "" : "; ") + "gradient of " + Gradients;
}

std::string limitText(const Recompile &Last) {
  const size_t Slash = Last.Graph.rfind('/');
  return fmt::format("note: torch's limit of recompilations is reached for {} ({}), compiled {} "
                     "times: other calls of it run in eager mode",
                     escaped(Last.Where.Function), shortPlace(Last.Where),
                     escaped(Slash == std::string::npos ? "?" : Last.Graph.substr(Slash + 1)));
}

std::string shortPlace(const SourceLine &Line) {
  std::string_view File = Line.File;
  if (const size_t Slash = File.rfind('/'); Slash != File.npos)
    File.remove_prefix(Slash + 1);
  if (File.empty())
    return "-";
  return Line.Line ? fmt::format("{}:{}", fit(File, 40), Line.Line) : fit(File, 40);
}

std::string torchText(const ReportInput &Input, bool Colours) {
  if (!Input.Torch)
    return {};
  const CompileLog &Log = Input.Torch->Graphs.log();
  std::string Text;
  kernels(Text, Input, Colours);
  breaks(Text, Input, Colours);
  compileTime(Text, Log, Colours);
  Text += compiledFilesText(Input, Colours);
  for (const std::string &Note : Log.Notes)
    Text += "note: " + escaped(Note) + '\n';
  return Text;
}

} // namespace seamscope::tools
