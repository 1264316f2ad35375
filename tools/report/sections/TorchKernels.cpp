//===- TorchKernels.cpp - where kernels that torch generated come from -----------------===//
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

const GeneratedKernel *generated(const ReportContext &In, const KernelRow &Row) {
  return In.Input.Torch->kernel(Row.Site);
}

/// The calls of graphs that a row stands for.
std::vector<const KernelUse *> usesOf(const ReportContext &In, const KernelRow &Row) {
  std::vector<const KernelUse *> All;
  if (const GeneratedKernel *const Known = generated(In, Row))
    for (const uint32_t Number : Known->Uses)
      All.push_back(&In.Input.Torch->Graphs.uses()[Number]);
  return All;
}

/// Their Python lines, each once.
std::vector<CalledLine> linesOf(const ReportContext &In, const KernelRow &Row) {
  std::vector<CalledLine> Lines;
  for (const KernelUse *const Use : usesOf(In, Row))
    for (size_t I = 0; I < Use->Python.size(); ++I)
      if (std::ranges::find(Lines, Use->Python[I], &CalledLine::line) == Lines.end())
        Lines.push_back({Use, I});
  return Lines;
}

std::vector<ModulePath> modulesOf(const ReportContext &In, const KernelRow &Row) {
  std::vector<ModulePath> Modules;
  for (const KernelUse *const Use : usesOf(In, Row))
    for (const ModulePath &Each : Use->Modules)
      addOnce(Modules, Each);
  return Modules;
}

std::vector<FxNode> nodesOf(const ReportContext &In, const KernelRow &Row) {
  std::vector<FxNode> Nodes;
  for (const KernelUse *const Use : usesOf(In, Row))
    for (const uint32_t Node : Use->PostNodes)
      Nodes.push_back(In.Input.Torch->Graphs.graphOf(*Use).PostGrad.Nodes[Node]);
  return Nodes;
}

/// Compile id; nothing for several graphs.
Value graphOf(const ReportContext &In, const KernelRow &Row) {
  std::string_view Graph;
  for (const KernelUse *const Use : usesOf(In, Row)) {
    const std::string &Id = In.Input.Torch->Graphs.graphOf(*Use).Id;
    if (!Graph.empty() && Graph != Id)
      return {};
    Graph = Id;
  }
  return textOrNull(Graph);
}

/// "add x3, mul, exp (recomputed)", in the order of first appearance.
std::string operatorsIn(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses,
                        std::vector<EagerOp> KernelUse::*Of) {
  std::vector<std::pair<std::string, unsigned>> Counts;
  for (const uint32_t Number : Uses)
    for (const EagerOp &Op : Graphs.uses()[Number].*Of) {
      std::string Name = withoutAten(Op.Name);
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
    Text += timesText(Name, Count);
  }
  return Text;
}

/// The Python lines that a kernel stands for, for people. \p Old: some may be out of date.
std::vector<std::string> shownLines(const ReportContext &In, const GeneratedKernel &Kernel,
                                    bool &Old) {
  std::vector<std::string> Lines;
  for (const uint32_t Number : Kernel.Uses) {
    const KernelUse &Use = In.Input.Torch->Graphs.uses()[Number];
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
    Lines.emplace_back("-");
  return Lines;
}

} // namespace

std::string withoutAten(const std::string &Operator) {
  return Operator.starts_with("aten::") ? Operator.substr(6) : Operator;
}

std::string timesText(const std::string &Operator, uint64_t Count) {
  return Count > 1 ? fmt::format("{} x{}", Operator, Count) : Operator;
}

std::string operatorsOf(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses) {
  const std::string Own = operatorsIn(Graphs, Uses, &KernelUse::Eager);
  const std::string Gradients = operatorsIn(Graphs, Uses, &KernelUse::GradientsOf);
  if (Gradients.empty())
    return Own;
  return Own + (Own.empty() ? "" : "; ") + "gradient of " + Gradients;
}

std::string shortPlace(const SourceLine &Line) {
  std::string_view File = Line.File;
  if (const size_t Slash = File.rfind('/'); Slash != File.npos)
    File.remove_prefix(Slash + 1);
  if (File.empty())
    return "-";
  return Line.Line ? fmt::format("{}:{}", fit(File, 40), Line.Line) : fit(File, 40);
}

