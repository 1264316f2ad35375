//===- Source.cpp - the source of one kernel -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Source.h"

#include "analysis/groups/SourceLines.h"
#include "analysis/samples/Proportion.h"
#include "report/sections/CountedWork.h"
#include "report/sections/LineWork.h"
#include "report/sections/Samples.h"
#include "report/sections/TorchLoops.h"
#include "report/sections/TorchRecords.h"
#include "run/folder/SourceRoots.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string place(const SourceLine *Line) {
  return Line ? fmt::format("{}  {}", shortPlace(*Line), fit(Line->Code, 60)) : "-";
}

std::string operatorsAt(const KernelUse &Use, uint32_t PreNode) {
  std::string Text;
  for (const EagerOp &Op : Use.Eager)
    if (Op.Node == PreNode)
      Text += (Text.empty() ? "" : ", ") + Op.Name +
              (Op.Recomputed ? Op.Partial ? " (recomputed in part)" : " (recomputed)"
               : Op.Partial  ? " (in part)"
                             : "");
  std::string Gradients;
  for (const EagerOp &Op : Use.GradientsOf)
    if (Op.Node == PreNode)
      Gradients += (Gradients.empty() ? "gradient of " : ", ") + Op.Name;
  if (!Text.empty() && !Gradients.empty())
    Text += "; ";
  Text += Gradients;
  return Text.empty() ? "-" : Text;
}

std::string moduleOf(const CompiledGraph &Graph, const FxNode &Node) {
  const NodeOrigin *Origin = Graph.Origins ? Graph.Origins->find(Node.Name) : nullptr;
  const auto Paths = Origin && Origin->Module != ModulePath() ? groupedPaths({Origin->Module})
                                                              : std::vector<std::string>{"-"};
  return Paths[0];
}

Column nameColumn(const char *Key, const char *Title, const char *Help, size_t Cut) {
  return Column(Key, Title, Unit::Name, Help).left().cut(Cut);
}

/// A call of the kernel in a graph, with its nodes before and after autograd.
void addUse(Section &To, const CompiledGraphs &Graphs, const KernelUse &Use) {
  const CompiledGraph &Graph = Graphs.graphOf(Use);
  const CodeCall &Call = Graphs.callOf(Use);
  To.sayApart(fmt::format("graph {}{}{}, call {} of {}{}: {}", escaped(Graph.Id),
                          Graph.Code.Direction == GraphDirection::Unknown ? "" : " ",
                          nameOf(Graph.Code.Direction), Use.Call + 1, Graph.Code.Calls.size(),
                          Call.Handle ? fmt::format(", handle {}", Call.Handle) : "",
                          fit(Call.Statement, 100)));
  const auto Add = [&](Table Rows) {
    Rows.In = ForPeople;
    Rows.Attached = true;
    if (Rows.Count)
      To.add(std::move(Rows));
  };
  Add(makeTable<uint32_t>(
      "captured", "Captured nodes", std::span(Use.PreNodes),
      {{nameColumn("node", "Captured node", "that dynamo captured", 32),
        [&Graph](uint32_t Node) { return Graph.PreGrad->Nodes[Node].Name; }},
       {nameColumn("shape", "Shape", "of its result", 32),
        [&Graph](uint32_t Node) { return Graph.PreGrad->Nodes[Node].shape(); }},
       {nameColumn("ops", "Eager operators", "that it stands for", 48),
        [&Use](uint32_t Node) { return operatorsAt(Use, Node); }},
       {nameColumn("module", "Module", "nn.Module path", 40),
        [&Graph](uint32_t Node) { return moduleOf(Graph, Graph.PreGrad->Nodes[Node]); }},
       {nameColumn("python", "Python", "line of the program", 100),
        [&Graph](uint32_t Node) { return place(Graph.PreGrad->lineOf(Node)); }}}));
  Fields<uint32_t> Columns = {
      {nameColumn("node", "Node", "of the graph after autograd", 32),
       [&Graph](uint32_t Node) { return Graph.PostGrad.Nodes[Node].Name; }},
      {nameColumn("shape", "Shape", "of its result", 32),
       [&Graph](uint32_t Node) { return Graph.PostGrad.Nodes[Node].shape(); }},
      {nameColumn("operator", "Operator", "what it calls", 40), [&Graph](uint32_t Node) {
         std::string_view Target = Graph.PostGrad.Nodes[Node].Target;
         if (constexpr std::string_view Ops = "torch.ops."; Target.starts_with(Ops))
           Target.remove_prefix(Ops.size());
         return Target;
       }}};
  // Lines that torch wrote into a cached graph may be out of date; those of this run are above.
  if (Use.PreNodes.empty())
    Columns.push_back({nameColumn("python", "Python", "line of the program", 100),
                       [&Graph](uint32_t Node) { return place(Graph.PostGrad.lineOf(Node)); }});
  Add(makeTable("nodes", "Nodes", std::span(Use.PostNodes), std::move(Columns)));
  if (Use.PostNodes.empty())
    for (const SourceLine &Line : Use.Python)
      To.say("  " + place(&Line));
}

