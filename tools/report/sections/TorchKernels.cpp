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

/// Of each use of a kernel what \p Get gives, each once.
template <typename T, typename F>
std::vector<T> collected(const Context &In, const KernelRow &Row, F Get) {
  std::vector<T> All;
  if (const GeneratedKernel *const Known = generated(*In, Row))
    for (const uint32_t Number : Known->Uses)
      Get(In->Input.Torch->Graphs.uses()[Number], All);
  return All;
}

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

/// The lines of Python that a kernel stands for, as people see them. \p Old: some of them may be
/// out of date.
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
  const CompiledGraphs *const Graphs = &In->Input.Torch->Graphs;
  const auto OfKernel = [In](auto Get) {
    return [In, Get](const KernelRow &R) -> Cell {
      const GeneratedKernel *const Known = generated(*In, R);
      return Known ? Cell(Get(*Known)) : Cell();
    };
  };
  Fields<KernelRow> Made = {
      rowsField<KernelRow>("python", "lines of Python that it stands for", calledLineFields(),
                           [In](const KernelRow &R) {
                             std::vector<CalledLine> Lines;
                             std::vector<SourceLine> Seen;
                             for (CalledLine &Each :
                                  collected<CalledLine>(In, R, [](const KernelUse &Use, auto &All) {
                                    for (size_t I = 0; I < Use.Python.size(); ++I)
                                      All.push_back({&Use, I});
                                  }))
                               if (std::ranges::find(Seen, Each.line()) == Seen.end()) {
                                 Seen.push_back(Each.line());
                                 Lines.push_back(Each);
                               }
                             return Lines;
                           }),
      rowsField<KernelRow>("modules", "nn.Module paths of its nodes", moduleFields(),
                           [In](const KernelRow &R) {
                             return collected<ModulePath>(
                                 In, R, [](const KernelUse &Use, auto &All) {
                                   for (const ModulePath &Each : Use.Modules)
                                     addOnce(All, Each);
                                 });
                           }),
      rowsField<KernelRow>("nodes", "of the graph after autograd", nodeFields(),
                           [In, Graphs](const KernelRow &R) {
                             return collected<FxNode>(
                                 In, R, [Graphs](const KernelUse &Use, auto &All) {
                                   for (const uint32_t Node : Use.PostNodes)
                                     All.push_back(Graphs->graphOf(Use).PostGrad.Nodes[Node]);
                                 });
                           }),
      rowsField<KernelRow>("eager_ops", "eager operators that it stands for", opCountFields(true),
                           [In](const KernelRow &R) { return eagerOps(*In, R); }),
      {{"graph", "", Unit::Text, "compile id; null: of several graphs"},
       [In, Graphs](const KernelRow &R) -> Cell {
         std::string_view Graph;
         bool One = true;
         if (const GeneratedKernel *const Known = generated(*In, R))
           for (const uint32_t Number : Known->Uses) {
             const std::string &Id = Graphs->graphOf(Graphs->uses()[Number]).Id;
             One = One && (Graph.empty() || Graph == Id);
             Graph = Id;
           }
         return One ? textOrNull(Graph) : Value();
       }},
      {{"generated.file", "", Unit::Name, "the generated code"},
       OfKernel([](const GeneratedKernel &K) { return textOrNull(K.File); })},
      {{"generated.line", "", Unit::Count, "at which it begins"},
       OfKernel([](const GeneratedKernel &K) { return unlessZero(K.Line); })},
      {{"template", "", Unit::Text, "gemm or attention: of these templates"},
       OfKernel([](const GeneratedKernel &K) { return textOrNull(K.Template); })},
      rowsField<KernelRow>("uses", "calls in graphs", useFields(Graphs),
                           [In](const KernelRow &R) {
                             return collected<const KernelUse *>(
                                 In, R,
                                 [](const KernelUse &Use, auto &All) { All.push_back(&Use); });
                           }),
      {{"compile_ns", "", Unit::Ns, "time that the compiler took for its file"},
       [In](const KernelRow &R) -> Cell {
         const CompilerTime *const Took =
             generated(*In, R)
                 ? In->Input.Torch->Compiler.of(In->Source.text(In->site(R.Site).File))
                 : nullptr;
         return Took ? Cell(Took->Ns) : Cell();
       }},
  };
  for (Field<KernelRow> &Each : Made)
    Each.In = ForJson;
  return Made;
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
    }
    const std::vector<std::string> Python = shownLines(*In, *Kernel, Old);
    std::string Operators = operatorsOf(Run.Graphs, Kernel->Uses);
    std::string Name(In->name(Row.Site));
    if (!Kernel->Template.empty())
      Name += fmt::format(" [{} template]", Kernel->Template);
    std::vector<std::string> Paths = groupedPaths(Modules);
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
  if (Found > Most)
    Rows.Summaries.push_back({fmt::format("[{} more]", Found - Most), {}});
  To.Items.emplace_back(std::move(Rows));
  if (Old)
    To.Items.emplace_back(Sentence{"? line as it was when the graph was cached"});
}

} // namespace seamscope::tools