Fields<KernelRow> torchFields(const Context &In) {
  if (!In->Input.Torch)
    return {};
  const auto Of = [In](auto Get) { return [In, Get](const KernelRow &R) { return Get(*In, R); }; };
  const auto OfKernel = [In](auto Get) {
    return [In, Get](const KernelRow &R) -> Cell {
      const GeneratedKernel *const Known = generated(*In, R);
      return Known ? Cell(Get(*Known)) : Cell();
    };
  };
  return forJson(Fields<KernelRow>{
      rowsField<KernelRow>("python", "lines of Python that it stands for", calledLineFields(),
                           Of(linesOf)),
      rowsField<KernelRow>("modules", "nn.Module paths of its nodes", moduleFields(),
                           Of(modulesOf)),
      rowsField<KernelRow>("nodes", "of the graph after autograd", nodeFields(), Of(nodesOf)),
      rowsField<KernelRow>("eager_ops", "eager operators that it stands for", opCountFields(true),
                           Of(eagerOps)),
      {{"graph", Unit::Text, "compile id; null: of several graphs"}, Of(graphOf)},
      {{"generated.file", Unit::Name, "the generated code"},
       OfKernel(orNull(&GeneratedKernel::File))},
      {{"generated.line", Unit::Count, "at which it begins"},
       OfKernel(orNull(&GeneratedKernel::Line))},
      {{"template", Unit::Text, "gemm or attention: of these templates"},
       OfKernel(orNull(&GeneratedKernel::Template))},
      rowsField<KernelRow>("uses", "calls in graphs", useFields(&In->Input.Torch->Graphs),
                           Of(usesOf)),
      {{"compile_ns", Unit::Ns, "time that the compiler took for its file"},
       [In](const KernelRow &R) -> Cell {
         const CompilerTime *const Took =
             generated(*In, R)
                 ? In->Input.Torch->Compiler.of(In->Source.text(In->site(R.Site).File))
                 : nullptr;
         return Took ? Cell(Took->Ns) : Cell();
       }},
  });
}

void addTorchKernels(Section &To, const Context &In) {
  constexpr size_t OpsWidth = 48, ModuleWidth = 40, UsualKernels = 50;
  const TorchRun &Run = *In->Input.Torch;
  const size_t Most = In->Input.rowsOf(UsualKernels);
  std::vector<TreeLine> Lines;
  size_t Found = 0;
  bool Old = false;
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const GeneratedKernel *const Kernel = generated(*In, Row);
    if (!Kernel || Found++ >= Most)
      continue;
    std::vector<std::string> Graphs;
    for (const uint32_t Number : Kernel->Uses) {
      const KernelUse &Use = Run.Graphs.uses()[Number];
      const CompiledGraph &Graph = Run.Graphs.graphOf(Use);
      std::string Id = Graph.Id;
      if (Graph.Code.Direction == GraphDirection::Backward)
        Id += " backward";
      if (std::ranges::find(Graphs, Id) == Graphs.end())
        Graphs.push_back(Id);
    }
    const std::vector<std::string> Python = shownLines(*In, *Kernel, Old);
    std::string Operators = operatorsOf(Run.Graphs, Kernel->Uses);
    std::string Name(In->name(Row.Site));
    if (!Kernel->Template.empty())
      Name += fmt::format(" [{} template]", Kernel->Template);
    std::vector<std::string> Paths = groupedPaths(modulesOf(*In, Row));
    if (Paths.empty())
      Paths.emplace_back("-");
    for (size_t I = 0; I < std::max(Python.size(), Paths.size()); ++I) {
      TreeLine Line = {I ? std::string() : Name, {}};
      if (!I) {
        Line.Cells.emplace_back("graph", fmt::format("{}", fmt::join(Graphs, ", ")));
        Line.Cells.emplace_back("ops", Operators.empty() ? "-" : Operators);
      }
      if (I < Paths.size())
        Line.Cells.emplace_back("module", Paths[I]);
      if (I < Python.size())
        Line.Cells.emplace_back("python", Python[I]);
      Lines.push_back(std::move(Line));
    }
  }
  if (!Found)
    return;
  Table Rows = treeTable(
      "compiled-kernels", "What the kernels compute",
      {column::name("Kernel"), Column("graph", "Graph", Unit::Text, "compile ids").left().cut(24),
       Column("ops", "Eager operators", Unit::Name, "that it stands for").left().cut(OpsWidth),
       Column("module", "Module", Unit::Name, "nn.Module paths").left().cut(ModuleWidth),
       Column("python", "Python", Unit::Name, "lines of the program").left()},
      std::move(Lines));
  Rows.leaveOut(Found, Most);
  To.add(std::move(Rows));
  if (Old)
    To.say("? line as it was when the graph was cached");
}

} // namespace seamscope::tools