/// The time of a kernel by line of its own file, and the sum of the lines.
struct KernelTimes {
  LineTimes Lines;
  std::string Text;
};

KernelTimes timesByLine(const ReportContext &In, const KernelRow &Row) {
  const Site &Kernel = In.site(Row.Site);
  if (Kernel.Kind != SiteKind::Kernel || Kernel.Device >= 0)
    return {{{Kernel.Line, Row.Times.TotalNs}}, ""};
  KernelTimes Made;
  if (!In.Source.Profile.empty()) {
    Made.Text = "times of lines: unknown, the trace holds sums (mode profile), not calls";
    return Made;
  }
  LineTime Here, Elsewhere;
  const auto &All = In.lines();
  for (auto At = All.lower_bound({Row.Site, 0, 0}); At != All.end(); ++At) {
    const auto &[Place, Time] = *At;
    if (Place.Kernel != Row.Site)
      break;
    const bool IsHere = Place.File == Kernel.File && Place.Line;
    (IsHere ? Here : Elsewhere).add(Time);
    if (IsHere)
      Made.Lines[Place.Line] = Time.SelfNs + Time.WaitNs;
  }
  Made.Text = lineTimesText(Here, Elsewhere);
  return Made;
}

/// Puts the samples of a kernel next to the lines of \p File, and says where the others are.
void addSamples(Section &To, Code &Of, const ReportContext &In, SiteId Kernel,
                std::string_view File) {
  if (!In.Input.Sampled)
    return;
  double All = 0;
  uint64_t Count = 0;
  std::map<uint32_t, std::pair<uint64_t, double>> Lines;
  for (const SampleRow &Row : In.Input.Sampled->Kernels) {
    if (Row.Kernel != Kernel)
      continue;
    Count += Row.Samples;
    All += Row.Weight;
    if (Row.File == File && Row.Line >= Of.First && Row.Line < Of.First + Of.Lines.size()) {
      Lines[Row.Line].first += Row.Samples;
      Lines[Row.Line].second += Row.Weight;
    }
  }
  if (!(All > 0))
    return;
  const auto N = static_cast<double>(Count);
  uint64_t Here = 0;
  Of.Samples.resize(Lines.empty() ? 0 : Of.Lines.size());
  for (const auto &[Line, Its] : Lines) {
    const Proportion Part = proportionOf(N * Its.second / All, N);
    Of.Samples[Line - Of.First] = {Its.first, Part.Share, Part.Low, Part.High};
    Here += Its.first;
  }
  To.add(Sentence{
      fmt::format("samples: {} of {} on these lines, where instructions retired", Here, Count),
      ForHtml});
}

/// Puts what the kernel executed next to the lines of \p File.
void addFigures(Code &Of, const ReportContext &In, const KernelRow &Row, std::string_view File) {
  WorkByLine Lines;
  addLinesOf(Lines, In, Row, File);
  addLineWork(Of, Lines);
  addLineRoofs(Of, In, Row, File);
}

/// A generated kernel is followed by its Python binding, the same for all.
std::string_view withoutBinding(std::string_view Source) {
  const size_t Binding = Source.find("\n// Python bindings");
  return Binding == Source.npos ? Source : Source.substr(0, Binding + 1);
}

