//===- TorchSource.cpp - a generated kernel beside where it comes from ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Table.h"
#include "report/Torch.h"
#include "report/TorchLoops.h"
#include "run/folder/SourceRoots.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string place(const SourceLine *Line) {
  return Line ? fmt::format("{}  {}", shortPlace(*Line), shortened(escaped(Line->Code), 60)) : "-";
}

std::string operatorsAt(const KernelUse &Use, uint32_t PreNode) {
  std::string Text;
  for (const EagerOp &Op : Use.Eager)
    if (Op.Node == PreNode)
      Text += (Text.empty() ? "" : ", ") + escaped(Op.Name) +
              (Op.Recomputed ? Op.Partial ? " (recomputed in part)" : " (recomputed)"
               : Op.Partial  ? " (in part)"
                             : "");
  std::string Gradients;
  for (const EagerOp &Op : Use.GradientsOf)
    if (Op.Node == PreNode)
      Gradients += (Gradients.empty() ? "gradient of " : ", ") + escaped(Op.Name);
  if (!Text.empty() && !Gradients.empty())
    Text += "; ";
  Text += Gradients;
  return Text.empty() ? "-" : Text;
}

std::string moduleOf(const CompiledGraph &Graph, const FxNode &Node) {
  const NodeOrigin *Origin = Graph.Origins ? Graph.Origins->find(Node.Name) : nullptr;
  const auto Paths = Origin && Origin->Module != ModulePath() ? groupedPaths({Origin->Module})
                                                              : std::vector<std::string>{"-"};
  return shortened(escaped(Paths[0]), 40);
}

void useText(std::string &Text, const CompiledGraphs &Graphs, const KernelUse &Use, bool Colours) {
  const CompiledGraph &Graph = Graphs.graphOf(Use);
  const CodeCall &Call = Graphs.callOf(Use);
  Text += fmt::format("\ngraph {}{}{}, call {} of {}{}: {}\n", escaped(Graph.Id),
                      Graph.Code.Direction == GraphDirection::Unknown ? "" : " ",
                      nameOf(Graph.Code.Direction), Use.Call + 1, Graph.Code.Calls.size(),
                      Call.Handle ? fmt::format(", handle {}", Call.Handle) : "",
                      shortened(escaped(Call.Statement), 100));
  if (!Use.PreNodes.empty()) {
    Table Rows({"Captured node", "Shape", "Eager operators", "Module", "Python"}, {1, 2, 3, 4});
    for (const uint32_t Number : Use.PreNodes) {
      const FxNode &Node = Graph.PreGrad->Nodes[Number];
      Rows.add({shortened(escaped(Node.Name), 32), shortened(escaped(Node.shape()), 32),
                operatorsAt(Use, Number), moduleOf(Graph, Node),
                place(Graph.PreGrad->lineOf(Number))});
    }
    Text += Rows.text(Colours);
  }
  if (!Use.PostNodes.empty()) {
    // What torch wrote of lines into a cached graph may be out of date; above stands this run's.
    const bool Lines = Use.PreNodes.empty();
    Table Rows(Lines ? std::vector<std::string>{"Node", "Shape", "Operator", "Python"}
                     : std::vector<std::string>{"Node", "Shape", "Operator"},
               Lines ? std::vector<size_t>{1, 2, 3} : std::vector<size_t>{1, 2});
    for (const uint32_t Number : Use.PostNodes) {
      const FxNode &Node = Graph.PostGrad.Nodes[Number];
      std::string Target = escaped(Node.Target);
      if (Target.starts_with("torch.ops."))
        Target.erase(0, sizeof("torch.ops.") - 1);
      std::vector<std::string> Cells = {shortened(escaped(Node.Name), 32),
                                        shortened(escaped(Node.shape()), 32),
                                        shortened(Target, 40)};
      if (Lines)
        Cells.push_back(place(Graph.PostGrad.lineOf(Number)));
      Rows.add(std::move(Cells));
    }
    Text += Rows.text(Colours);
  }
  if (Use.PostNodes.empty())
    for (const SourceLine &Line : Use.Python)
      Text += "  " + place(&Line) + '\n';
}

/// What was timed inside the kernel, by line of the generated file: regions and loops.
std::map<uint32_t, int64_t> timesByLine(const Trace &Source, const Site &Kernel) {
  std::vector<bool> Inside(Source.Sites.size());
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const Site &What = Source.Sites[Id];
    Inside[Id] = What.Line && What.File == Kernel.File && What.Kind != SiteKind::Operator &&
                 (What.Kernel == Kernel.Name || What.Name == Kernel.Name);
  }
  std::map<uint32_t, int64_t> Times;
  const auto Add = [&](SiteId Id, int64_t Ns) {
    if (!Inside[Id])
      return;
    int64_t &Sum = Times[Source.Sites[Id].Line];
    if (__builtin_add_overflow(Sum, Ns, &Sum))
      Sum = INT64_MAX;
  };
  for (size_t Event = 0; Event < Source.Events.size(); ++Event)
    Add(Source.Events.Site[Event], Source.Events.DurationNs[Event]);
  for (const ProfileRow &Row : Source.Profile)
    Add(Row.Site, Row.TotalNs);
  return Times;
}

/// Lines [\p First, \p Last] of \p Rest, the whole file, with the time of what was timed there.
/// \p Shares: of loops, by line; null: none are shown.
void sourceText(std::string &Text, std::string_view Rest, uint32_t First, uint32_t Last,
                const std::map<uint32_t, int64_t> &Times,
                const std::map<uint32_t, std::string> *Shares = nullptr) {
  for (uint32_t Number = 1; !Rest.empty() && Number <= Last; ++Number) {
    const std::string_view Line = takeLine(Rest);
    if (Number < First)
      continue;
    const auto Time = Times.find(Number);
    std::string Shown;
    for (const char C : withoutMark(Line))
      Shown += C == '\t' ? std::string("    ") : std::string(1, C);
    Text += fmt::format("{:>11} ", Time == Times.end() ? "" : shownTime(Time->second));
    if (Shares && !Shares->empty()) {
      const auto Share = Shares->find(Number);
      Text += fmt::format("{:>7} ", Share == Shares->end() ? "" : Share->second + " %");
    }
    Text += fmt::format("{:>5}  {}\n", Number, escaped(Shown));
  }
}

/// Behind a generated kernel stands its binding to Python, the same for all.
std::string_view withoutBinding(std::string_view Source) {
  const size_t Binding = Source.find("\n// Python bindings");
  return Binding == Source.npos ? Source : Source.substr(0, Binding + 1);
}

/// A kernel of C, C++ or another language that is compiled: its function in the file that its debug
/// information names.
std::string ownSourceText(const ReportInput &Input, const Site &What, const SourceRoots &Roots) {
  if (!What.File || !What.Line)
    return "its source is not known: compile it with -g1 or more\n";
  const std::string Path(Input.Source->text(What.File));
  auto Text = Roots.read(Path);
  const std::string Place = fmt::format("{}:{}\n", escaped(Path), What.Line);
  if (!Text)
    return Place + Text.error().message() + '\n';
  const std::map<uint32_t, int64_t> Times = timesByLine(*Input.Source, What);
  std::string Shown = Place;
  const uint32_t Last = std::max(lastLineOfFunction(*Text, What.Line),
                                 Times.empty() ? What.Line : Times.rbegin()->first);
  sourceText(Shown, *Text, What.Line, Last, Times);
  return Shown;
}

} // namespace

uint32_t lastLineOfFunction(std::string_view Source, uint32_t First) {
  constexpr uint32_t Most = 500; // where no brace closes
  int64_t Depth = 0;
  bool Opened = false;
  for (uint32_t Number = 1; !Source.empty() && Number < First + Most; ++Number) {
    const std::string_view Line = takeLine(Source);
    char Quote = 0;
    for (size_t I = 0; Number >= First && I < Line.size(); ++I) {
      const char C = Line[I];
      if (Quote) {
        I += C == '\\';
        Quote = C == Quote ? 0 : Quote;
      } else if (C == '/' && Line.substr(I).starts_with("//")) {
        break;
      } else if (C == '"' || C == '\'') {
        Quote = C;
      } else if (C == '{') {
        Opened = true;
        ++Depth;
      } else if ((C == '}' && --Depth <= 0 && Opened) || (C == ';' && !Opened)) {
        return Number;
      }
    }
  }
  return First;
}

std::string kernelSourceText(const ReportInput &Input, const KernelRow &Row,
                             const SourceRoots &Roots, bool Colours) {
  const Site &What = Input.Source->Sites[Row.Site];
  const GeneratedKernel *Kernel = Input.Torch ? Input.Torch->kernel(Row.Site) : nullptr;
  std::string Text =
      fmt::format("{}: {} calls, {} in all, {} a call{}\n", escaped(Input.Source->text(What.Name)),
                  Row.Times.Calls, shownTime(Row.Times.TotalNs),
                  Row.Times.MeanNs ? shownTime(*Row.Times.MeanNs) : "-",
                  Row.SelfNs ? fmt::format(", {} % of the window",
                                           shownShare(*Row.SelfNs, Input.Numbers->WindowNs))
                             : "");
  if (!Kernel)
    return Text + ownSourceText(Input, What, Roots);
  for (const uint32_t Use : Kernel->Uses)
    useText(Text, Input.Torch->Graphs, Input.Torch->Graphs.uses()[Use], Colours);
  const TorchLoops Loops(Input, Row.Site);
  if (const std::string Table = Loops.table(Colours); !Table.empty())
    Text += '\n' + Table;
  if (Kernel->Source.empty() && !Kernel->NotRead.empty())
    return Text + '\n' + std::string(Kernel->NotRead) + '\n';
  if (Kernel->Source.empty())
    return Text + "\nits source is not in the folder of the run\n";
  Text += fmt::format("\n{}\n", escaped(Kernel->File));
  const std::map<uint32_t, std::string> Shares = Loops.shares();
  sourceText(Text, withoutBinding(Kernel->Source), 1, UINT32_MAX, timesByLine(*Input.Source, What),
             &Shares);
  return Text;
}

} // namespace seamscope::tools