/// A compiled kernel in C, C++ or another language: its function in the file that its debug
/// information names.
void addOwnSource(Section &To, const ReportContext &In, const KernelRow &Row,
                  const SourceRoots &Roots) {
  const Site &What = In.site(Row.Site);
  if (!What.File || !What.Line)
    return To.say("its source is not known: compile it with -g1 or more");
  const std::string Path(In.Source.text(What.File));
  const auto Text = Roots.read(Path);
  const std::string Place = fmt::format("{}:{}", escaped(Path), What.Line);
  if (!Text) {
    To.say(Place);
    return To.say(Text.error().message());
  }
  const KernelTimes Times = timesByLine(In, Row);
  // Bodies of inlined functions may be before it.
  const auto &Lines = Times.Lines;
  const uint32_t First = Lines.empty() ? What.Line : std::min(What.Line, Lines.begin()->first);
  const uint32_t Last = std::max(lastLineOfFunction(*Text, What.Line),
                                 Lines.empty() ? What.Line : Lines.rbegin()->first);
  To.say(Times.Text);
  Code Made = codeOf(Place, *Text, First, Last, Lines);
  addSamples(To, Made, In, Row.Site, Path);
  addFigures(Made, In, Row, Path);
  To.add(std::move(Made));
}

} // namespace

Code codeOf(std::string Title, std::string_view Rest, uint32_t First, uint32_t Last,
            const LineTimes &Times) {
  Code Made;
  Made.Title = std::move(Title);
  Made.Language = "cpp";
  Made.First = First;
  for (uint32_t Number = 1; !Rest.empty() && Number <= Last; ++Number) {
    const std::string_view Line = takeLine(Rest);
    if (Number < First)
      continue;
    std::string Shown;
    for (const char C : withoutMark(Line))
      Shown += C == '\t' ? std::string("    ") : std::string(1, C);
    Made.Lines.push_back(std::move(Shown));
    const auto Time = Times.find(Number);
    Made.HeatNs.push_back(Time == Times.end() ? std::nullopt : std::optional(Time->second));
  }
  return Made;
}

std::string lineTimesText(const LineTime &Here, const LineTime &Elsewhere) {
  std::string Text = fmt::format("lines: {} of all threads", shownTime(Here.SelfNs + Here.WaitNs));
  if (Here.WaitNs)
    Text += fmt::format(", {} of it waiting for other threads", shownTime(Here.WaitNs));
  if (const int64_t Ns = Elsewhere.SelfNs + Elsewhere.WaitNs)
    Text += fmt::format("; {} more on lines of other files", shownTime(Ns));
  return Text;
}

uint32_t lastLineOfFunction(std::string_view Source, uint32_t First) {
  constexpr uint32_t Most = 500; // if no brace closes
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

void addKernelSource(Section &To, const Context &In, const KernelRow &Row,
                     const SourceRoots &Roots) {
  const Site &What = In->site(Row.Site);
  const TorchRun *const Torch = In->Input.Torch;
  const GeneratedKernel *const Kernel = Torch ? Torch->kernel(Row.Site) : nullptr;
  std::string Head =
      fmt::format("{}: {} calls, {} in all, {} a call{}", escaped(In->Source.text(What.Name)),
                  Row.Times.Calls, shownTime(Row.Times.TotalNs), shownTime(Row.Times.MeanNs),
                  Row.SelfNs ? fmt::format(", {} % of the window",
                                           shownShare(*Row.SelfNs, In->Numbers.WindowNs))
                             : "");
  const RoofShares Roofs = kernelRoofs(*In, Row);
  if (const auto [Roof, Share] = Roofs.nearest(); Share)
    Head +=
        fmt::format(", {}{:.0f} % of the roof {}", Roofs.IsAtLeast ? ">=" : "", 100 * *Share, Roof);
  To.add(Sentence{std::move(Head), ForPeople, To.Items.empty()});
  if (!Kernel)
    return addOwnSource(To, *In, Row, Roots);
  for (const uint32_t Use : Kernel->Uses)
    addUse(To, Torch->Graphs, Torch->Graphs.uses()[Use]);
  const TorchLoops Loops(In->Input, Row.Site);
  if (Table Rows = Loops.table(); Rows.Count)
    To.add(std::move(Rows));
  if (Kernel->Source.empty())
    return To.sayApart(Kernel->NotRead.empty() ? "its source is not in the folder of the run"
                                               : std::string(Kernel->NotRead));
  const KernelTimes Times = timesByLine(*In, Row);
  To.sayApart(Times.Text);
  Code Made =
      codeOf(escaped(Kernel->File), withoutBinding(Kernel->Source), 1, UINT32_MAX, Times.Lines);
  addSamples(To, Made, *In, Row.Site, In->Source.text(What.File));
  addFigures(Made, *In, Row, In->Source.text(What.File));
  To.add(std::move(Made));
}

} // namespace seamscope::tools
